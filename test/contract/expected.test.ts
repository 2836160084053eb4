import { expect, test } from 'vitest'
import { type Expected, getExpectedAnswers } from '../../src/contract/shapes/expected.ts'

/** The paths of the members that are never null, according to the tables in the specification. */
const NEVER_NULL: Readonly<Record<string, string>> = {
  'bookings.get':
    'duration people customer customer.subscribed tables tags status paymentSummary paymentSummary.amount paymentSummary.amountDue paymentSummary.amountPaid items items[].price items[].quantity items[].extras[].price items[].extras[].quantity',
  'giftcards.get':
    'cardNumber issuedDate expiryDate amount remainingAmount status paymentType cardFormat experienceCardName experienceCardDetails purchaserFirstName purchaserLastName purchaserEmail recipientFirstName recipientLastName recipientEmail',
  'bookings.statuses': '',
  'giftcards.redeem': 'cardNumber amountRedeemed status isSuccess',
  'reservations.create':
    'bookingId time numOfPeople bookingStatus duration tableNames serviceId serviceName sectionId isSuccess',
  'webhooks.create': 'event webhookUrl locationId',
}

const zoned = (...paths: readonly string[]) => paths.map((path) => `${path}: time with a zone`)
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'bookings.get': [
    'bookedAt: time in UTC',
    'bookingTime: time without a zone',
    'paymentSummary.currencyCode: currency code of three capital letters',
    ...zoned('lastModifiedDate', 'customer.lastModifiedDate', 'paymentSummary.paymentDate'),
  ],
  'giftcards.get': ['cardNumber: card number in upper case', ...zoned('issuedDate', 'expiryDate')],
}

function* placesOf({ members, item }: Expected, path = ''): Generator<readonly [path: string, expected: Expected]> {
  for (const [name, member] of members ?? []) {
    const at = path === '' ? name : `${path}.${name}`
    yield [at, member]
    yield* placesOf(member, at)
  }
  if (item) yield* placesOf(item, `${path}[]`)
}

const ANSWERS = new Map((await getExpectedAnswers()).map((answer) => [answer.id as string, answer]))

function placesIn(id: string) {
  const answer = ANSWERS.get(id)
  if (!answer) throw new Error(`there is no ${id}`)
  return [...placesOf(answer.expected)]
}

test.each(Object.entries(NEVER_NULL))(
  'the response of %s requires exactly the members that the specification does not call nullable',
  (id, paths) => {
    const found = placesIn(id).filter(([, { always }]) => always)
    expect(found.map(([path]) => path).sort()).toEqual(paths.split(' ').filter(Boolean).sort())
  },
)

test.each(Object.entries(FORMS))(
  'the strings in the response of %s have the formats that the specification states',
  (id, forms) => {
    const found = placesIn(id).flatMap(([path, { form }]) => (form ? [`${path}: ${form.name}`] : []))
    expect(found.sort()).toEqual([...forms].sort())
  },
)

test('if an endpoint is documented or assumed, so is every member of its expected response', () => {
  expect(ANSWERS.size).toBeGreaterThan(15)
  for (const { endpoint, expected } of ANSWERS.values()) {
    const standings = new Set([...placesOf(expected)].map(([, { standing }]) => standing))
    expect([...standings]).toEqual([endpoint.standing])
  }
})
