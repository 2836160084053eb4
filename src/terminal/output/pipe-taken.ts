import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { getSystemErrorCode } from '../../base/storage/system-error.ts'
import { pause } from '../../http/client/retry.ts'
import { ReaderGone } from './output.ts'

/** No pipe holds more, unless somebody asked for more room. */
const ROOM_BYTES = 1024 * 1024
const FIRST_LOOK_MS = 1
const LONGEST_LOOK_MS = 250

/**
 * Waits until the reader of a pipe has taken all that was written to it: what lies in the pipe when the reader goes away is lost.
 * Where that cannot be seen (it is no pipe, or another system than Linux), it does not wait.
 * Fails: ReaderGone; the signal's reason.
 */
export async function pipeTaken(descriptor: number, signal: AbortSignal): Promise<void> {
  if (process.platform !== 'linux' || !fstatSync(descriptor).isFIFO()) return
  for (let lookMs = FIRST_LOOK_MS; !isEmpty(descriptor); lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS))
    await pause(lookMs, { signal, now: Date.now })
}

/**
 * Linux shows whether a pipe is empty only to those who read from it. What is read is put back at once: the reader sees nothing
 * but a moment's delay, as nobody else writes in between. Should we be killed there, the records are not counted as delivered.
 */
function isEmpty(descriptor: number): boolean {
  const lying = readLying(descriptor)
  if (lying === null || lying.length === 0) return true
  for (let done = 0; done < lying.length; ) done += put(descriptor, lying.subarray(done))
  return false
}

function readLying(descriptor: number): Buffer | null {
  let reading: number
  try {
    reading = openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const bytes = Buffer.allocUnsafe(ROOM_BYTES)
    return bytes.subarray(0, readSync(reading, bytes, 0, bytes.length, null))
  } catch (error) {
    if (getSystemErrorCode(error) === 'EAGAIN') return Buffer.alloc(0)
    return null
  } finally {
    // As long as we could read it ourselves, nothing would show that the reader has gone.
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
