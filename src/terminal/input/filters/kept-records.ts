import type { JsonValue } from '../../../base/json/exact.ts'
import type { RecordBatches, WireRecord } from '../../../base/json/list/wire-record.ts'

/** A list's records, in batches as they arrive, exactly as the service sent them. */
export type Batches = AsyncIterable<readonly WireRecord[]>

export async function* filterRecords(batches: Batches, test: (record: JsonValue) => boolean): RecordBatches {
  for await (const batch of batches) {
    const kept = batch.filter(({ value }) => test(value))
    if (kept.length > 0) yield kept
  }
}

/** Yields the records from `first` or, if it contains none, those from `other`. */
export async function* withFallback(first: Batches, other: () => Promise<Batches | readonly []>): RecordBatches {
  let isEmpty = true
  for await (const batch of first) {
    if (batch.length > 0) isEmpty = false
    yield batch
  }
  if (isEmpty) yield* await other()
}

/** Yields a list's first batch, which has already been read, and then the rest. */
export async function* withFirst(first: IteratorResult<readonly WireRecord[]>, batches: RecordBatches): RecordBatches {
  try {
    if (first.done) return
    yield first.value
    yield* batches
  } finally {
    await batches.return(undefined)
  }
}
