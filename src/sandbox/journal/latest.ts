import { closeSync, fstatSync, readSync } from 'node:fs'
import { parseJsonOrNull } from '../../base/json/parse.ts'

/** An entry and its position in the journal. Positions increase from older to newer entries. */
type PlacedEntry<Entry> = { readonly place: number; readonly entry: Entry }

export interface LatestEntries<Entry> {
  /** The entries, newest first. */
  readonly entries: readonly PlacedEntry<Entry>[]
  /** Where to resume the search for older entries, or `null` if this is the last page. */
  readonly older: number | null
}

/**
 * A search for the latest `count` matching entries before a position. The position `null` means the end of the journal.
 */
export interface EntryQuery<Entry> {
  readonly before: number | null
  readonly count: number
  readonly fits: (entry: Entry) => boolean
}

const READ_BYTES = 256 * 1024
/** The maximum number of bytes that one search reads. To search further back, callers continue from `older`. */
const MOST_BYTES = 8 * 1024 * 1024

/** Finds the latest matching entries in a list whose first item has the position `first`. */
export function findLatestInList<E>(list: readonly E[], first: number, query: EntryQuery<E>): LatestEntries<E> {
  const entries: PlacedEntry<E>[] = []
  const end = query.before === null ? list.length : Math.min(list.length, query.before - first)
  for (let at = end - 1; at >= 0; at--) {
    const entry = list[at]
    if (entry === undefined || !query.fits(entry)) continue
    if (entries.length === query.count) return { entries, older: first + at + 1 }
    entries.push({ place: first + at, entry })
  }
  return { entries, older: null }
}

/** Finds the latest matching entries in a file of JSON lines, where positions are byte offsets. Closes the file. */
export function findLatestInFile<Entry>(file: number, query: EntryQuery<Entry>): LatestEntries<Entry> {
  try {
    return searchBackwards(file, query)
  } finally {
    closeSync(file)
  }
}

function searchBackwards<Entry>(file: number, query: EntryQuery<Entry>): LatestEntries<Entry> {
  const entries: PlacedEntry<Entry>[] = []
  const { size } = fstatSync(file)
  const start = Math.min(size, query.before ?? size)
  let end = start
  /** The end of a line whose beginning has not been read yet. */
  let rest: Buffer = Buffer.alloc(0)
  while (end > 0) {
    const from = Math.max(0, end - READ_BYTES)
    const piece = Buffer.concat([readBytes(file, from, end - from), rest])
    // The first line of this piece might begin in the preceding part of the file.
    let lineEnd = piece.byteLength
    for (;;) {
      const newline = lineEnd < 2 ? -1 : piece.lastIndexOf(10, lineEnd - 2)
      if (newline === -1 && from > 0) break
      const place = from + newline + 1
      const entry = readEntry<Entry>(piece.subarray(newline + 1, lineEnd))
      if (entry && query.fits(entry)) {
        if (entries.length === query.count) return { entries, older: from + lineEnd }
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

function readEntry<Entry>(line: Buffer): Entry | null {
  return line.at(-1) === 10 ? parseJsonOrNull(line.toString('utf8')) : null
}
