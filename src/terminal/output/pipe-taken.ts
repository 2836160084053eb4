import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { attempt } from '../../base/attempt.ts'
import { getSystemErrorCode } from '../../base/storage/system-error.ts'
import { pause } from '../../http/client/retry.ts'
import { ReaderGone } from './output.ts'

const ROOM_BYTES = 1024 * 1024
const FIRST_LOOK_MS = 1
const LONGEST_LOOK_MS = 250

/** Waits until a pipe is empty, where Linux shows that: a reader that leaves loses the rest. Fails: ReaderGone. */
export async function pipeTaken(descriptor: number, signal: AbortSignal): Promise<void> {
  if (process.platform !== 'linux' || !fstatSync(descriptor).isFIFO()) return
  for (let lookMs = FIRST_LOOK_MS; !isEmpty(descriptor); lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS))
    await pause(lookMs, { signal, now: Date.now })
}

/**
 * Linux tells only readers whether a pipe is empty, so this reads its content and puts it back. Nobody else writes
 * meanwhile. If we are killed in between, the records do not count as delivered.
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
    const bytes = Buffer.allocUnsafe(ROOM_BYTES)
    return bytes.subarray(0, readSync(reading, bytes, 0, bytes.length, null))
  } catch (error) {
    return getSystemErrorCode(error) === 'EAGAIN' ? Buffer.alloc(0) : null
  } finally {
    // While we have the pipe open for reading, the loss of its reader would not show.
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
