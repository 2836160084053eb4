import { type JsonValue, parseExact } from '../../../json/exact.ts'

/** Records of a list as they arrive, each as the text that was sent. */
export type Batches = AsyncIterable<readonly string[]>

/** Keeps the records that pass a test, as they arrive, in their own text. */
export async function* keepRecords(
  batches: Batches,
  test: (record: JsonValue) => boolean,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const batch of batches) {
    const kept = batch.filter((record) => test(parseExact(record)))
    if (kept.length > 0) yield kept
  }
}

/** The records of one list; when it has none, those that `other` gives, which is called only then. */
export async function* orElse(
  first: Batches,
  other: () => Promise<Batches | readonly []>,
): AsyncGenerator<readonly string[], void, undefined> {
  let isEmpty = true
  for await (const batch of first) {
    if (batch.length > 0) isEmpty = false
    yield batch
  }
  if (isEmpty) yield* await other()
}
