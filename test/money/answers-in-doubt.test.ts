import { describe, expect, test } from 'vitest'
import { reportedError } from '../support/refusal.ts'
import { CARD, COMMAND_LINES, openShop, type Shop } from './cashier.ts'
import type { Fault } from './commit-server.ts'

const REDEEMS = ['giftcards redeem', 'inbound redeem'] as const
const refused = (status: number, body: unknown): Fault => ({ kind: 'refused', status, body })
const DOCUMENTED = refused(500, { message: 'Failed to retrieve card details.' })

/** A shop whose service does what it is asked, and then answers with the fault that it was told. */
function shopThatDoes(work: (card: { cents: bigint; status: string }) => void): Promise<Shop> {
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

describe('"Failed to retrieve card details." to a redeem', () => {
  const REDEEM = COMMAND_LINES['giftcards redeem']

  test('is a failure, exit 8, when the balance is as before', async () => {
    const shop = await openShop()
    shop.server.faults('write', CARD, [DOCUMENTED])
    expect(reportedError(await shop.run(...REDEEM))).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    expect(await shop.operations()).toEqual([])
    expect((await shop.run(...REDEEM)).code).toBe(0)
  })

  test('is a success when the balance went down by the amount', async () => {
    const shop = await shopThatDoes((card) => {
      card.cents -= 2500n
    })
    shop.server.faults('write', CARD, [DOCUMENTED])
    const run = await shop.run(...REDEEM)
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('"Failed to retrieve card details.", but the card was redeemed')
    expect(JSON.parse(run.stdout)).toMatchObject({ isSuccess: true, amountRedeemed: 25 })
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
  })

  test('is unknown when the balance went elsewhere, or cannot be read', async () => {
    const elsewhere = await shopThatDoes((card) => {
      card.cents -= 3000n
    })
    elsewhere.server.faults('write', CARD, [DOCUMENTED])
    await expectUnknown(elsewhere, REDEEM)
    const unread = await openShop(() => unread.server.faults('read', CARD, [refused(404, { message: 'gone' })]))
    unread.server.faults('write', CARD, [DOCUMENTED])
    await expectUnknown(unread, REDEEM)
  })
})

describe('"Failed to retrieve card details." to a cancellation', () => {
  const CANCEL = COMMAND_LINES['giftcards cancel']

  test('is a failure, exit 8, when the card is still active', async () => {
    const shop = await openShop()
    shop.server.faults('write', CARD, [DOCUMENTED])
    expect(reportedError(await shop.run(...CANCEL))).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
    expect(await shop.operations()).toEqual([])
  })

  test('is a success when the card is cancelled', async () => {
    const shop = await shopThatDoes((card) => {
      card.status = 'Cancelled'
    })
    shop.server.faults('write', CARD, [DOCUMENTED])
    const run = await shop.run(...CANCEL)
    expect(run).toMatchObject({ code: 0, stdout: `{"cardNumber":"${CARD}","status":"Cancelled","changed":true}\n` })
    expect(run.stderr).toContain('but the card was cancelled')
  })

  test('is unknown when the card became something else meanwhile', async () => {
    const shop = await shopThatDoes((card) => {
      card.status = 'Expired'
    })
    shop.server.faults('write', CARD, [DOCUMENTED])
    await expectUnknown(shop, CANCEL)
  })
})

describe.each(REDEEMS)('%s', (command) => {
  const lines = COMMAND_LINES[command]
  const doubtful: Readonly<Record<string, unknown>> = {
    'a failure that took something': { isSuccess: false, amountRedeemed: 25, status: 'Error' },
    'a failure with a status of success': { isSuccess: false, amountRedeemed: 0, status: 'Active' },
    'a success that does not say how much': { isSuccess: true, status: 'Active' },
    'a success of another card': {
      isSuccess: true,
      amountRedeemed: 25,
      status: 'Active',
      cardNumber: 'OTHER-00000000-CARD',
    },
    'the card, as a reading answers': { cardNumber: CARD, remainingAmount: 100, status: 'Active', isSuccess: true },
  }

  test.each(Object.entries(doubtful))('does not believe %s', async (_name, body) => {
    const shop = await openShop()
    shop.server.faults('write', CARD, [refused(200, body)])
    await expectUnknown(shop, lines)
  })

  test('believes a failure that took nothing', async () => {
    const shop = await openShop()
    const body = { isSuccess: false, amountRedeemed: 0, status: 'Error', errorMessage: 'The card is redeemed.' }
    shop.server.faults('write', CARD, [refused(200, body)])
    expect(reportedError(await shop.run(...lines))).toMatchObject({ exitCode: 10, outcome: 'not-applied' })
    expect(await shop.operations()).toEqual([])
  })
})

test('a cancellation does not believe a success whose body is of a card that is active', async () => {
  const shop = await openShop()
  shop.server.faults('write', CARD, [refused(200, { cardNumber: CARD, remainingAmount: 100, status: 'Active' })])
  await expectUnknown(shop, COMMAND_LINES['giftcards cancel'])
})

test.each(['', '{}', '{"status":"Cancelled"}'])(
  'a cancellation is done by its status: the body is %j',
  async (body) => {
    const shop = await openShop()
    shop.server.faults('write', CARD, [refused(200, body)])
    expect((await shop.run(...COMMAND_LINES['giftcards cancel'])).code).toBe(0)
  },
)
