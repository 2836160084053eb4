import { describe, expect, test } from 'vitest'
import { amountOwed, type CardState, explainStep } from '../../../../src/features/giftcards/statement/step.ts'

const state = (status: string | null, amount: number | null, remaining: number | null): CardState => ({
  status,
  amount: amount === null ? null : BigInt(amount),
  remaining: remaining === null ? null : BigInt(remaining),
})

const KNOWN = ['Active', 'PendingPostage', 'AwaitingPayment', 'Redeemed', 'Cancelled', 'Expired']

test("the movements that explain a card's change always add up to the change in the amount owed", () => {
  const states = [...KNOWN, 'Suspended', null].flatMap((status) =>
    [null, 0, 50, 100].flatMap((amount) => [null, 0, 30, 100].map((left) => state(status, amount, left))),
  )
  const all: readonly (CardState | null)[] = [null, ...states]
  let checked = 0
  for (const before of all)
    for (const after of all)
      for (const known of [0n, 10n, 200n]) {
        const { flows } = explainStep({ before, after, lastListed: null, known })
        const sum = flows.reduce((total, { cents }) => total + cents, 0n)
        if (sum !== amountOwed(after) - amountOwed(before)) expect({ before, after, known, flows }).toBe('closed')
        for (const { kind, why } of flows)
          if (kind === 'not-explained' && why === null) expect({ before, after }).toBe('said')
        checked++
      }
  for (const lastListed of states)
    for (const after of states) {
      const { flows } = explainStep({ before: null, after, lastListed, known: 0n })
      expect(flows.reduce((total, { cents }) => total + cents, 0n)).toBe(amountOwed(after))
    }
  expect(checked).toBe(3 * all.length ** 2)
})

describe('explainStep', () => {
  const at = (amount: number, remaining: number | null) => state('Active', amount, remaining)
  const active = at(100, 100)
  test.each<[string, CardState | null, CardState | null, bigint, Record<string, number>]>([
    ['a new card', null, active, 0n, { issued: 100 }],
    ['a new card that was redeemed in between', null, at(100, 60), 0n, { issued: 100, redeemed: -40 }],
    ['a new card that was spent in between', null, state('Redeemed', 100, 0), 0n, { issued: 100, redeemed: -100 }],
    ['a new card that has ended, or was never paid for', null, state('Cancelled', 100, 100), 0n, {}],
    ['a new card that awaits payment', null, state('AwaitingPayment', 100, 100), 0n, {}],
    ['a payment for a new card', state('AwaitingPayment', 100, 0), active, 0n, { issued: 100 }],
    ['a card that is posted', state('PendingPostage', 100, 100), active, 0n, {}],
    ['a redemption', active, at(100, 75), 0n, { redeemed: -25 }],
    ['the last redemption', active, state('Redeemed', 100, 0), 0n, { redeemed: -100 }],
    ['a cancellation', active, state('Cancelled', 100, 100), 0n, { cancelled: -100 }],
    [
      'a cancellation after redemptions elsewhere',
      active,
      state('Cancelled', 100, 60),
      0n,
      { redeemed: -40, cancelled: -60 },
    ],
    [
      'a cancellation after a redemption by this machine',
      active,
      state('Cancelled', 100, 60),
      40n,
      { redeemed: -40, cancelled: -60 },
    ],
    ['a cancellation that leaves a balance of 0', active, state('Cancelled', 100, 0), 0n, { 'not-explained': -100 }],
    ['an expiry', active, state('Expired', 100, 100), 0n, { expired: -100 }],
    [
      'an expiry after redemptions here and elsewhere',
      active,
      state('Expired', 100, 60),
      30n,
      { redeemed: -40, expired: -60 },
    ],
    ['a top-up', active, at(120, 120), 0n, { adjusted: 20 }],
    ['a top-up and a redemption', active, at(120, 70), 0n, { adjusted: 20, redeemed: -50 }],
    ['a balance that rose', at(100, 60), at(100, 90), 0n, { adjusted: 30 }],
    [
      'a balance that rose despite a redemption by this machine',
      at(100, 60),
      at(100, 90),
      10n,
      { adjusted: 40, redeemed: -10 },
    ],
    ['a spent card with a new top-up', state('Redeemed', 100, 0), at(120, 20), 0n, { adjusted: 20 }],
    ['a cancelled card that is owed again', state('Cancelled', 100, 60), at(100, 60), 0n, { adjusted: 60 }],
    ['a card that disappeared', active, null, 0n, { 'not-explained': -100 }],
    [
      'a card that disappeared after a redemption by this machine',
      active,
      null,
      30n,
      { redeemed: -30, 'not-explained': -70 },
    ],
    ['a card with an unreadable balance', active, at(100, null), 0n, { 'not-explained': -100 }],
    ['a Redeemed card with a balance', active, state('Redeemed', 100, 10), 0n, { redeemed: -90, 'not-explained': -10 }],
    ['an unknown status', active, state('Suspended', 100, 100), 0n, { 'not-explained': -100 }],
    ['a card that changes from Expired to Cancelled', state('Expired', 100, 50), state('Cancelled', 100, 50), 0n, {}],
  ])('explainStep explains %s', (_, before, after, known, expected) => {
    const { flows } = explainStep({ before, after, lastListed: null, known })
    expect(Object.fromEntries(flows.map(({ kind, cents }) => [kind, Number(cents)]))).toEqual(expected)
  })

  test('explainStep compares a card that reappears with the state in which it was last listed', () => {
    const { flows } = explainStep({ before: null, after: state('Active', 100, 75), lastListed: active, known: 0n })
    expect(flows.map(({ kind, cents }) => `${kind} ${cents}`)).toEqual(['not-explained 100', 'redeemed -25'])
  })
})
