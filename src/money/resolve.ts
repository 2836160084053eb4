import type { MoneyDesk } from './desk.ts'
import { CANCEL, REDEEM, weighOpenCancel, weighOpenRedeem } from './giftcards.ts'
import { INBOUND_REDEEM, weighOpenInbound } from './inbound.ts'
import type { Operation } from './operations/operation.ts'
import { livenessOf } from './operations/owner.ts'
import { mayBeUnderWay, quietMs } from './operations/settling.ts'
import { SALE, weighOpenSale } from './sales.ts'
import { type Evidence, type Verdict, verdictOf } from './verdict.ts'

/** Finds out what became of an open operation; it only reads. Fails: as the reads do. */
export async function judgeOperation(desk: MoneyDesk, operation: Operation): Promise<Verdict> {
  const { store, clock } = desk
  if (mayBeUnderWay(operation, clock()))
    return { state: 'unknown', how: `process ${operation.owner.pid} is still at work on it` }
  if (operation.phase === 'claimed') return { state: 'not-applied', how: 'it was never sent' }
  const seen = livenessOf(operation.owner) === 'gone' ? store.markGone(operation.id, clock()) : operation
  // Measured before the reading is asked for, as what comes may be as old as that.
  const quiet = quietMs(seen, clock())
  return verdictOf(await weigh(desk, seen), quiet)
}

async function weigh(desk: MoneyDesk, operation: Operation): Promise<Evidence> {
  switch (operation.command) {
    case REDEEM:
      return weighOpenRedeem(desk, operation)
    case INBOUND_REDEEM:
      return weighOpenInbound(desk, operation)
    case CANCEL:
      return weighOpenCancel(desk, operation)
    case SALE:
      return weighOpenSale(desk, operation)
    default:
      return { state: 'unknown', how: `this release does not know how to check ${operation.command}` }
  }
}
