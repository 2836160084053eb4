import { expect } from 'vitest'
import { OTHER_VENUE_CARD, SEED_CARDS } from '../../../src/sandbox/seed/cards.ts'
import { answerOf, refusalOf, test } from '../fresh-sandbox.ts'

const FULL = 'GIFT1-00000100-AAAA'

test('redeeming part of a gift card leaves the exact remainder, to the cent', async ({ send }) => {
  const body = { cardNumber: FULL, amountRedeemed: 33.33, status: 'Active', isSuccess: true, errorMessage: '' }
  expect(await answerOf(send('POST', '/GiftCards/redeem', { cardNumber: FULL, amount: 33.33 }))).toEqual([200, body])
  expect((await send('GET', `/GiftCards/${FULL}`)).body).toMatchObject({ amount: 100, remainingAmount: 66.67 })
})

test('a fully redeemed gift card cannot be redeemed again or cancelled', async ({ send }) => {
  const redeem = (amount: number) => send('POST', '/GiftCards/redeem', { cardNumber: FULL, amount })
  expect((await redeem(100)).body.status).toBe('Redeemed')
  expect((await redeem(1)).body).toMatchObject({ isSuccess: false, amountRedeemed: 0, status: 'Error' })
  const message = expect.stringMatching(/fully redeemed and cannot be cancelled/)
  expect(await refusalOf(send('PATCH', '/GiftCards/cancel', { cardNumber: FULL }))).toEqual([400, message])
})

test('redeeming more than the balance returns a 200 with isSuccess false and redeems nothing', async ({ send }) => {
  const reply = await send('POST', '/GiftCards/redeem', { cardNumber: FULL, amount: 100.01 })
  expect([reply.status, reply.body.isSuccess, reply.body.amountRedeemed]).toEqual([200, false, 0])
  expect((await send('GET', `/GiftCards/${FULL}`)).body.remainingAmount).toBe(100)
})

test.for(['0', '-5', '0.001', '1e-3', '-0.00'])(
  'redeeming %s is rejected with a 400 that mentions the amount',
  async (amount, { send }) => {
    const sent = send('POST', '/GiftCards/redeem', `{"cardNumber":"${FULL}","amount":${amount}}`)
    expect(await answerOf(sent)).toEqual([400, { message: `Invalid redeem amount '${amount}' for card '${FULL}'.` }])
  },
)

test('a redemption is rejected if a field is missing or has the wrong type, and the response names the field', async ({
  send,
}) => {
  const message = async (body: object) => (await send('POST', '/GiftCards/redeem', body)).body.message
  expect(await message({ amount: 5 })).toBe('cardNumber is required')
  expect(await message({ cardNumber: FULL, amount: null })).toBe('amount is required')
  const typed = await send('POST', '/GiftCards/redeem', { cardNumber: FULL, amount: '5' })
  expect([typed.status, Object.keys(typed.body.errors)]).toEqual([400, ['amount']])
})

test('cancelling a gift card keeps its balance, and cancelling it again returns a 304 without a body', async ({
  send,
}) => {
  const cancel = () => send('PATCH', '/GiftCards/cancel', { cardNumber: FULL })
  expect((await cancel()).status).toBe(200)
  expect(await cancel()).toMatchObject({ status: 304, text: '' })
  expect((await send('GET', `/GiftCards/${FULL}`)).body).toMatchObject({ status: 'Cancelled', remainingAmount: 100 })
})

test("an unknown gift card and another venue's gift card are rejected with different 404 messages", async ({
  send,
}) => {
  const refused = (number: string) => refusalOf(send('GET', `/GiftCards/${number}`))
  const elsewhere = `No gift card with number '${OTHER_VENUE_CARD}' exists for this venue.`
  expect(await refused('AAAAA-00000000-ZZZZ')).toEqual([404, "Gift card 'AAAAA-00000000-ZZZZ' not found."])
  expect(await refused(OTHER_VENUE_CARD)).toEqual([404, elsewhere])
  const body = { cardNumber: OTHER_VENUE_CARD, amount: 1 }
  expect((await send('POST', '/GiftCards/redeem', body)).status).toBe(404)
  expect((await send('PATCH', '/GiftCards/cancel', body)).status).toBe(404)
})

test('every seeded gift card has the expected state, and only active cards can be redeemed', async ({ send }) => {
  for (const card of SEED_CARDS) {
    const { status, cardFormat } = card
    const shown = { status, cardFormat, remainingAmount: card.remainingCents / 100 }
    expect((await send('GET', `/GiftCards/${card.number}`)).body).toMatchObject(shown)
    const redeemed = await send('POST', '/GiftCards/redeem', { cardNumber: card.number, amount: 0.01 })
    expect([redeemed.status, redeemed.body.isSuccess]).toEqual([200, card.status === 'Active'])
  }
})

test("a redemption fails if issuedToEmail and the holder's address differ in more than case", async ({ send }) => {
  const redeem = (issuedToEmail: string) =>
    send('POST', '/GiftCards/redeem', { cardNumber: FULL, amount: 1, issuedToEmail })
  expect((await redeem('nobody@example.com')).body.isSuccess).toBe(false)
  expect((await redeem('GUEST1@example.com')).body.isSuccess).toBe(true)
})

test('exactly 10 of 50 simultaneous redemptions of 10.00 from a balance of 100.00 succeed', async ({ send }) => {
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => send('POST', '/GiftCards/redeem', { cardNumber: FULL, amount: 10 })),
  )
  expect(replies.filter((reply) => reply.body.isSuccess)).toHaveLength(10)
  expect((await send('GET', `/GiftCards/${FULL}`)).body).toMatchObject({ status: 'Redeemed', remainingAmount: 0 })
})

test.for(['1e16', '9999999999999999.99', '1234567890123456789012345678', '7e28'])(
  'redeeming the huge amount %s fails because it exceeds the balance',
  async (amount, { send }) => {
    const sent = send('POST', '/GiftCards/redeem', `{"cardNumber":"${FULL}","amount":${amount}}`)
    expect(await answerOf(sent)).toMatchObject([200, { amountRedeemed: 0, status: 'Error', isSuccess: false }])
  },
)
