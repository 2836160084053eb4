import { createSale } from '../../../contract/sales.ts'
import { refusalReply } from '../../../sandbox/app/replies.ts'
import { conclude } from '../../../sandbox/app/request.ts'
import type { Bench } from '../bench/bench.ts'
import type { Item } from '../certify.ts'

/**
 * The balance of each test card, in cents. It is large enough even for an integration that redeems 100 times too much.
 * Another item tests for that mistake.
 */
const CARD_CENTS = 500_000
const AMOUNT = 25
const MORE_STARTS = 2

/**
 * Drops the connection twice: after the service redeems an amount from one card, and before it redeems an amount from
 * another. Repeats failed steps, as a till would.
 */
export const redeemNotRepeated: Item = {
  id: 'redeem-not-repeated',
  name: 'Does not repeat a redemption whose response was lost',
  mend: 'If the response to a redemption is lost, read the balance first: if it fell by the amount, the redemption succeeded. Record each redemption on disk before you send it, so that the integration finds it there after a restart.',
  check: async (bench) => {
    const dropped = await redeemWithoutAnswer(bench, 'after')
    if (dropped.taken.length === 0) bench.finding('no redemption reached the service')
    if (dropped.taken.length > 1)
      bench.finding(
        `${dropped.taken.length} redemptions were made instead of one: ${dropped.taken.map(units).join(', ')}`,
      )
    const lost = await redeemWithoutAnswer(bench, 'before')
    if (lost.taken.length > 1) bench.finding('a redemption that did not reach the service was repeated more than once')
    if (lost.taken.length === 0 && lost.isDone)
      bench.finding('the step exited with code 0, but its redemption did not reach the service and was not repeated')
  },
}

/**
 * Redeems an amount over a connection that drops once, before or after the service redeems it. Returns the redeemed
 * amounts in cents, and whether the last attempt succeeded.
 */
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

/**
 * Submits a sale that the service already has, as if the first response had been lost or another till had submitted the
 * sale first.
 */
export const saleAccepted: Item = {
  id: 'sale-409-accepted',
  name: 'Treats a 409 response to a sale as success',
  mend: 'A 409 to POST /Sales means that the service already has this sale. Treat the sale as accepted and exit with code 0.',
  check: async (bench) => {
    const sale = bench.venue.makeSale(4_000_000)
    await bench.venue.request('POST', '/Sales', sale)
    bench.note('change', 'the service already has the sale')
    const { saleId } = sale['origin'] as { readonly saleId: string }
    // Respond without checking the body. Another item tests for amounts in the wrong unit.
    const duplicate = refusalReply(createSale.failures.duplicate, { saleId })
    bench.wire.intercept('POST', '/Sales', () => conclude(duplicate))
    await bench.mustSucceed({ do: 'sale', sale })
    if (bench.wire.seen.length === 0) bench.finding('the sale was not sent')
  },
}

const REDEEMED = [
  [0.29, 29],
  [19.99, 1999],
  [33.33, 3333],
] as const
const SALE_CENTS = 123_457

/** Redeems currency amounts that floating-point numbers cannot represent exactly, and submits a sale in cents. */
export const centsAndUnits: Item = {
  id: 'cents-and-units',
  name: 'Uses currency units for redemptions and cents for sales',
  mend: 'Amounts to redeem are in currency units (19.99), and all amounts in a sale are in whole cents (1999). Round when you convert (Math.round(amount * 100)), or pass amounts through unchanged.',
  check: async (bench) => {
    for (const [amount, cents] of REDEEMED) await redeemExactly(bench, amount, cents)
    const sale = bench.venue.makeSale(SALE_CENTS)
    await bench.mustSucceed({ do: 'sale', sale })
    const { saleId } = sale['origin'] as { readonly saleId: string }
    const kept = bench.venue.readSale(saleId)
    if (kept !== SALE_CENTS)
      bench.finding(
        `a sale of ${SALE_CENTS} cents ${kept === null ? 'did not reach the service' : `arrived as ${kept}`}`,
      )
  },
}

async function redeemExactly(bench: Bench, amount: number, cents: number): Promise<void> {
  const cardNumber = bench.venue.issueCard(CARD_CENTS)
  await bench.mustSucceed({ do: 'redeem', cardNumber, amount })
  const taken = bench.venue.readCard(cardNumber).takenCents.reduce((sum, one) => sum + one, 0)
  if (taken !== cents) bench.finding(`a redemption of ${amount} deducted ${units(taken)} from the card`)
}

function units(cents: number): string {
  return (cents / 100).toFixed(2)
}
