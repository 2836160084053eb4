import { Failure } from '../../base/failure/failure.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import type { CallerFor } from '../../client/bulk/bulk-caller.ts'
import type { Journal } from '../../client/bulk/journal/journal.ts'
import type { BulkLine, LineWriter } from '../../client/bulk/run-lines.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import { soughtBy } from '../../money/sale-search.ts'
import { SALE, type SaleOrder, submitSaleOnce } from '../../money/sales.ts'

/** Submits each sale as `sales create` does: its intent on disk, its outcome found out. */
export function saleWriter(
  desk: MoneyDesk,
  callerFor: CallerFor,
  extraQuery: SaleOrder['extraQuery'],
): LineWriter<JsonObject> {
  const { store } = desk
  const done = new Map<string, string>()
  return {
    async write({ id, item }, doubt, onSend) {
      const caller = callerFor(() => onSend(store.lastSent))
      const earlier = doubt && { firstSent: doubt.at, operation: doubt.operation }
      try {
        const order = { ...soughtBy(item), body: item, extraQuery }
        const result = await submitSaleOnce({ ...desk, caller }, order, earlier)
        done.set(id, result.operation.id)
        if (result.answer) return { outcome: 'accepted', status: result.answer.status, message: null }
        return { outcome: 'accepted', status: null, message: `${result.lost}, but the sale arrived: ${result.how}` }
      } catch (error) {
        if (doubt === null || !(error instanceof Failure) || error.code !== 'CONFLICT') throw error
        // Only with --force: otherwise a 409 is weighed where it comes.
        return { outcome: 'accepted', status: 409, message: error.message }
      }
    },
    settled({ id }) {
      const operation = done.get(id)
      if (operation !== undefined) store.concludeKept(operation)
      done.delete(id)
    },
  }
}

/** Ends the operations of sales whose acceptance the journal tells, and whose run was killed before it could end them itself. */
export function endLeftOvers({ store, service, clock }: MoneyDesk, journal: Journal): void {
  if (journal.size === 0) return
  for (const { id, command, service: at, target, state } of store.list()) {
    if (state !== 'open' || command !== SALE || at !== service) continue
    const known = journal.known(target)
    if (known?.state === 'accepted' && known.operation === id)
      store.settle(id, 'applied', 'the journal of its import says that it was accepted', clock())
  }
}

/** The sales that the journal has in doubt, without those that the input still has once it was watched to its end. */
export class SalesInDoubt {
  readonly #ids: Set<string>

  constructor(journal: Journal) {
    this.#ids = new Set()
    for (const { id, state } of journal.all()) if (state === 'in-doubt') this.#ids.add(id)
  }

  /** Passes the lines of the input on. */
  async *watch<T>(batches: AsyncIterable<readonly BulkLine<T>[]>): AsyncGenerator<readonly BulkLine<T>[]> {
    for await (const batch of batches) {
      for (const { id } of batch) if (id !== null) this.#ids.delete(id)
      yield batch
    }
  }

  /** Those that are left, in words; null: none. */
  get words(): string | null {
    const ids = [...this.#ids]
    if (ids.length === 0) return null
    return ids.length > 10 ? `${ids.slice(0, 10).join(', ')} and ${ids.length - 10} more` : ids.join(', ')
  }
}
