import { createSale } from '../../../contract/sales.ts'
import { refusalReply } from '../../../sandbox/app/replies.ts'
import { conclude } from '../../../sandbox/app/request.ts'
import type { Bench } from '../bench/bench.ts'
import type { Item } from '../certify.ts'

/** Enough even for an integration with the wrong unit, which is another item. */
const CARD_CENTS = 500_000
const AMOUNT = 25
const MORE_STARTS = 2

/** Drops the connection after a redemption; for another card, before it. Repeats failed steps, as a till does. */
export const redeemNotRepeated: Item = {
  id: 'redeem-not-repeated',
  name: 'Does not repeat a redeem whose answer was dropped',
  mend: 'When the answer to a redeem is lost, read the balance before anything else: if it fell by the amount, it is done. Note on disk what is under way before it is sent, so that a new start knows of it.',
  check: async (bench) => {
    const dropped = await redeemWithoutAnswer(bench, 'after')
    if (dropped.taken.length === 0) bench.finding('no redemption reached the service')
    if (dropped.taken.length > 1)
      bench.finding(
        `${dropped.taken.length} redemptions were made where one was asked for: ${dropped.taken.map(units).join(', ')}`,
      )
    const lost = await redeemWithoutAnswer(bench, 'before')
    if (lost.taken.length > 1) bench.finding('a redeem that never arrived was made up for more than once')
    if (lost.taken.length === 0 && lost.isDone)
      bench.finding('the step ended with exit 0 for a redeem that never arrived, and of which nothing was redeemed')
  },
}

/** Redeems while the first answer is dropped, after or before the money moves; returns the redeemed cents. */
async function redeemWithoutAnswer(bench: Bench, phase: 'before' | 'after') {
  const cardNumber = bench.venue.issueCard(CARD_CENTS)
  const { faults } = bench.state.settings()
  faults.add({ endpoint: 'POST /GiftCards/redeem', effect: { kind: 'reset' }, phase, next: 1 })
  const line = { do: 'redeem', cardNumber, amount: AMOUNT } as const
  let { code } = await bench.step(line)
  for (let left = MORE_STARTS; left > 0 && code !== 0; left--) code = (await bench.step(line)).code
  faults.clear()
  return { taken: bench.venue.readCard(cardNumber).takenCents, isDone: code === 0 }
}

/** The service already has the sale: its first answer was lost, or another till was faster. */
export const saleAccepted: Item = {
  id: 'sale-409-accepted',
  name: 'Takes the 409 to a sale as accepted',
  mend: 'A 409 to POST /Sales says that the service has this sale: treat it as done, and end with exit 0.',
  check: async (bench) => {
    const sale = bench.venue.makeSale(4_000_000)
    await bench.venue.ask('POST', '/Sales', sale)
    bench.note('change', 'the service gets the sale')
    const { saleId } = sale['origin'] as { readonly saleId: string }
    // Answers before reading the body, as a sale in the wrong unit is another item.
    const duplicate = refusalReply(createSale.failures.duplicate, { saleId })
    bench.wire.answerInstead('POST', '/Sales', () => conclude(duplicate))
    await bench.must({ do: 'sale', sale })
    if (bench.wire.seen.length === 0) bench.finding('the sale was not sent')
  },
}

const REDEEMED = [
  [0.29, 29],
  [19.99, 1999],
  [33.33, 3333],
] as const
const SALE_CENTS = 123_457

/** Amounts that a float cannot represent: redeemed in currency units, sold in cents. */
export const centsAndUnits: Item = {
  id: 'cents-and-units',
  name: 'Redeems currency units and sells cents',
  mend: 'Redeem amounts are in currency units (19.99), all amounts of a sale in whole cents (1999). Convert with rounding (Math.round(amount * 100)), or leave them as they come.',
  check: async (bench) => {
    for (const [amount, cents] of REDEEMED) await redeemExactly(bench, amount, cents)
    const sale = bench.venue.makeSale(SALE_CENTS)
    await bench.must({ do: 'sale', sale })
    const { saleId } = sale['origin'] as { readonly saleId: string }
    const kept = bench.venue.readSale(saleId)
    if (kept !== SALE_CENTS)
      bench.finding(`a sale of ${SALE_CENTS} cents ${kept === null ? 'did not reach the service' : `came as ${kept}`}`)
  },
}

async function redeemExactly(bench: Bench, amount: number, cents: number): Promise<void> {
  const cardNumber = bench.venue.issueCard(CARD_CENTS)
  await bench.must({ do: 'redeem', cardNumber, amount })
  const taken = bench.venue.readCard(cardNumber).takenCents.reduce((sum, one) => sum + one, 0)
  if (taken !== cents) bench.finding(`redeem ${amount} took ${units(taken)} off the card`)
}

function units(cents: number): string {
  return (cents / 100).toFixed(2)
}
