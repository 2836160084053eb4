import { expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { answers, type RawRequest, resets } from '../../support/raw-server.ts'
import { expectRefusal, refused } from '../../support/refusal.ts'
import { delivered, startTimelineVenue, type TimelineVenue } from './timeline-venue.ts'

const CARD = 'GIFT1-00000100-AAAA'

const card = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ cardNumber: CARD, issuedDate: '2026-11-01T00:00:00Z', expiryDate: '2999-11-01T00:00:00Z', amount: 100 },
  ...{ remainingAmount: 100, status: 'Active', cardFormat: 'EGiftCard', paymentType: 'Online' },
  ...more,
})

/** Runs a command that moves money, with the same data directory as the timeline. */
const write = (known: TimelineVenue, ...args: readonly string[]) => runPartner(args, { env: known.env })

/** Accepts every cancellation and redemption, but resets the connection if the amount is 13. */
function till({ method, body }: RawRequest) {
  if (method === 'GET') return undefined
  if (method === 'PATCH') return answers(200, {})
  const { cardNumber, amount } = JSON.parse(body)
  if (amount === 13) return resets
  return answers(200, { cardNumber, amountRedeemed: amount, status: 'Active', isSuccess: true, errorMessage: '' })
}

test("timeline giftcard shows a card from issue to expiry, including this machine's redemptions", async () => {
  const known = await startTimelineVenue(till)
  known.cards = [card()]
  expect(await write(known, 'giftcards', 'redeem', CARD, '--amount', '10')).toMatchObject({ code: 0 })
  known.cards = [card({ remainingAmount: 90 })]
  // Write the card number in lower case and with a leading space.
  const entries = await known.entries('giftcard', ` ${CARD.toLowerCase()}`)
  expect(entries.map(({ kind, source, text }) => [kind, source, text])).toEqual([
    ['issued', 'service', 'issued: EGiftCard, 100.00, Online'],
    ['operation', 'operations', 'giftcards redeem of 10.00 sent by this machine, balance before: 100.00'],
    ['outcome', 'operations', 'giftcards redeem succeeded (the service answered)'],
    ['state', 'service', 'current state: Active, 90.00 left of 100.00'],
    ['expires', 'service', 'expires'],
  ])
  expect(entries.map(({ future }) => future)).toEqual([false, false, false, false, true])
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted())
  expect(entries[1]?.where).toMatch(/^op_/)
})

test('timeline giftcard marks a redemption with an unknown outcome as odd and names the command that resolves it', async () => {
  const known = await startTimelineVenue(till)
  known.cards = [card()]
  expect(await write(known, 'giftcards', 'redeem', CARD, '--amount', '13', '--retries', '0')).toMatchObject({ code: 9 })
  const entries = await known.entries('giftcard', CARD)
  const [open] = entries.filter(({ kind }) => kind === 'operation')
  expect(open?.oddity).toBe(`outcome unknown: partner operations resolve ${open?.where}`)
  expect(entries.filter(({ kind }) => kind === 'outcome')).toEqual([])
})

test('timeline giftcard marks a redemption as odd if it repeats an amount within minutes or follows a cancellation', async () => {
  const known = await startTimelineVenue(till)
  known.cards = [card()]
  for (const line of [
    ['redeem', CARD, '--amount', '10'],
    ['redeem', CARD, '--amount', '10'],
    ['cancel', CARD, '--yes'],
  ])
    expect(await write(known, 'giftcards', ...line)).toMatchObject({ code: 0 })
  expect(await write(known, 'giftcards', 'redeem', CARD, '--amount', '5')).toMatchObject({ code: 0 })
  expect((await known.entries('giftcard', CARD)).flatMap(({ oddity }) => (oddity === null ? [] : [oddity]))).toEqual([
    expect.stringMatching(/^op_\w+ redeemed the same amount shortly before$/),
    'redeemed after it was cancelled',
    'it is Active, although it was cancelled',
  ])
})

test('timeline giftcard marks a redemption event as odd if it arrived after a cancellation event', async () => {
  const known = await startTimelineVenue()
  known.cards = [card({ status: 'Cancelled' })]
  const journal = known.file('hooks.ndjson', [
    delivered('GIFTCARDS_CANCELLED', CARD, '2026-11-05T00:00:00Z'),
    delivered('GIFTCARDS_REDEEMED', CARD, '2026-11-06T00:00:00Z'),
  ])
  expect((await known.entries('giftcard', CARD, '--journal', journal)).map(({ oddity }) => oddity)).toEqual([
    ...[null, null, 'redeemed after it was cancelled, judging by the order in which events arrived', null, null],
  ])
})

test.each([
  [{ remainingAmount: 120 }, 'its balance exceeds its original amount'],
  [{ status: 'Redeemed' }, 'it is Redeemed, but has a balance'],
  [{ remainingAmount: 0 }, 'it is Active, but has no balance'],
  [{ expiryDate: '2026-11-02T00:00:00Z' }, 'it is Active, but has expired'],
  [{ status: 'Expired' }, 'it is Expired before its expiry date'],
])('timeline giftcard marks a card with %j as odd: %s', async (more, oddity) => {
  const known = await startTimelineVenue()
  known.cards = [card(more)]
  expect((await known.entries('giftcard', CARD)).find(({ kind }) => kind === 'state')?.oddity).toBe(oddity)
})

test('timeline giftcard shows what changed between snapshots and when the previous snapshot was taken', async () => {
  const known = await startTimelineVenue(({ target }) =>
    target.startsWith('/GiftCards?')
      ? answers(200, { from: 0, to: 1, length: 1, items: /StartIndex=0/.test(target) ? known.cards : [] })
      : undefined,
  )
  const changes = [{ remainingAmount: 40 }, { remainingAmount: 40, status: 'Cancelled' }, { remainingAmount: 10 }]
  for (const more of [{}, ...changes]) {
    known.cards = [card(more)]
    const sync = ['giftcards', 'sync', '--to', 'cards.db', '--source', 'city']
    expect(await runPartner(sync, { env: known.env, cwd: known.directory })).toMatchObject({ code: 0 })
  }
  const entries = await known.entries('giftcard', CARD, '--copy', 'cards.db', '--source', 'city')
  const found = entries.filter(({ where, text }) => where === 'cards.db' && !text.startsWith('state in the copy'))
  expect(found.map(({ text, oddity }) => [text.replace(/ \(since .*Z\)$/, ''), oddity])).toEqual([
    ['balance 100.00 → 40.00', null],
    ['status Active → Cancelled', null],
    [
      'status Cancelled → Active; balance 40.00 → 10.00',
      'the status went back to Active; redeemed after it was cancelled',
    ],
  ])
})

test('timeline giftcard exits with code 3 for an unknown card and with code 2 for an invalid card number', async () => {
  const known = await startTimelineVenue()
  await refused(known.run('giftcard', CARD), 3, `Gift card '${CARD}' not found.`, 'check the number')
  expectRefusal(await known.run('giftcard', 'GIFT1'), { code: 2, says: 'is not a gift card number' })
})
