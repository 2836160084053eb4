import { type ListEnd, type RecordOptions, RecordSplitter } from './record-splitter.ts'

/** A chunk is worked on in pieces of this size, so that a batch stays small when the chunk is not. */
const PIECE_BYTES = 64 * 1024

/**
 * Streams the records of a list answer: `[record, …]`, or `{…, "<listMember>": [record, …], …}`. Yields batches, never
 * empty, of records as their own text exactly as it was sent, each of them valid JSON; returns the {@link ListEnd}. Memory
 * does not grow with the list. A consumer that stops early closes the source. A byte order mark at the start is skipped.
 * Fails: RecordStreamError, after every whole record before the problem was yielded; what the source throws, likewise.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: RecordOptions,
): AsyncGenerator<string[], ListEnd, undefined> {
  const splitter = new RecordSplitter(options)
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      const batch: string[] = []
      const problem = splitter.push(bytes.subarray(from, from + PIECE_BYTES), batch)
      if (batch.length > 0) yield batch
      if (problem !== null) throw problem
    }
  }
  return splitter.end()
}
