import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { RecordBatches } from '../../base/json/list/wire-record.ts'
import type { Variables } from '../../base/storage/directories.ts'
import { withFirst } from '../input/filters/kept-records.ts'

const MAX_RECORDS = 50

/**
 * The endpoints whose records contain a status code, each with the member that contains the status. '' means that the
 * record itself is the status.
 */
const STATUS = new Map(Object.entries({ 'bookings.statuses': '', 'bookings.list': 'status', 'bookings.get': 'status' }))
const WITH_CARDS = ['giftcards.list', 'giftcards.get']

/** Collects values for later completions. Extracts them from the records only after the command has finished. */
export class SeenValues {
  readonly #values: { readonly id: string; readonly value: () => JsonValue }[] = []

  addValue(id: string, value: JsonValue): void {
    if (isRelevant(id)) this.#values.push({ id, value: () => value })
  }

  watch(id: string, batches: RecordBatches): RecordBatches {
    return isRelevant(id) ? this.#watched(id, batches) : batches
  }

  async *#watched(id: string, batches: RecordBatches): RecordBatches {
    const first = await batches.next()
    const seen = first.done ? [] : first.value.slice(0, MAX_RECORDS)
    for (const record of seen) this.#values.push({ id, value: () => record.value })
    yield* withFirst(first, batches)
  }

  /** Saves the collected status codes and, if `mayKeepCards`, the card numbers. Never fails. */
  async save(env: Variables, profile: string | null, mayKeepCards: boolean): Promise<void> {
    const seen = this.#values.splice(0)
    if (profile === null || seen.length === 0) return
    const statuses: (readonly [string, string])[] = []
    const cards: string[] = []
    for (const { id, value } of seen) {
      const record = value()
      if (!isJsonObject(record)) continue
      const at = STATUS.get(id)
      const status = at ? record[at] : at === '' ? record : undefined
      if (isJsonObject(status) && typeof status['code'] === 'string')
        statuses.push([status['code'], typeof status['name'] === 'string' ? status['name'] : ''])
      const card = record['cardNumber']
      if (mayKeepCards && WITH_CARDS.includes(id) && typeof card === 'string') cards.push(card)
    }
    if (statuses.length + cards.length === 0) return
    const { noteSeen } = await import('./seen.ts')
    noteSeen(env, profile, { statuses, cards })
  }
}

function isRelevant(id: string): boolean {
  return STATUS.has(id) || WITH_CARDS.includes(id)
}
