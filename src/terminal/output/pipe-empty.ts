import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { attempt } from '../../base/attempt.ts'
import { getSystemErrorCode } from '../../base/storage/system-error.ts'
import { pause } from '../../http/client/retry.ts'
import { ReaderGone } from './output.ts'

const BUFFER_BYTES = 1024 * 1024
const FIRST_CHECK_MS = 1
const MAX_CHECK_MS = 250

/** Waits until the reader has emptied a pipe. Returns immediately on systems other than Linux. Throws ReaderGone. */
export async function waitUntilPipeIsEmpty(descriptor: number, signal: AbortSignal): Promise<void> {
  if (process.platform !== 'linux' || !fstatSync(descriptor).isFIFO()) return
  for (let checkMs = FIRST_CHECK_MS; !isEmpty(descriptor); checkMs = Math.min(checkMs * 2, MAX_CHECK_MS))
    await pause(checkMs, { signal, now: Date.now })
}

/**
 * Returns whether a pipe is empty. Only a reader can tell, so this function reads the content and writes it back. This
 * is safe because no other process writes to the pipe. If this process is killed in between, the content is lost, but
 * its records have not been marked as delivered.
 */
function isEmpty(descriptor: number): boolean {
  const content = readAll(descriptor)
  if (content === null || content.length === 0) return true
  for (let done = 0; done < content.length; ) done += put(descriptor, content.subarray(done))
  return false
}

function readAll(descriptor: number): Buffer | null {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  const reading = attempt(() => openSync(`/proc/self/fd/${descriptor}`, flags), null)
  if (reading === null) return null
  try {
    const bytes = Buffer.allocUnsafe(BUFFER_BYTES)
    return bytes.subarray(0, readSync(reading, bytes, 0, bytes.length, null))
  } catch (error) {
    return getSystemErrorCode(error) === 'EAGAIN' ? Buffer.alloc(0) : null
  } finally {
    // Close the reading end now. While it is open, writing to a pipe that has no other reader does not fail with EPIPE.
    closeSync(reading)
  }
}

function put(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    if (getSystemErrorCode(error) === 'EAGAIN') return 0
    if (getSystemErrorCode(error) === 'EPIPE') throw new ReaderGone()
    throw error
  }
}
