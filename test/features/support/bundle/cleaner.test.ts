import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/base/json/exact.ts'
import { Cleaner } from '../../../../src/features/support/bundle/cleaning/cleaner.ts'
import { cleanHeaders } from '../../../../src/features/support/bundle/cleaning/headers.ts'
import { OwnText } from '../../../../src/features/support/bundle/cleaning/own-text.ts'
import type { SensitiveData } from '../../../../src/features/support/bundle/cleaning/sensitive-data.ts'
import { cleanBody, cleanEntry } from '../../../../src/features/support/bundle/cleaning/traffic.ts'
import type { HarEntry } from '../../../../src/features/support/bundle/given/har.ts'

/** Cleans a value as `support bundle` does: collects the guest data in the value first and then replaces it. */
function clean(value: JsonValue, cleaner = new Cleaner()) {
  cleaner.learn(value)
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary members of the result
  return cleaner.json(value) as any
}

const GUEST = {
  id: 'C-7',
  firstName: 'Wilhelmina',
  lastName: 'Ångström',
  fullName: 'Wilhelmina Ångström',
  company: 'Angstrom Pty',
  email: 'W.A@mail.example',
  phone: '+61 412 345 678',
  phoneNational: '0412 345 678',
  address: { line1: '1 Crown St', city: 'Sydney' },
  birthdayYear: 1980,
  noShowCount: 2,
  subscribed: true,
  notes: 'allergic to nuts',
  tags: [{ id: 't-1', identifier: 'vip', name: 'Aunt of the owner' }],
}
const DINNER = { serviceName: 'Dinner', serviceId: 'svc-dinner' }

describe('guest data in a support bundle', () => {
  test("the cleaner replaces a guest's data with pseudonyms and drops text that guests or staff wrote", () => {
    const guest = clean(GUEST)
    expect(guest).toMatchObject({
      id: 'C-7',
      company: expect.stringMatching(/^company-\w{12}$/),
      email: expect.stringMatching(/^email-\w{12}$/),
      phone: expect.stringMatching(/^phone-\w{12}$/),
      address: { line1: expect.stringMatching(/^address-/), city: expect.stringMatching(/^address-/) },
      birthdayYear: '[dropped: a number]',
      noShowCount: 2,
      subscribed: true,
      notes: '[dropped: 16 characters]',
      tags: [{ id: 't-1', identifier: '[dropped: 3 characters]', name: '[dropped: 17 characters]' }],
    })
    expect(guest.fullName).toBe(`${guest.firstName} ${guest.lastName}`)
    expect(guest.firstName).toMatch(/^name-(?:[a-z]\d){6}$/)
  })

  test('a string gets the same pseudonym regardless of its case, but a different one in each bundle', () => {
    const cleaner = new Cleaner()
    expect(cleaner.text('email', 'w.a@MAIL.example ')).toBe(cleaner.text('email', GUEST.email))
    expect(cleaner.text('phone', '0412345678')).toBe(cleaner.text('phone', GUEST.phoneNational))
    expect(new Cleaner().text('email', GUEST.email)).not.toBe(cleaner.text('email', GUEST.email))
  })

  test("the cleaner replaces a known guest's data wherever else it occurs", () => {
    const value = {
      customer: GUEST,
      bookingId: 'wilhelmina-2',
      saleId: '0412345678',
      tableName: 'T1 for Wilhelmina Ångström',
      serviceName: 'Call 0412 345 678',
      mobileOfTheGuest: 61412345678,
      Wilhelmina: 1,
      wilhelmina: 1,
    }
    expect(JSON.stringify(clean(value))).not.toMatch(/wilhelmina|ngstr|412/i)
  })

  test("the cleaner keeps a hexadecimal ID, even if its letters spell a guest's name", () => {
    const bookingId = '5f1ada3e9b2c4d0012ab34cd'
    expect(clean({ bookingId, customer: { firstName: 'Ada' } })).toMatchObject({ bookingId })
  })

  test("the cleaner keeps a service's name even if a guest has the same name", () =>
    expect(clean({ ...DINNER, customer: { firstName: 'Dinner', lastName: 'Bar' } })).toMatchObject({
      ...DINNER,
      customer: { firstName: expect.stringMatching(/^name-/) },
    }))
})

test.each<[string, JsonObject, (known: SensitiveData) => void]>([
  [
    'a phone number',
    { saleId: '0412345678', serviceName: 'Call 0412 345 678' },
    (known) => known.learnPhone('+61 412 345 678'),
  ],
  ['a card number', { bookingId: 'OLDCARD77', tableName: 'oldcard77' }, (known) => known.learnCard('Old-Card 77')],
  ['a name', { bookingRef: 'wanda-2', code: 'WANDA', wanda: 1 }, (known) => known.learnName('Wanda')],
  ['a full name', { tableName: 'T1 for Wanda Wu' }, (known) => known.learnName('Wanda Wu')],
  ['a secret', { bookingId: 'key-of-this-test-1' }, (known) => known.learnSecret('key-of-this-test-1')],
])('the cleaner drops text that it kept earlier if %s in the text turns out to be sensitive', (_what, value, learn) => {
  const cleaner = new Cleaner()
  expect(cleaner.json(value)).toEqual(value)
  learn(cleaner.known)
  const cleaned = JSON.stringify(cleaner.json(value))
  for (const [name, text] of Object.entries(value))
    expect(cleaned).not.toContain(typeof text === 'string' ? text : name)
})

test.each<[JsonObject]>([
  [{ bookingId: 'BK-1001', bookedAt: '2026-11-22T10:00:00.000Z', bookingTime: '2026-11-22T19:30:00', people: 2 }],
  [{ status: { statusType: 'standard', code: 'NOSHOW', name: 'Did not come' }, method: 'walkin' }],
  [{ tables: [{ tableId: 'tbl-t1', tableName: 'T1', sectionId: 'sec-1', sectionName: 'The Cellar 酒窖' }] }],
  [{ amount: 100, remainingAmount: 0.1, currencyCode: 'AUD', issuedDate: '2026-01-01', cardFormat: 'EGiftCard' }],
  [{ eventType: 'BOOKING_CREATED', data: { bookingId: 'BK-1', locationId: '5f1d7a3e9b2c4d0012ab34cd' } }],
  [{ message: 'You may only perform this action 10 times every 1000 milliseconds' }],
  [{ message: 'No Venue Subscribed to your App.' }],
  [{ message: "Booking 'BK-9' not found." }],
  [{ message: 'numOfPeople is required' }],
  [{ saleDetail: { transactionId: 'S-1001', total: 12.5, tax: null, status: 'SALE', staffName: '' } }],
])('the cleaner keeps harmless data: %j', (value) => expect(clean(value)).toEqual(value))

test.each<[JsonObject, unknown]>([
  [{ loyaltyTier: 'gold' }, { loyaltyTier: '[dropped: 4 characters]' }],
  [{ message: 'Hello Anna' }, { message: '[dropped: 10 characters]' }],
  [{ message: "Booking 'a@b.test' not found." }, { message: expect.stringMatching(/^Booking 'id-\w+' not found\.$/) }],
  [{ message: 'Anna Smith is required' }, { message: '[dropped: 10 characters] is required' }],
  [{ status: 'she sits at the window' }, { status: '[dropped: 22 characters]' }],
  [{ serviceName: 'Mail us: a@b.example' }, { serviceName: '[dropped: 20 characters]' }],
  [{ bookedAt: 'last Tuesday' }, { bookedAt: '[dropped: 12 characters]' }],
  [{ barcode: 4006381333931 }, { barcode: '[dropped: a number of 13 digits]' }],
  [{ securityKey: 'abc' }, { securityKey: '••••' }],
  [{ errors: { Email: ['Anna is no e-mail'] } }, { errors: { Email: ['[dropped: 17 characters]'] } }],
])('the cleaner drops data that is not known to be harmless: %j', (value, expected) =>
  expect(clean(value)).toEqual(expected),
)

test('the cleaner renames a member whose name looks like text typed by a person', () =>
  expect(Object.keys(clean({ 'Anna Smith': 1, 'a@b.example': 2, Anna: 3, newMember: 4 }))).toEqual([
    expect.stringMatching(/^member-/),
    expect.stringMatching(/^member-/),
    expect.stringMatching(/^member-/),
    'newMember',
  ]))

describe("other spellings of a known guest's data", () => {
  const guest = {
    customer: { firstName: 'Zoë', lastName: "Müller-O'Brien", phone: '+61 412 345 678' },
    card: { cardNumber: 'GIFT1-00000100-AAAA' },
    old: { cardNumber: 'Old-Card 77' },
  }
  const cleanBeside = (value: JsonObject) => {
    const cleaner = new Cleaner()
    cleaner.json(guest)
    return { cleaner, cleaned: cleaner.json(value) }
  }

  test.each<[string, JsonObject]>([
    ['a phone number in its national form', { saleId: '0412345678' }],
    ['a phone number in its national form, with spaces', { serviceName: 'Call 0412 345 678' }],
    ['a phone number without its plus sign', { amount: 61412345678 }],
    ['a phone number with the prefix 00', { bookingRef: '0061412345678' }],
    ['a card number without hyphens', { saleId: 'GIFT100000100AAAA' }],
    ['a card number without hyphens, in lower case, among words', { tableName: 'Card gift100000100aaaa' }],
    ['another card number without hyphens', { tableName: 'oldcard77' }],
    ['a name without accents', { bookingRef: 'zoe-2' }],
    ['a name in the other Unicode normalization form', { 'Zoe\u0308': 1 }],
    ['a full name without accents and with another apostrophe', { tableName: 'T1 for ZOE Muller-O\u2019Brien' }],
    ['a part of a name that has a hyphen', { externalId: 'muller-7' }],
    ['a name without its apostrophe', { externalId: 'obrien-7' }],
  ])('the cleaner recognizes %s', (_form, value) => {
    expect(JSON.stringify(cleanBeside(value).cleaned)).not.toMatch(/412|100|oldcard|zo|muller|brien/i)
  })

  test('a phone number, card number or name gets the same pseudonym in every spelling', () => {
    const { cleaner } = cleanBeside({})
    for (const phone of ['0412 345 678', '61412345678', '+61 (0)412 345 678', '0061412345678'])
      expect(cleaner.text('phone', phone)).toBe(cleaner.text('phone', guest.customer.phone))
    expect(cleaner.text('card', 'gift100000100aaaa')).toBe(cleaner.text('card', guest.card.cardNumber))
    expect(cleaner.text('name', 'ZOE')).toBe(cleaner.text('name', guest.customer.firstName))
  })

  test("OwnText recognizes other spellings of a guest's data in partner's own messages", () => {
    const own = new OwnText(cleanBeside({}).cleaner, '')
    expect(own.text('Zoe holds GIFT100000100AAAA, 0412 345 678')).toMatch(/^name-\w+ holds card-\w+, phone-\w+$/)
  })

  test("the cleaner drops headers such as Server and User-Agent if they contain a guest's first name", () => {
    const pairs = ['Server', 'Via', 'User-Agent', 'X-Powered-By'].map((name) => ({ name, value: '1.1 zoe-laptop' }))
    expect(cleanHeaders(pairs, cleanBeside({}).cleaner).map(({ value }) => value)).toEqual(
      pairs.map(() => '[dropped: 14 characters]'),
    )
  })

  test.each<[JsonObject]>([
    [{ saleId: '104123456789' }],
    [{ saleId: '0412345679' }],
    [{ saleId: 'XGIFT100000100AAAA' }],
    [{ tableName: 'Zoo' }],
    [{ bookedAt: '2026-11-22T10:00:00.000Z' }],
  ])('the cleaner keeps values that only resemble a known guest: %j', (value) =>
    expect(cleanBeside(value).cleaned).toEqual(value),
  )
})

test.each([
  ['+64 9 123 4567', '09 123 4567'],
  ['+1 (415) 555-2671', '415-555-2671'],
  ['+1 415 555 2671', '1-415-555-2671'],
  ['+86 138 1234 5678', '138 1234 5678'],
  ['+49 (0)1511 1234567', '01511 1234567'],
  ['+39 06 1234 5678', '06 1234 5678'],
  ['+44 20 7946 0958', '0044 20 7946 0958'],
])('%s and %s are the same phone number', (international, other) => {
  const cleaner = new Cleaner()
  expect(cleaner.text('phone', other)).toBe(cleaner.text('phone', international))
  expect(cleaner.id(other.replace(/\D/g, ''))).toMatch(/^id-/)
})

test('cleanBody keeps all digits of a number and drops JSON that is nested too deeply', () => {
  expect(cleanBody('{"amount":25.00}', new Cleaner())).toEqual({ text: '{"amount":25.00}', remark: null })
  expect(cleanBody(`${'['.repeat(5000)}"Anna"${']'.repeat(5000)}`, new Cleaner()).text).not.toContain('Anna')
})

test.each([
  ['https://u:p@a.example:84/v1/Bookings/BK-1?x=1#y', 'https://a.example:84/v1/Bookings/BK-1?x=dropped-1-characters'],
  ['/GiftCards/redeem', '/GiftCards/redeem'],
  ['https://pos.example/hooks/tok_9f3a', 'https://pos.example/hooks/dropped-8-characters'],
  [
    '/Bookings?ServiceName=Dinner&IncludeCustomerDetails=true&Search=Anna',
    '/Bookings?ServiceName=Dinner&IncludeCustomerDetails=true&Search=dropped-4-characters',
  ],
  ['mailto:a@b.example', 'dropped-18-characters'],
])('the cleaner reduces the URL %s to %s', (url, expected) => expect(new Cleaner().url(url)).toBe(expected))

test('a card number gets the same pseudonym in a URL as in a body', () => {
  const cleaner = new Cleaner()
  expect(cleaner.url('/GiftCards/gift1-00000100-aaaa')).toBe(
    `/GiftCards/${cleaner.text('card', 'GIFT1-00000100-AAAA')}`,
  )
})

describe('cleaned HAR entries', () => {
  const entry = (over: Partial<Record<'request' | 'response', object>> = {}): HarEntry => ({
    startedDateTime: '2026-11-22T10:00:00.000Z',
    request: { method: 'GET', url: 'https://api.example/Customers', ...over.request },
    response: { status: 200, ...over.response },
  })
  const text = (body: string, more: object = {}) => ({ content: { mimeType: 'application/json', text: body, ...more } })
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary members of the result
  const through = (given: HarEntry, cleaner = new Cleaner()): any => cleanEntry(given, cleaner)

  test('a cleaned HAR entry contains no cookies, comments or browser-specific members', () => {
    const added = { cookies: [{ name: 'sid', value: 'anna' }], comment: 'Anna', _initiator: { url: 'x' } }
    const clean = through({ ...entry({ request: added, response: added }), ...added } as HarEntry)
    expect(JSON.stringify(clean)).not.toMatch(/anna/i)
    expect(clean.request.cookies).toEqual([])
  })

  test('a cleaned HAR entry keeps standard HTTP headers, hides credentials, and drops all other headers', () => {
    const headers = [
      ['X-API-KEY', 'raw-key-0123456789', '••••'],
      ['Cookie', 'sid=0123456789abcdef', '••••'],
      ['Retry-After', '5', '5'],
      ['X-Guest', 'Anna', '[dropped: 4 characters]'],
      ['Date', 'Sun, 22 Nov 2026 10:00:00 GMT', 'Sun, 22 Nov 2026 10:00:00 GMT'],
      ['X-Request-Id', '0a1b-2c', '0a1b-2c'],
    ] as const
    const given = headers.map(([name, value]) => ({ name, value }))
    const cleaner = new Cleaner()
    expect(through(entry({ response: { headers: given } }), cleaner).response.headers).toEqual(
      headers.map(([name, , value]) => ({ name: name.toLowerCase(), value })),
    )
    expect([...cleaner.known.secrets]).toEqual(['raw-key-0123456789', '0123456789abcdef'])
  })

  test('a cleaned HAR entry keeps only the complete records of a truncated list', () => {
    const cut = '{"count":9,"bookings":[{"bookingId":"BK-1","notes":"x"},{"bookingId":"BK-2"},{"bookingId":"B'
    const { content } = through(entry({ response: text(cut, { comment: 'the first 90 of 900 bytes' }) })).response
    const first = { bookingId: 'BK-1', notes: '[dropped: 1 character]' }
    expect(JSON.parse(content.text)).toEqual([first, { bookingId: 'BK-2' }])
    expect(content.comment).toMatch(/^the first 90 of 900 bytes; the list is truncated: only its first 2 records/)
  })

  test.each([
    ['<html>Anna</html>', {}],
    [Buffer.from('Anna').toString('base64'), { encoding: 'base64' }],
    ['"Anna"', {}],
    ['{"a":', {}],
  ])('a cleaned HAR entry contains no part of the body %s', (body, more) => {
    expect(through(entry({ response: text(body, more) })).response.content.text).toMatch(/^"?\[dropped: \d+ characters/)
  })

  test('a cleaned HAR entry keeps only the code of an error', () => {
    const error = (_error: string) => through(entry({ response: { _error } })).response._error
    expect(error('connect ECONNREFUSED 127.0.0.1:1')).toBe('ECONNREFUSED')
    expect(error('Anna hung up')).toBe('[dropped: 12 characters]')
  })
})

test("OwnText drops the service's text from partner's error messages", () => {
  const cleaner = new Cleaner()
  cleaner.json({ message: 'Wanda Wu is on\n the list' })
  cleaner.json({ message: "Booking 'wanda@wu.example' not found." })
  const own = new OwnText(cleaner, '')
  expect(own.text('500: Wanda Wu is on the list')).toBe('500: [dropped: 24 characters]')
  expect(own.text("404: Booking 'wanda@wu.example' not found.")).toMatch(/^404: Booking 'id-\w+' not found\.$/)
  expect(own.text(`cannot be read as JSON: Unexpected token 'W', "Wanda Wu"... is not valid JSON`)).toBe(
    "cannot be read as JSON: Unexpected token 'W', [dropped] is not valid JSON",
  )
})

test("OwnText keeps partner's own messages, but replaces guest data, secrets and the home directory", () => {
  const cleaner = new Cleaner()
  cleaner.json({ customer: { firstName: 'Wilhelmina', lastName: 'the Younger of Wooloomooloo', phone: '0412345678' } })
  cleaner.known.learnSecret('key-of-this-test')
  const own = new OwnText(cleaner, '/home/anna')
  expect(own.text('the clock of the service is right')).toBe('the clock of the service is right')
  expect(own.text('Wilhelmina holds GIFT1-00000100-AAAA')).toMatch(/^name-\w+ holds card-\w+$/)
  expect(own.text('a@b.example, +61 400 000 000, 0412 345 678')).toMatch(/^email-\w+, phone-\w+, phone-\w+$/)
  expect(own.text('/home/anna/.config with key-of-this-test')).toBe('~/.config with ••••')
})

test.each(['C:\\Users\\Änne', 'C:\\Users\\Änne\\', 'c:/users/änne'])(
  'OwnText replaces the home directory %s',
  (home) => {
    const own = new OwnText(new Cleaner(), home)
    expect(own.text('C:\\Users\\Änne\\x and c:/users/änne/y')).toBe('~\\x and ~/y')
    expect(own.text(`cannot read ${JSON.stringify('C:\\Users\\Änne\\x')}`)).toBe('cannot read "~\\\\x"')
  },
)

test.each(['', '/', 'C:\\'])('OwnText replaces no paths if the home directory is "%s"', (home) => {
  expect(new OwnText(new Cleaner(), home).text('C:\\x /y')).toBe('C:\\x /y')
})
