import { type ListEnd, type RecordOptions, RecordSplitter } from './record-splitter.ts'
import type { WireRecord } from './wire-record.ts'

/** Larger chunks are split into pieces of this size, which limits the size of a batch. */
const PIECE_BYTES = 64 * 1024

/**
 * Streams the records of `[record, …]` or `{…, "<listMember>": [record, …], …}` exactly as they were received, in
 * non-empty batches. Returns the {@link ListEnd}. If the caller stops early, the source is closed. Throws
 * RecordStreamError, or the source's error, but first yields every record that was complete before the failure.
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
