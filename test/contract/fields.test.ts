import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as bookings from '../../src/contract/bookings/booking.ts'
import { reservationRequest, reservationResponse } from '../../src/contract/bookings/reservations.ts'
import { bookingStatus } from '../../src/contract/bookings/statuses.ts'
import * as customers from '../../src/contract/customers.ts'
import { ENDPOINTS, type EndpointId } from '../../src/contract/endpoints.ts'
import { giftCard, redeemRequest, redeemResult } from '../../src/contract/giftcards.ts'
import { problemDetails } from '../../src/contract/shapes/problem.ts'
import type { Schema } from '../../src/contract/shapes/schema.ts'
import { subscriptionResult } from '../../src/contract/webhooks.ts'
import { RULES } from '../sandbox/model/rules/endpoints.ts'

/** The fields of each object, copied from the tables in the specification. */
const FIELDS: Readonly<Record<string, readonly [schema: Schema, fields: string]>> = {
  Booking: [
    bookings.booking,
    'bookingId locationId method bookedAt bookingTime duration people serviceId serviceName serviceType lastModifiedDate notes customer tables tags status paymentSummary items',
  ],
  Customer: [
    customers.customer,
    'id firstName lastName company email phone phoneNational phone2 address birthdayDate birthdayMonth birthdayYear notes noShowCount tags subscribed lastModifiedDate',
  ],
  Address: [customers.address, 'line1 line2 city state postalCode country'],
  'Customer tag': [customers.customerTag, 'id identifier name'],
  'Booking table': [bookings.bookingTable, 'tableId tableName sectionId sectionName'],
  Tag: [bookings.tag, 'tagType name'],
  'Booking status': [bookingStatus, 'statusType code name'],
  'Payment summary': [
    bookings.paymentSummary,
    'paymentType amount amountDue amountPaid transactionId currencyCode paymentDate',
  ],
  'Order item': [bookings.orderItem, 'name label paymentType price quantity extras'],
  'Extra order item': [bookings.extraOrderItem, 'name label price quantity paymentType'],
  'Problem details': [problemDetails, 'type title detail instance status errors'],
  'Gift card': [
    giftCard,
    'cardNumber issuedDate expiryDate amount remainingAmount status paymentType cardFormat experienceCardName experienceCardDetails purchaserFirstName purchaserLastName purchaserEmail recipientFirstName recipientLastName recipientEmail',
  ],
  'Reservation request': [
    reservationRequest,
    'numOfPeople serviceId sectionId customer bookingTimeAsUtc time status bookingId notes duration staffId staffName tables links',
  ],
  'Reservation response': [
    reservationResponse,
    'bookingId time numOfPeople bookingStatus duration tableNames serviceId serviceName sectionId isSuccess errorMessage',
  ],
  'Redemption request': [redeemRequest, 'cardNumber amount issuedToEmail notes'],
  'Redemption response': [redeemResult, 'cardNumber amountRedeemed status isSuccess errorMessage'],
  'Webhook subscription': [subscriptionResult, 'event webhookUrl locationId errorMessage'],
}

const NAMED = Object.entries(FIELDS).map(([name, [schema, fields]]) => ({ name, schema, fields: fields.split(' ') }))

describe('objects in the specification', () => {
  test.each(NAMED)('the $name schema has exactly the documented fields', ({ schema, fields }) => {
    expect(Object.keys((schema(z) as z.ZodObject).shape).sort()).toEqual([...fields].sort())
  })

  test.each(NAMED.filter(({ name }) => !name.endsWith('request')))(
    'the $name schema accepts fields that are null or absent, and undocumented members',
    ({ schema, fields }) => {
      const empty = Object.fromEntries(fields.map((field) => [field, null]))
      for (const value of [empty, {}, { ...empty, somethingNew: { a: [1] } }])
        expect(schema(z).parse(value)).toEqual(value)
    },
  )
})

describe('endpoints in the specification', () => {
  test.each(Object.entries(ENDPOINTS))('the %s endpoint has the documented method and path', (id, endpoint) => {
    const { method, path } = RULES[id as EndpointId]
    expect(`${endpoint.method} ${endpoint.path}`).toBe(`${method} ${path}`)
  })

  test('an endpoint is marked as documented only if the specification describes its request and response', () => {
    const documented = Object.values(ENDPOINTS).filter(({ standing }) => standing === 'documented')
    expect(documented.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /Bookings/{id}',
      'GET /GiftCards/{cardNumber}',
      'GET /Resources/booking-statuses',
      'PATCH /GiftCards/cancel',
      'POST /GiftCards/redeem',
      'POST /Reservations',
      'POST /Webhooks',
    ])
  })

  test('API-key endpoints are marked as reads only if they use GET, and writes that move money are marked as such', () => {
    for (const { method, write, auth } of Object.values(ENDPOINTS))
      if (auth === 'api-key') expect(write === 'none').toBe(method === 'GET')
    for (const id of ['giftcards.redeem', 'giftcards.cancel', 'sales.create', 'inbound.redeem'] as const)
      expect(ENDPOINTS[id].write).toBe('money')
    expect(ENDPOINTS['reservations.create'].write).toBe('once')
  })
})

describe('valid and invalid reservation requests', () => {
  const whole = {
    numOfPeople: 1,
    serviceId: 's',
    sectionId: 't',
    customer: { firstName: 'a', lastName: 'b', phone: 'c' },
    bookingTimeAsUtc: '2026-12-24T08:00:00Z',
  }
  const accepts = (other: object) => reservationRequest(z).safeParse({ ...whole, ...other }).success

  test('a reservation request may be for 1 to 2147483647 people', () => {
    expect([1, 2_147_483_647].map((numOfPeople) => accepts({ numOfPeople }))).toEqual([true, true])
    expect([0, -1, 2_147_483_648, 1.5, '2', null].some((numOfPeople) => accepts({ numOfPeople }))).toBe(false)
  })

  test('a reservation request accepts times only in the documented forms', () => {
    expect(accepts({ time: '2026-12-24 19:00' })).toBe(true)
    expect(['2026-12-24T19:00', '2026-12-24 7:00', '24/12/2026'].some((time) => accepts({ time }))).toBe(false)
    for (const bookingTimeAsUtc of ['2026-12-24T08:00:00', '2026-12-24 08:00:00Z', '2026-12-24T08:00:00.000Z'])
      expect(accepts({ bookingTimeAsUtc })).toBe(false)
  })

  test('a reservation request must have a service, a section, and a guest with a name and phone number', () => {
    for (const member of ['serviceId', 'sectionId', 'customer', 'numOfPeople'])
      expect(accepts({ [member]: undefined })).toBe(false)
    for (const member of ['firstName', 'lastName', 'phone'])
      expect(accepts({ customer: { ...whole.customer, [member]: undefined } })).toBe(false)
  })
})
