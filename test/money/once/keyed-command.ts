import type { Answer } from '../../../src/client/calls/answer.ts'
import type { MoneyCommand as Command } from '../../../src/features/shared/money/write.ts'
import { toWritten } from '../../../src/features/shared/money-write.ts'
import { centsText, centsTextOrNull } from '../../../src/money/amount.ts'
import type { MoneyDesk } from '../../../src/money/desk.ts'
import { buildRedemption, type Cancelled } from '../../../src/money/giftcards.ts'
import { findOpenWrite } from '../../../src/money/ledger/open-write.ts'
import type { Receipt } from '../../../src/money/once/receipt.ts'
import { alreadyOpen } from '../../../src/money/operations/already-open.ts'
import type { MoneyResult } from '../../../src/money/write-once.ts'
import type { Views } from '../../../src/terminal/output/many/venue.ts'
import { makeWrite, type Write } from '../till.ts'

/** Builds the command for a write. Its views return the receipt unchanged, so that tests can inspect it. */
export function keyedCommand(desk: MoneyDesk, write: Write): Command {
  const { command, target, cents, notes = '', bookingId = null } = write
  const amount = cents === null ? null : { text: centsText(cents), cents }
  const isSale = command === 'sales create'
  return {
    order: { command, target, amount, details: { notes, bookingId, '--param': [] } },
    ...(isSale ? {} : { check: () => refuseIfOpen(desk, write) }),
    write: async (bound) => {
      const result = await makeWrite(bound, write)
      if (command === 'giftcards cancel') return writtenCancel(write, result as Cancelled)
      const redeemed = result as MoneyResult<Answer> & { readonly balance?: bigint | null }
      return toWritten(redeemed, { own: ownOf(write, redeemed.balance ?? null), change: null, what: 'it was done' })
    },
    assume: ({ before, balance, change }) => {
      const isCancel = command === 'giftcards cancel'
      const own = isCancel ? cancelled(target, before !== 'Cancelled') : ownOf(write, balance)
      return { answer: null, own, change: isCancel || isSale ? null : change, status: isCancel ? before : null }
    },
    views: (receipt: Receipt) => receipt as unknown as Views,
  }
}

function writtenCancel({ target }: Write, { operation, changed, known, balance, status }: Cancelled) {
  const change = { before: centsTextOrNull(balance), after: null }
  const receipt = { answer: null, own: cancelled(target, changed), change, status }
  return { ...receipt, operation, known: known && { how: known.how, line: known.how } }
}

const cancelled = (cardNumber: string, changed: boolean) => ({ cardNumber, status: 'Cancelled', changed })

function ownOf({ command, target, cents }: Write, balance: bigint | null) {
  if (command === 'sales create') return { saleId: target }
  const amount = { text: centsText(cents ?? 0n), cents: cents ?? 0n }
  if (command === 'inbound redeem')
    return { cardNumber: target, amountRedeemed: JSON.rawJSON(amount.text), isSuccess: true }
  return buildRedemption({ cardNumber: target, amount }, balance)
}

/** Refuses a write if it is open, as `Service.refuseIfOpen` does. */
async function refuseIfOpen(desk: MoneyDesk, { command, target, cents }: Write): Promise<null> {
  const { store, clock, force, service, ledger } = desk
  if (force) return null
  const intent = { command, service, target, cents, profile: null }
  const open = await findOpenWrite(store, intent, clock, async () => ledger ?? null)
  if (open) throw alreadyOpen(open, clock())
  return null
}
