import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const STEP_BYTES = 64 * 1024
const LINE_FEED = 0x0a
/** Enough of a line to contain the time of the delivery. */
const TIME_BYTES = 64

/**
 * Returns when the last delivery in a journal arrived, in epoch milliseconds, without reading the whole file. If the
 * journal is empty, returns when it was created. An incomplete last line is skipped, because that delivery was never
 * acknowledged. Throws the system's error, or Error if the last line is not a delivery.
 */
export function lastDeliveryMs(path: string): number {
  const descriptor = openSync(path, 'r')
  try {
    const { size, mtimeMs } = fstatSync(descriptor)
    const end = lineFeedBefore(descriptor, size)
    if (end < 0) return Math.floor(mtimeMs)
    const start = lineFeedBefore(descriptor, end) + 1
    const bytes = Buffer.alloc(TIME_BYTES)
    const length = readSync(descriptor, bytes, 0, TIME_BYTES, start)
    const time = /^\{"time":"([^"]+)"/.exec(bytes.toString('utf8', 0, length))?.[1]
    const timeMs = Date.parse(time ?? '')
    if (Number.isNaN(timeMs)) throw new Error('its last line is not a delivery')
    return timeMs
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the offset of the last line feed before an offset, or -1. */
function lineFeedBefore(descriptor: number, offset: number): number {
  const bytes = Buffer.alloc(STEP_BYTES)
  for (let end = offset; end > 0; ) {
    const start = Math.max(0, end - STEP_BYTES)
    const length = readSync(descriptor, bytes, 0, end - start, start)
    const at = bytes.subarray(0, length).lastIndexOf(LINE_FEED)
    if (at >= 0) return start + at
    end = start
  }
  return -1
}
