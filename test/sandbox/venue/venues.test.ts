import { expect, test } from 'vitest'
import { openState } from '../../../src/sandbox/open-state.ts'
import { DEFAULT_VENUE, type Venue } from '../../../src/sandbox/venue/venue.ts'
import { controlOf, eachAt, freeTime, freshDirectory, freshSandbox, GUEST } from '../fresh-sandbox.ts'

const NEW_YORK: Venue = { id: 'a'.repeat(24), name: 'Pier 9', currency: 'USD', timezone: 'America/New_York' }
const NORTH: Venue = { ...DEFAULT_VENUE, id: 'b'.repeat(24), name: 'Harbour & Vine North' }

async function sandboxOf(...venues: readonly [Venue, ...Venue[]]) {
  const data = freshDirectory()
  const state = openState(data)
  state.store.writeVenues(venues)
  state.close()
  return { data, ...(await freshSandbox({ data })) }
}

test('a venue in New York uses its own time zone, currency and location', async () => {
  const { sandbox, send } = await sandboxOf(NEW_YORK)
  expect(sandbox).toMatchObject({ locationId: NEW_YORK.id, timezone: NEW_YORK.timezone })
  const { body } = await send('POST', '/Bookings', { numOfPeople: 2, time: '2031-07-04 18:00' })
  const booking = await send('GET', `/Bookings/${body.bookingId}`)
  expect(booking.body).toMatchObject({ locationId: NEW_YORK.id, bookingTime: '2031-07-04T18:00:00' })
  const within = '/Bookings?StartDate=2031-07-04T22:00:00.000Z&EndDate=2031-07-04T22:00:00.000Z'
  expect((await send('GET', within)).body).toMatchObject({ count: 1, bookings: [{ bookingId: body.bookingId }] })
  expect((await send('GET', '/Bookings/BK-1004')).body.paymentSummary.currencyCode).toBe('USD')
  const reservation = { numOfPeople: 2, customer: GUEST, ...(await freeTime(send, 2)) }
  expect((await send('POST', '/Reservations', reservation)).status).toBe(201)
})

test("an app with two venues sees both venues' bookings and gift cards and receives events for both", async () => {
  const { data, send } = await sandboxOf(DEFAULT_VENUE, NORTH)
  const state = openState(data)
  const move =
    "UPDATE bookings SET location = ?, document = json_set(document, '$.locationId', ?) WHERE id = 'BK-OTHER'"
  state.store.run(move, NORTH.id, NORTH.id)
  state.store.run('UPDATE gift_cards SET location = ? WHERE number = ?', NORTH.id, 'OTHER-00000000-VVVV')
  state.close()
  for (const event of ['BOOKING_UPDATED', 'GIFTCARDS_REDEEMED'])
    await send('POST', '/Webhooks', { event, webhookUrl: 'http://127.0.0.1:9/' })
  expect(eachAt((await send('GET', '/Webhooks')).body, 'locationId')).toEqual([DEFAULT_VENUE.id, DEFAULT_VENUE.id])
  expect((await send('GET', '/Bookings/BK-OTHER')).body).toMatchObject({ locationId: NORTH.id })
  expect((await send('PATCH', '/Bookings/BK-OTHER/updatepax', { pax: 3 })).status).toBe(200)
  const redeem = { cardNumber: 'OTHER-00000000-VVVV', amount: 1 }
  expect((await send('POST', '/GiftCards/redeem', redeem)).body.isSuccess).toBe(true)
  const control = controlOf(data)
  expect((await control.listVenues()).map(({ id }) => id)).toEqual([DEFAULT_VENUE.id, NORTH.id])
  const subjects = (await control.listDeliveries()).map(({ event, subject }) => `${event} ${subject}`)
  expect(subjects).toEqual(['BOOKING_UPDATED BK-OTHER', 'GIFTCARDS_REDEEMED OTHER-00000000-VVVV'])
  await send('DELETE', '/Webhooks/BOOKING_UPDATED')
  expect((await control.listDeliveries())[0]).toMatchObject({ state: 'dropped' })
})
