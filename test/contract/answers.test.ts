import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { SEED_CARDS } from '../../src/sandbox/seed/cards.ts'
import { startSandbox } from '../../src/studio/start.ts'
import { IN_A_WEEK } from '../support/dates.ts'

const sandbox = await startSandbox({ data: ':memory:' })
afterAll(() => sandbox.close())

/** Sends a request to the sandbox and checks that the response follows the contract. */
async function answerOf<T>(endpoint: Endpoint, target: string, body?: unknown): Promise<{ status: number; value: T }> {
  const reply = await fetch(sandbox.baseUrl + target, {
    method: endpoint.method,
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(10_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const schema = endpoint.responses[reply.status]
  if (!schema) throw new Error(`${endpoint.id} does not document ${reply.status}: ${text}`)
  const value = text === '' ? undefined : JSON.parse(text)
  schema(z).parse(value)
  return { status: reply.status, value: value as T }
}

const membersOf = (value: object | null | undefined) => Object.keys(value ?? {})

const FAR = { from: new Date(Date.now() - 60 * 86_400_000), to: new Date(Date.now() + 60 * 86_400_000) }
const BOOKING_MEMBERS = membersOf((ENDPOINTS['bookings.get'].responses[200](z) as z.ZodObject).shape)

describe("the sandbox's responses", () => {
  test('GET /Bookings in the sandbox returns exactly the documented members, with and without customers', async () => {
    const range = `StartDate=${FAR.from.toISOString()}&EndDate=${FAR.to.toISOString()}`
    for (const more of ['', '&IncludeCustomerDetails=true']) {
      const { value } = await answerOf<{ count: number; bookings: object[] }>(
        ENDPOINTS['bookings.list'],
        `/Bookings?${range}${more}`,
      )
      expect(value.count).toBe(value.bookings.length)
      expect(value.count).toBeGreaterThan(300)
      for (const booking of value.bookings)
        expect(membersOf(booking).sort()).toEqual(
          BOOKING_MEMBERS.filter((member) => more !== '' || member !== 'customer').sort(),
        )
    }
  })

  test('GET /Bookings/{id} in the sandbox returns exactly the documented members', async () => {
    const range = `StartDate=${FAR.from.toISOString()}&EndDate=${FAR.to.toISOString()}`
    const { bookings } = (
      await answerOf<{ bookings: { bookingId: string }[] }>(ENDPOINTS['bookings.list'], `/Bookings?${range}`)
    ).value
    for (const { bookingId } of bookings.filter((_booking, at) => at % 40 === 0)) {
      const { value } = await answerOf<object>(ENDPOINTS['bookings.get'], `/Bookings/${bookingId}`)
      expect(membersOf(value)).toEqual(BOOKING_MEMBERS)
    }
  })

  test('GET /Resources/booking-statuses in the sandbox returns the standard codes and one custom code', async () => {
    const { value } = await answerOf<{ code: string }[]>(ENDPOINTS['bookings.statuses'], '/Resources/booking-statuses')
    const codes = value.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(['CONFIRMED', 'ARRIVED', 'SEATED', 'CANCELLED']))
    expect(codes.some((code) => !/^[A-Z]+$/.test(code))).toBe(true)
  })

  test('GET /Bookings/schedule in the sandbox returns services that follow the contract', async () => {
    const query = `BookingDateTimeStart=${IN_A_WEEK}T00:00:00.000Z&NumOfPeople=2`
    const { value } = await answerOf<unknown[]>(ENDPOINTS['bookings.schedule'], `/Bookings/schedule?${query}`)
    expect(value.length).toBeGreaterThan(0)
  })

  test('POST /Reservations in the sandbox returns 201, and the status Unconfirmed unless another status is requested', async () => {
    const request = {
      numOfPeople: 2,
      serviceId: 'svc-dinner',
      sectionId: 'sec-terrace',
      customer: { firstName: 'Ada', lastName: 'Ng', phone: '+61 400 000 000' },
      bookingTimeAsUtc: `${IN_A_WEEK}T08:00:00Z`,
    }
    const made = await answerOf<object>(ENDPOINTS['reservations.create'], '/Reservations', request)
    const value = { isSuccess: true, bookingStatus: 'Unconfirmed', numOfPeople: 2 }
    expect(made).toMatchObject({ status: 201, value })
    const confirmed = { ...request, status: 'CONFIRMED' }
    const other = await answerOf<object>(ENDPOINTS['reservations.create'], '/Reservations', confirmed)
    expect(other.value).toMatchObject({ bookingStatus: 'CONFIRMED' })
    expect(membersOf(made.value).sort()).toEqual(
      membersOf((ENDPOINTS['reservations.create'].responses[201](z) as z.ZodObject).shape).sort(),
    )
  })

  test('GET /GiftCards/{cardNumber} in the sandbox returns gift cards of every status and format', async () => {
    for (const { number } of SEED_CARDS) {
      const { value } = await answerOf<object>(ENDPOINTS['giftcards.get'], `/GiftCards/${number}`)
      expect(membersOf(value)).toEqual(membersOf((ENDPOINTS['giftcards.get'].responses[200](z) as z.ZodObject).shape))
    }
    expect(new Set(SEED_CARDS.map(({ status }) => status)).size).toBe(6)
    expect(new Set(SEED_CARDS.map(({ cardFormat }) => cardFormat)).size).toBe(5)
  })

  test('POST /GiftCards/redeem in the sandbox returns the correct status for partial, full and failed redemptions', async () => {
    const cardNumber = 'GIFT3-00003333-AAAA'
    const redeem = async (amount: number) => {
      const answer = await answerOf<object>(ENDPOINTS['giftcards.redeem'], '/GiftCards/redeem', { cardNumber, amount })
      expect(answer.status).toBe(200)
      return answer.value
    }
    expect(await redeem(33.32)).toMatchObject({ amountRedeemed: 33.32, status: 'Active', isSuccess: true })
    expect(await redeem(0.01)).toMatchObject({ amountRedeemed: 0.01, status: 'Redeemed', isSuccess: true })
    const failed = { amountRedeemed: 0, status: 'Error', isSuccess: false, errorMessage: expect.stringMatching(/\S/) }
    expect(await redeem(0.01)).toMatchObject(failed)
  })

  test('PATCH /GiftCards/cancel in the sandbox returns 200 the first time and 304 the second time', async () => {
    const card = { cardNumber: 'GIFT2-00005025-AAAA' }
    const cancel = () => answerOf(ENDPOINTS['giftcards.cancel'], '/GiftCards/cancel', card)
    expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 304])
  })
})
