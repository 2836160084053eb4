import { readRecords } from '../../../src/base/json/list/read-records.ts'
import type { ListEnd, RecordOptions } from '../../../src/base/json/list/record-splitter.ts'
import { RecordStreamError } from '../../../src/base/json/record-stream-error.ts'

/** The result of reading a list: its records, and either its end or the problem that stopped the reader. */
export interface Reading {
  readonly records: string[]
  readonly end?: ListEnd
  readonly problem?: { kind: string; message: string; records: number }
}

/** Reads a list to its end or to the first error. Returns the result. */
export async function readAll(chunks: AsyncIterable<Uint8Array>, options: RecordOptions): Promise<Reading> {
  const records: string[] = []
  const reader = readRecords(chunks, options)
  try {
    for (;;) {
      const step = await reader.next()
      if (step.done) return { records, end: step.value }
      records.push(...step.value.map(({ text }) => text))
    }
  } catch (error) {
    if (!(error instanceof RecordStreamError)) throw error
    return { records, problem: { kind: error.kind, message: error.message, records: error.records } }
  }
}

/**
 * Yields the bytes in one chunk, or in chunks of the given sizes. A size of 0 yields an empty chunk. The last size
 * applies to all remaining chunks.
 */
export async function* inChunks(text: string | Uint8Array, ...sizes: number[]): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (sizes.length === 0) {
    yield bytes
    return
  }
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? 1
    // Yield a copy, so that a reader cannot read beyond its chunk.
    yield Uint8Array.from(bytes.subarray(at, at + size))
    at += size
  }
}
