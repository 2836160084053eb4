import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { readablePartsOf } from './closed-days.ts'
import { readClosedPart } from './read-journal.ts'

const STEP_BYTES = 64 * 1024
const LINE_FEED = 0x0a
/** How many bytes from the start of a line are enough to read the delivery's time. */
const TIME_BYTES = 64

interface LastDelivery {
  /** The delivery's time of arrival in epoch milliseconds. In an empty journal, the time of its last modification. */
  readonly timeMs: number
  readonly isEmpty: boolean
}

/**
 * Returns the time of the last delivery in a journal, without reading the whole file. If the file is empty or missing,
 * reads the last closed day instead. Skips an incomplete last line, because that delivery was never acknowledged.
 * Throws USAGE if the closed day cannot be read, an Error if the last line is not a delivery, or a system error.
 */
export async function readLastDelivery(path: string): Promise<LastDelivery> {
  const last = lastInFile(path)
  if (last !== null && !last.isEmpty) return last
  const closed = await lastInClosedDay(path)
  if (closed !== null) return { timeMs: closed, isEmpty: false }
  // The listener may have created the file since `lastInFile` checked for it.
  return last ?? { timeMs: statSync(path).mtimeMs, isEmpty: true }
}

/** Returns the last delivery in a file, or `null` if the file does not exist. */
function lastInFile(path: string): LastDelivery | null {
  if (!existsSync(path)) return null
  const descriptor = openSync(path, 'r')
  try {
    const { size, mtimeMs } = fstatSync(descriptor)
    const end = lineFeedBefore(descriptor, size)
    if (end < 0) return { timeMs: Math.floor(mtimeMs), isEmpty: true }
    const start = lineFeedBefore(descriptor, end) + 1
    const bytes = Buffer.alloc(TIME_BYTES)
    const length = readSync(descriptor, bytes, 0, TIME_BYTES, start)
    const time = /^\{"time":"([^"]+)"/.exec(bytes.toString('utf8', 0, length))?.[1]
    const timeMs = Date.parse(time ?? '')
    if (Number.isNaN(timeMs)) throw new Error('its last line is not a delivery')
    return { timeMs, isEmpty: false }
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the time of the last delivery in the closed days, or `null` if there is none. */
async function lastInClosedDay(path: string): Promise<number | null> {
  for (const part of readablePartsOf(path).toReversed()) {
    let last: number | null = null
    for await (const deliveries of readClosedPart(part)) last = deliveries.at(-1)?.timeMs ?? last
    if (last !== null) return last
  }
  return null
}

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
