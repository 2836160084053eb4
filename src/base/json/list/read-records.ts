import { type ListEnd, type RecordOptions, RecordSplitter } from './record-splitter.ts'
import type { WireRecord } from './wire-record.ts'

/** Chunks are read in pieces of this size, so that the batch of a large chunk stays small. */
const PIECE_BYTES = 64 * 1024

/**
 * Streams the records of a list answer: `[record, …]`, or `{…, "<listMember>": [record, …], …}`. Yields batches, never empty;
 * each record is as it was sent, and valid JSON. Returns the {@link ListEnd}. Memory does not grow with the list.
 * Stopping early closes the source. Skips a byte order mark.
 * Fails: RecordStreamError, and whatever the source throws, in both cases after yielding every whole record before it.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: RecordOptions,
): AsyncGenerator<WireRecord[], ListEnd, undefined> {
  const splitter = new RecordSplitter(options)
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      const batch: WireRecord[] = []
      const problem = splitter.push(bytes.subarray(from, from + PIECE_BYTES), batch)
      if (batch.length > 0) yield batch
      if (problem !== null) throw problem
    }
  }
  return splitter.end()
}
