import type { MoneyDesk } from './desk.ts'
import { CANCEL, judgeOpenCancel, judgeOpenRedeem, REDEEM } from './giftcards.ts'
import { INBOUND_REDEEM, judgeOpenInbound } from './inbound.ts'
import type { Operation } from './operation.ts'
import { isElsewhere } from './owner.ts'
import { judgeOpenSale, SALE } from './sales.ts'
import type { Verdict } from './verdict.ts'

/** Finds out, by reads alone, what became of an open operation. Fails: as the reads do. */
export async function judgeOperation(desk: MoneyDesk, operation: Operation): Promise<Verdict> {
  if (isElsewhere(operation)) return { state: 'unknown', how: `process ${operation.pid} is still at work on it` }
  if (operation.phase === 'claimed') return { state: 'not-applied', how: 'it was never sent' }
  if (operation.command === REDEEM) return judgeOpenRedeem(desk, operation)
  if (operation.command === INBOUND_REDEEM) return judgeOpenInbound(desk, operation)
  if (operation.command === CANCEL) return judgeOpenCancel(desk, operation)
  if (operation.command === SALE) return judgeOpenSale(desk, operation)
  return { state: 'unknown', how: `this release does not know how to check ${operation.command}` }
}
