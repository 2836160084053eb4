import { describe, expect, test } from 'vitest'
import type { OwnWrite } from '../../../../src/features/giftcards/statement/own-writes.ts'
import { explainUnknownRedeemers, missingWritesFailure } from '../../../../src/features/giftcards/statement/period.ts'
import type { CardState } from '../../../../src/features/giftcards/statement/step.ts'
import { type Histories, makeStatement } from './make-statement.ts'

const CARD = 'GIFT1-00000100-AAAA'
const HOUR_MS = 3_600_000

const left = (cents: number, status = 'Active'): CardState => ({ status, amount: 10_000n, remaining: BigInt(cents) })

/** Builds the history of a card from its states in snapshots taken at time 0 and every hour after that. */
function history(...states: readonly (CardState | null)[]): Histories {
  const [first = null] = states
  return {
    takenMs: states.map((_, at) => at * HOUR_MS),
    opening: new Map(first === null ? [] : [[CARD, { state: first, lastListed: first }]]),
    changes: states.flatMap((state, at) => (at === 0 || state === states[at - 1] ? [] : [{ card: CARD, at, state }])),
  }
}

/** Builds a redemption that this machine made `afterMs` after the first snapshot. The amount is in cents. */
function redeemed(cents: number, afterMs: number, more: Partial<OwnWrite> = {}): OwnWrite {
  return {
    ...{ id: `op_${cents}_${afterMs}`, command: 'giftcards redeem', card: CARD, cents: BigInt(cents), isOpen: false },
    ...{ sentMs: afterMs, balanceBefore: 10_000n, totalBefore: 10_000n, isOurs: true },
    ...more,
  }
}

const make = (of: Histories, ...writes: readonly OwnWrite[]) => makeStatement(of, { writes, tellsWho: true })

const byWhom = ({ movements }: ReturnType<typeof make>) =>
  movements.map(({ kind, cents, by }) => `${kind} ${cents} ${by ?? ''}`.trim())

describe('origins of redemptions in a statement', () => {
  const before = left(10_000)

  test('a statement lists known redemptions as made by this machine, and all others as made elsewhere', () => {
    const found = make(history(before, left(6500)), redeemed(2500, HOUR_MS / 2))
    expect(byWhom(found)).toEqual(['redeemed -2500 this machine', 'redeemed -1000 elsewhere'])
    expect(found.notShown).toEqual([])
  })

  test.each(['Cancelled', 'Expired'])(
    'a statement lists other redemptions as made elsewhere, even if the card then became %s',
    (status) => {
      expect(byWhom(make(history(before, left(6500, status)), redeemed(2500, HOUR_MS / 2)))).toEqual([
        'redeemed -2500 this machine',
        'redeemed -1000 elsewhere',
        status === 'Cancelled' ? 'cancelled -6500 elsewhere' : 'expired -6500',
      ])
      // If a card loses its balance when it is cancelled or expires, the snapshots do not show how much was redeemed
      // beforehand.
      expect(byWhom(make(history(before, left(0, status))))).toEqual(['not-explained -10000'])
    },
  )

  test("a statement does not say who made a redemption if this machine's writes are unknown", () => {
    const found = makeStatement(history(before, left(6500)), { writes: [], tellsWho: false })
    expect(byWhom(found)).toEqual(['redeemed -3500'])
    expect(explainUnknownRedeemers(found, null)).toContain('--profile')
  })

  test("if the copy lacks a card, a statement reports only the writes to it that the venue's profile made", () => {
    const elsewhere = { card: 'OTHER-00000000-CARD' }
    const made = make(history(before, before), redeemed(2500, HOUR_MS / 2, elsewhere))
    expect(made.notShown).toMatchObject([
      { ...elsewhere, cents: 2500n, why: expect.stringContaining('does not have this card') },
    ])
    const byOther = redeemed(2500, HOUR_MS / 2, { ...elsewhere, isOurs: false })
    expect(make(history(before, before), byOther).notShown).toEqual([])
    expect(byWhom(make(history(before, left(7500)), redeemed(2500, HOUR_MS / 2, { isOurs: false })))).toEqual([
      'redeemed -2500 this machine',
    ])
  })

  test("a statement warns that redemptions before this machine's first record may be listed as made elsewhere", () => {
    const found = make(history(before, left(6500)))
    expect(explainUnknownRedeemers(found, HOUR_MS)).toMatch(/since 1970-01-01T01:00/)
    expect(explainUnknownRedeemers(found, 0)).toBeNull()
  })

  test.each<[string, number, number, number | null]>([
    ['well within the period', HOUR_MS / 2, 2500, null],
    ['just before the first snapshot, which includes it', 60_000, 2500, null],
    ['just after the last snapshot, according to a clock that is fast', HOUR_MS + 60_000, 2500, null],
  ])('a statement recognizes a redemption that was made %s', (_, atMs, cents) => {
    const isBefore = atMs === 60_000
    const found = make(history(isBefore ? left(7500) : before, left(7500)), redeemed(cents, atMs))
    expect(found.notShown).toEqual([])
    expect(byWhom(found)).toEqual(isBefore ? [] : ['redeemed -2500 this machine'])
  })

  test('a redemption made just before the closing snapshot but missing from it belongs to the next statement', () => {
    const late = redeemed(2500, HOUR_MS - 60_000)
    expect(make(history(before, before), late).notShown).toEqual([])
    const next: Histories = { ...history(before, left(7500)), takenMs: [HOUR_MS, 2 * HOUR_MS] }
    expect(byWhom(make(next, late))).toEqual(['redeemed -2500 this machine'])
  })

  test('a statement accepts a redemption that only a later snapshot shows', () => {
    const found = make(history(before, before, left(7500)), redeemed(2500, HOUR_MS / 2))
    expect(byWhom(found)).toEqual(['redeemed -2500 this machine'])
    expect(found.notShown).toEqual([])
  })
})

describe('statement entries for writes that the service does not show', () => {
  const before = left(10_000)

  test('a statement reports a redemption that the service does not show, or shows only in part', () => {
    const none = make(history(before, before), redeemed(2500, HOUR_MS / 2))
    expect(none.notShown).toMatchObject([{ card: CARD, cents: 2500n, why: expect.stringContaining('no redemption') }])
    const some = make(history(before, left(9000)), redeemed(2500, HOUR_MS / 2))
    expect(some.notShown).toMatchObject([{ cents: 1500n, why: expect.stringContaining('10.00') }])
    expect(missingWritesFailure(none, 'cards.db')).toMatchObject({
      code: 'PARTIAL_FAILURE',
      message: expect.stringContaining('redemptions of 25.00 on one card'),
      hint: expect.stringContaining(`timeline giftcard ${CARD} --copy cards.db`),
    })
  })

  test('a statement reports a redemption from a card that the copy lacks', () => {
    const found = make(history(before, before), redeemed(2500, HOUR_MS / 2, { card: 'OTHER-00000000-CARD' }))
    expect(found.notShown).toMatchObject([
      { card: 'OTHER-00000000-CARD', why: expect.stringContaining('does not have this card') },
    ])
  })

  test('a statement reports a cancellation unless a snapshot shows the card as cancelled', () => {
    const cancel = redeemed(0, HOUR_MS / 2, { command: 'giftcards cancel', cents: null })
    expect(make(history(before, before), cancel).notShown).toMatchObject([
      { command: 'giftcards cancel', cents: null, why: 'the service shows the card as Active' },
    ])
    const shown = make(history(before, left(10_000, 'Cancelled'), left(10_000)), cancel)
    expect(shown.notShown).toEqual([])
    expect(byWhom(shown)).toEqual(['cancelled -10000 this machine', 'adjusted 10000'])
  })

  test('if the snapshots cannot show whether a redemption took effect, a statement has a note instead of an error', () => {
    const gone = make(history(before, null), redeemed(20_000, HOUR_MS / 2))
    expect(gone.notShown).toEqual([])
    expect(gone.notes).toMatchObject([{ card: CARD, text: expect.stringContaining('cannot be checked') }])
    const rose = make(history(left(6000), left(9000)), redeemed(1000, HOUR_MS / 2, { balanceBefore: 6000n }))
    expect(rose.notShown).toEqual([])
    expect(byWhom(rose)).toEqual(['adjusted 4000', 'redeemed -1000 this machine'])
  })
})

test('a statement lists a redemption with an unknown outcome as made elsewhere and says whether the balance fell far enough', () => {
  const open = redeemed(2500, HOUR_MS / 2, { isOpen: true })
  const taken = make(history(left(10_000), left(7500)), open)
  expect(byWhom(taken)).toEqual(['redeemed -2500 elsewhere'])
  expect(taken.open).toMatchObject([{ id: open.id, fits: true }])
  expect(make(history(left(10_000), left(10_000)), open).open).toMatchObject([{ fits: false }])
})
