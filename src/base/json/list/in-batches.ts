import { type RecordBatches, WireRecord } from './wire-record.ts'

const BATCH = 500

/** Yields JSON texts as batches of records, so that partner's own data can be printed like a list from the service. */
export async function* inBatches(texts: readonly string[]): RecordBatches {
  for (let at = 0; at < texts.length; at += BATCH) yield texts.slice(at, at + BATCH).map((text) => new WireRecord(text))
}
