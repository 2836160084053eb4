import type { Caller } from '../client/calls/caller.ts'
import { centsTextOrNull } from './amount.ts'
import { balanceBefore, type CardReading } from './card-reading.ts'
import type { MoneyDesk } from './desk.ts'
import type { Operation } from './operations/operation.ts'

/** A card's balance before and after a write, in currency units. */
export interface BalanceChange {
  /** The balance immediately before the write, or `null` if it is uncertain. */
  readonly before: string | null
  /** The balance after the write, or `null` if it is unknown. */
  readonly after: string | null
}

/**
 * The time limit, in milliseconds, for a balance request whose result is only displayed. The write is already complete.
 */
const GLANCE_MS = 3000

/**
 * Reads the balance once, with a short time limit. If the request fails or a lagging replica responds, calculates the
 * balance from the amount instead. Never throws.
 */
export async function readBalanceChange(
  { caller }: MoneyDesk,
  operation: Pick<Operation, 'before' | 'cents'>,
  read: (caller: Caller) => Promise<CardReading>,
): Promise<BalanceChange> {
  const before = balanceBefore(operation.before)
  const reckoned = before === null ? null : before - (operation.cents ?? 0n)
  const seen = await readQuickly(caller, read)
  if (reckoned === null || seen === null)
    return { before: centsTextOrNull(before), after: centsTextOrNull(reckoned ?? seen) }
  return { before: centsTextOrNull(before), after: centsTextOrNull(seen < reckoned ? seen : reckoned) }
}

async function readQuickly(caller: Caller, read: (caller: Caller) => Promise<CardReading>): Promise<bigint | null> {
  const { signal } = caller.hooks
  if (signal?.aborted) return null
  const limit = AbortSignal.timeout(GLANCE_MS)
  const hooks = { ...caller.hooks, signal: signal ? AbortSignal.any([signal, limit]) : limit }
  const over = hooks.waitsFor?.('done; reading the new balance of the card', 'news')
  try {
    return (await read({ ...caller, hooks, retries: 0, pacing: 'ignore' })).balance
  } catch {
    return null
  } finally {
    over?.()
  }
}
