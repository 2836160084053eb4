import { describe, expect } from 'vitest'
import { reportedError } from '../support/refusal.ts'
import { CARD, COMMAND_LINES, openShop, type Shop, test } from './cashier.ts'
import type { Fault } from './commit-server.ts'

const REDEEMS = ['giftcards redeem', 'inbound redeem'] as const
const refused = (status: number, body: unknown): Fault => ({ kind: 'refused', status, body })
const OTHER_CARD = 'OTHER-00000000-CARD'
const DOCUMENTED = refused(500, { message: 'Failed to retrieve card details.' })

/** Opens a shop. For each write, its service first calls `work` with the card, and then injects the test's fault. */
function shopThatDoes(work: (card: Card) => void): Promise<Shop> {
  const opening: Promise<Shop> = openShop(() => {
    void opening.then(({ server }) => {
      const card = server.cards.get(CARD)
      if (card) work(card)
    })
  })
  return opening
}

async function expectUnknown(shop: Shop, args: readonly string[]): Promise<void> {
  const run = await shop.run(...args)
  expect(reportedError(run), run.stderr).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
  expect(await shop.operations()).toMatchObject([{ state: 'open' }])
}

type Card = { cents: bigint; status: string }

/**
 * Runs a write to which the service responds with "Failed to retrieve card details.". `work` can change the card
 * before the response.
 */
async function runWithFailedDetails(args: readonly string[], work?: (card: Card) => void) {
  const shop = await (work === undefined ? openShop() : shopThatDoes(work))
  shop.server.setFaults('write', CARD, [DOCUMENTED])
  return { shop, run: await shop.run(...args) }
}

describe('money writes with the response "Failed to retrieve card details."', () => {
  const REDEEM = COMMAND_LINES['giftcards redeem']
  const CANCEL = COMMAND_LINES['giftcards cancel']

  test.each([
    ['giftcards redeem', REDEEM],
    ['giftcards cancel', CANCEL],
  ])('%s exits with code 8 after "Failed to retrieve card details." if the card is unchanged', async (_what, args) => {
    const { shop, run } = await runWithFailedDetails(args)
    expect(reportedError(run)).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    expect(await shop.operations()).toEqual([])
    expect((await shop.run(...args)).code).toBe(0)
  })

  test('giftcards redeem succeeds despite "Failed to retrieve card details." if the balance fell by the amount', async () => {
    const { shop, run } = await runWithFailedDetails(REDEEM, (card) =>
      Object.assign(card, { cents: card.cents - 2500n }),
    )
    const stderr = expect.stringContaining('"Failed to retrieve card details.", but the card was redeemed')
    expect(run).toMatchObject({ code: 0, stderr })
    expect(JSON.parse(run.stdout)).toMatchObject({ isSuccess: true, amountRedeemed: 25 })
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
  })

  test('giftcards cancel succeeds despite "Failed to retrieve card details." if the card is cancelled', async () => {
    const { run } = await runWithFailedDetails(CANCEL, (card) => Object.assign(card, { status: 'Cancelled' }))
    expect(run).toMatchObject({ code: 0, stdout: `{"cardNumber":"${CARD}","status":"Cancelled","changed":true}\n` })
    expect(run.stderr).toContain('but the card was cancelled')
  })

  test.each<[string, readonly string[], (card: Card) => void]>([
    ['redemption is unknown if the balance is unexpected', REDEEM, (card) => Object.assign(card, { cents: 7000n })],
    ['cancellation is unknown if the card expired', CANCEL, (card) => Object.assign(card, { status: 'Expired' })],
  ])('after "Failed to retrieve card details.", the outcome of a %s', async (_what, args, work) => {
    const shop = await shopThatDoes(work)
    shop.server.setFaults('write', CARD, [DOCUMENTED])
    await expectUnknown(shop, args)
  })

  test('giftcards redeem exits with code 9 after "Failed to retrieve card details." if the balance cannot be read', async () => {
    const unread = await openShop(() => unread.server.setFaults('read', CARD, [refused(404, { message: 'gone' })]))
    unread.server.setFaults('write', CARD, [DOCUMENTED])
    await expectUnknown(unread, REDEEM)
  })
})

describe.each(REDEEMS)('%s with an untrustworthy response', (command) => {
  const lines = COMMAND_LINES[command]
  const doubtful: Readonly<Record<string, unknown>> = {
    'a failure with a redeemed amount': { isSuccess: false, amountRedeemed: 25, status: 'Error' },
    'a failure with the status of a success': { isSuccess: false, amountRedeemed: 0, status: 'Active' },
    'a success without an amount': { isSuccess: true, status: 'Active' },
    'a success for another card': { isSuccess: true, amountRedeemed: 25, status: 'Active', cardNumber: OTHER_CARD },
    'the card itself, as in the response to a card read': {
      cardNumber: CARD,
      remainingAmount: 100,
      status: 'Active',
      isSuccess: true,
    },
  }

  test.each(Object.entries(doubtful))(`${command} exits with code 9 if the response is %s`, async (_name, body) => {
    const shop = await openShop()
    shop.server.setFaults('write', CARD, [refused(200, body)])
    await expectUnknown(shop, lines)
  })

  test(`${command} exits with code 10 if the response reports a failure and nothing was redeemed`, async ({ shop }) => {
    const body = { isSuccess: false, amountRedeemed: 0, status: 'Error', errorMessage: 'The card is redeemed.' }
    shop.server.setFaults('write', CARD, [refused(200, body)])
    expect(reportedError(await shop.run(...lines))).toMatchObject({ exitCode: 10, outcome: 'not-applied' })
    expect(await shop.operations()).toEqual([])
  })
})

test('giftcards cancel exits with code 9 if a 200 response describes a card that is still active', async ({ shop }) => {
  shop.server.setFaults('write', CARD, [refused(200, { cardNumber: CARD, remainingAmount: 100, status: 'Active' })])
  await expectUnknown(shop, COMMAND_LINES['giftcards cancel'])
})

const BODIES = ['', '{}', '{"status":"Cancelled"}']
test.each(BODIES)('giftcards cancel succeeds if the body of the 200 response is %j', async (body) => {
  const shop = await openShop()
  shop.server.setFaults('write', CARD, [refused(200, body)])
  expect((await shop.run(...COMMAND_LINES['giftcards cancel'])).code).toBe(0)
})
