import { closeSync, fstatSync, readSync } from 'node:fs'
import { parseJsonOrNull } from '../../base/json/parse.ts'

/** An entry, and where it stands: those after it have a greater place. */
export interface PlacedEntry<Entry> {
  readonly place: number
  readonly entry: Entry
}

/** Some of the latest entries, the newest first. */
export interface LatestEntries<Entry> {
  readonly entries: readonly PlacedEntry<Entry>[]
  /** Where to look for older ones; null when all have been looked at. */
  readonly older: number | null
}

/** Which entries are wanted: those before a place (null: the latest), so many, and of these the ones that fit. */
export interface EntriesWanted<Entry> {
  readonly before: number | null
  readonly count: number
  readonly fits: (entry: Entry) => boolean
}

const READ_BYTES = 256 * 1024
/** No more is looked through at once: who looks for what is rare goes on from there. */
const MOST_BYTES = 8 * 1024 * 1024

/** Finds the latest entries of a list, whose first one has the place `first`. */
export function latestOf<Entry>(
  list: readonly Entry[],
  first: number,
  wanted: EntriesWanted<Entry>,
): LatestEntries<Entry> {
  const entries: PlacedEntry<Entry>[] = []
  const end = wanted.before === null ? list.length : Math.min(list.length, wanted.before - first)
  for (let at = end - 1; at >= 0; at--) {
    const entry = list[at]
    if (entry === undefined || !wanted.fits(entry)) continue
    if (entries.length === wanted.count) return { entries, older: first + at + 1 }
    entries.push({ place: first + at, entry })
  }
  return { entries, older: null }
}

/** Finds the latest entries in a file of lines, from its end backwards; a place is where a line begins. Closes the file. */
export function latestIn<Entry>(file: number, wanted: EntriesWanted<Entry>): LatestEntries<Entry> {
  try {
    return searchBackwards(file, wanted)
  } finally {
    closeSync(file)
  }
}

function searchBackwards<Entry>(file: number, wanted: EntriesWanted<Entry>): LatestEntries<Entry> {
  const entries: PlacedEntry<Entry>[] = []
  const { size } = fstatSync(file)
  const start = Math.min(size, wanted.before ?? size)
  let end = start
  /** The rest of a line whose beginning is still to be read. */
  let rest: Buffer = Buffer.alloc(0)
  while (end > 0) {
    const from = Math.max(0, end - READ_BYTES)
    const piece = Buffer.concat([readBytes(file, from, end - from), rest])
    // The first line of a piece may have begun before it.
    let lineEnd = piece.byteLength
    for (;;) {
      const newline = lineEnd < 2 ? -1 : piece.lastIndexOf(10, lineEnd - 2)
      if (newline === -1 && from > 0) break
      const place = from + newline + 1
      const entry = readEntry<Entry>(piece.subarray(newline + 1, lineEnd))
      if (entry && wanted.fits(entry)) {
        if (entries.length === wanted.count) return { entries, older: from + lineEnd }
        entries.push({ place, entry })
      }
      lineEnd = newline + 1
      if (newline === -1) break
    }
    rest = Buffer.from(piece.subarray(0, lineEnd))
    end = from
    if (start - end >= MOST_BYTES && end > 0) return { entries, older: end + rest.byteLength }
  }
  return { entries, older: null }
}

function readBytes(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, from))
}

/** Null for a line that is still being written, or that is no entry. */
function readEntry<Entry>(line: Buffer): Entry | null {
  return line.at(-1) === 10 ? parseJsonOrNull(line.toString('utf8')) : null
}
