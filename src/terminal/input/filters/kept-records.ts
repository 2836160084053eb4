import type { JsonValue } from '../../../base/json/exact.ts'
import type { RecordBatches, WireRecord } from '../../../base/json/list/wire-record.ts'

/** Records of a list as they arrive, as they were sent. */
export type Batches = AsyncIterable<readonly WireRecord[]>

export async function* keepRecords(batches: Batches, test: (record: JsonValue) => boolean): RecordBatches {
  for await (const batch of batches) {
    const kept = batch.filter(({ value }) => test(value))
    if (kept.length > 0) yield kept
  }
}

/** The records of one list, or those of `other` if it is empty. */
export async function* orElse(first: Batches, other: () => Promise<Batches | readonly []>): RecordBatches {
  let isEmpty = true
  for await (const batch of first) {
    if (batch.length > 0) isEmpty = false
    yield batch
  }
  if (isEmpty) yield* await other()
}

/** A list whose first batch has already been read. */
export async function* withFirst(first: IteratorResult<readonly WireRecord[]>, batches: RecordBatches): RecordBatches {
  try {
    if (first.done) return
    yield first.value
    yield* batches
  } finally {
    await batches.return(undefined)
  }
}
