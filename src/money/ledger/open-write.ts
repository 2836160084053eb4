import { Failure } from '../../base/failure/failure.ts'
import type { Moment } from '../operations/moment.ts'
import type { Intent, Operation } from '../operations/operation.ts'
import type { OperationStore } from '../operations/store.ts'
import type { Ledger } from './ledger.ts'

/**
 * Returns an open write that is identical to `intent`, or `null`. Reads the ledger first, because another machine might
 * have recorded the write's outcome. If the ledger cannot be reached, the write counts as open. Throws INTERNAL.
 */
export async function findOpenWrite(
  store: OperationStore,
  intent: Intent,
  clock: () => Moment,
  openLedger: () => Promise<Ledger | null>,
): Promise<Operation | null> {
  const open = store.findIdentical(intent, clock())
  if (open === null) return null
  try {
    await (await openLedger())?.refresh(intent.service, intent.target, null)
  } catch (error) {
    if (error instanceof Failure) return open
    throw error
  }
  return store.findIdentical(intent, clock())
}
