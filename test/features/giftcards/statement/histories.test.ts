import { describe, expect, test } from 'vitest'
import type { Movement } from '../../../../src/features/giftcards/statement/card-movements.ts'
import { KINDS } from '../../../../src/features/giftcards/statement/step.ts'
import { type Made, makeStatement } from './make-statement.ts'
import { type RandomHistory, randomHistory, type TrueCard, tellable } from './random-history.ts'

const HISTORIES = Number(process.env['PARTNER_STATEMENTS'] ?? 500)
const FIRST = Number(process.env['PARTNER_SEED'] ?? 1)

describe('gift card statements for random histories', () => {
  const played = Array.from({ length: HISTORIES }, (_, n) => {
    const random = randomHistory(FIRST + n)
    const statement = makeStatement(random.history, { writes: random.writes, tellsWho: true })
    return { seed: FIRST + n, random, statement }
  })

  test("a statement's movements add up to the change in the amount owed, to the cent", () => {
    for (const { seed, random, statement } of played) {
      const sum = KINDS.reduce((total, kind) => total + statement.totals[kind], statement.opening)
      expect(sum, `seed ${seed}`).toBe(statement.closing)
      expect(statement.opening, `seed ${seed}`).toBe(owedAt(random, 0))
      expect(statement.closing, `seed ${seed}`).toBe(owedAt(random, random.history.takenMs.length - 1))
      const moved = statement.movements.reduce((total, { cents }) => total + cents, 0n)
      expect(statement.opening + moved, `seed ${seed}`).toBe(statement.closing)
    }
  })

  test('a statement contains every movement that the snapshots can show, and says who caused it', () => {
    let told = 0
    for (const { seed, random, statement } of played)
      for (const card of random.cards)
        for (let span = 1; span < random.history.takenMs.length; span++) {
          const movements = within(statement, random, card, span)
          const expected = tellable(card, span)
          if (expected === null) continue
          const isSettled = !card.events.some(({ what }) => ['lost', 'rise', 'gone', 'back'].includes(what))
          expect(summed(movements, isSettled), `seed ${seed}, ${card.card}, span ${span}`).toEqual(
            summed(expected, isSettled),
          )
          told += expected.length
        }
    expect(told).toBeGreaterThan(HISTORIES)
  })

  test('a statement marks a movement as unexplained only if the snapshots cannot show what happened, and says why', () => {
    let untold = 0
    for (const { seed, random, statement } of played)
      for (const { card, kind, why } of statement.movements.filter((one) => one.kind === 'not-explained')) {
        untold++
        expect(why, `seed ${seed}, ${card} ${kind}`).toMatch(/the service|nothing says/)
        const spans = [...random.history.takenMs.keys()].slice(1)
        const life = random.cards.find((one) => one.card === card) as TrueCard
        expect(spans.some((span) => tellable(life, span) === null)).toBe(true)
      }
    expect(untold).toBeGreaterThan(0)
  })

  test('a statement reports exactly those redemptions by this machine that the service does not show', () => {
    let planted = 0
    for (const { seed, random, statement } of played)
      for (const life of random.cards) {
        // A redemption that the service lost may go unnoticed if the balance also rose or the card was also redeemed
        // elsewhere.
        const isPlain = !life.events.some(
          ({ what, isHere }) => ['rise', 'gone', 'back', 'reinstate'].includes(what) || (what === 'redeem' && !isHere),
        )
        if (!isPlain) continue
        const lost = life.events.filter(({ what, span }) => what === 'lost' && span > 0)
        const cents = lost.reduce((sum, one) => sum + one.cents, 0n)
        planted += lost.length
        const named = statement.notShown.filter((one) => one.card === life.card && one.cents !== null)
        expect(
          named.reduce((sum, one) => sum + (one.cents ?? 0n), 0n),
          `seed ${seed}, ${life.card}`,
        ).toBe(cents)
      }
    expect(planted).toBeGreaterThan(0)
    expect(played.flatMap(({ statement }) => statement.notShown.filter(({ cents }) => cents === null))).toEqual([])
  })
})

function owedAt({ cards }: RandomHistory, at: number): bigint {
  return cards.reduce((sum, { states }) => {
    const state = states[at]
    const isOwed = state?.status === 'Active' || state?.status === 'PendingPostage'
    return isOwed ? sum + (state.remaining ?? 0n) : sum
  }, 0n)
}

function within(statement: Made, { history }: RandomHistory, { card }: TrueCard, span: number): Movement[] {
  return statement.movements.filter((one) => one.card === card && one.byMs === history.takenMs[span])
}

function summed(
  movements: readonly { readonly kind: string; readonly cents: bigint; readonly by: string | null }[],
  tellsWho: boolean,
): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const { kind, cents, by } of movements) {
    const name = tellsWho ? `${kind}, ${by}` : kind
    sums[name] = (sums[name] ?? 0n) + cents
  }
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, cents]) => cents !== 0n)
      .sort(),
  )
}
