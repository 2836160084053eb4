import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DriftEntry } from '../../../../src/features/support/output.ts'
import { freshHome, runPartner } from '../../../support/partner.ts'
import { sandboxOfThisFile } from '../../../support/sandbox-process.ts'
import { startSpoiled } from '../../../support/spoiled-answers.ts'
import { words } from '../../../support/words.ts'

const sandbox = await sandboxOfThisFile()

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape is spoiled
type Json = any

type Edit = (parent: Json, name: string) => void

/** One thing that a service may do otherwise, and where it must be reported. */
interface Mutation {
  readonly name: string
  readonly endpoint: string
  readonly member: string
  readonly verdict?: 'unknown-member'
  readonly basis?: 'assumed'
  readonly edit?: Edit
  readonly instead?: (answer: Json) => unknown
}

const BOOKING = 'GET /Bookings/{id}'
const CARD = 'GET /GiftCards/{cardNumber}'
const BOOKINGS = 'GET /Bookings'
const STATUSES = 'GET /Resources/booking-statuses'
const PATHS: Readonly<Record<string, RegExp>> = {
  [BOOKING]: /^\/Bookings\/(?!schedule|tables)[^/?]+$/,
  [CARD]: /^\/GiftCards\/[^/?]+$/,
  [BOOKINGS]: /^\/Bookings\?/,
  'GET /Bookings/tables': /^\/Bookings\/tables/,
  'GET /Customers': /^\/Customers\?/,
  'GET /Sales': /^\/Sales\?/,
  [STATUSES]: /^\/Resources/,
}

const becomes =
  (make: (value: Json) => unknown): Edit =>
  (parent, name) => {
    parent[name] = make(parent[name])
  }
const isGone: Edit = (parent, name) => {
  delete parent[name]
}
const isRenamed =
  (to: string): Edit =>
  (parent, name) => {
    parent[to] = parent[name]
    delete parent[name]
  }

/** Does it at each place that a path such as `items[].extras[].price` leads to. */
function editAt(value: Json, path: string, edit: Edit): void {
  const [first = '', ...rest] = path.split('.')
  const name = first.replace('[]', '')
  const next = name === '' ? value : value?.[name]
  if (rest.length === 0) edit(value, name)
  else for (const one of first.endsWith('[]') ? (next ?? []) : [next]) editAt(one, rest.join('.'), edit)
}

const text = String
const assumed = { basis: 'assumed' } as const
const unknown = { verdict: 'unknown-member' } as const
type Row<How> = readonly [name: string, endpoint: string, member: string, how: How, more?: Partial<Mutation>]

/** What is done at the member, in every record. */
const EDITS: readonly Row<Edit>[] = [
  ['a number as text', BOOKING, 'people', becomes(text)],
  ['a member that is gone', BOOKING, 'duration', isGone],
  ['null where there is none', BOOKING, 'status', becomes(() => null)],
  ['a new member', BOOKING, 'loyaltyLevel', becomes(() => 'gold'), unknown],
  ['another offset', BOOKING, 'bookedAt', becomes((time) => time.replace('Z', '+11:00'))],
  ['a zone where there is none', BOOKING, 'bookingTime', becomes((time) => `${time}Z`)],
  ['an object as text', BOOKING, 'customer', becomes(() => 'Ada Ng')],
  ['the address of the prose', BOOKING, 'customer.address', becomes(() => '1 Street')],
  ['a renamed member', BOOKING, 'customer.phone', isRenamed('phoneNumber')],
  ['quite another name', BOOKING, 'customer.firstName', isRenamed('givenName')],
  ['a birthday as text', BOOKING, 'customer.birthdayDate', becomes(() => '1990-04-01')],
  ['a table by its name alone', BOOKING, 'tables[]', becomes(() => ['T1'])],
  ['an amount as text', BOOKING, 'paymentSummary.amount', becomes(text)],
  ['a word that is not listed', BOOKING, 'items[].extras[].paymentType', becomes(() => 'Voucher')],
  ['another status', CARD, 'status', becomes(() => 'Frozen')],
  ['lower case', CARD, 'cardNumber', becomes((card) => card.toLowerCase()), assumed],
  ['milliseconds', CARD, 'issuedDate', becomes(Date.parse)],
  ['a name that is null', CARD, 'recipientFirstName', becomes(() => null)],
  ['another name', STATUSES, '[].code', isRenamed('statusCode')],
  ['another list member', BOOKINGS, 'bookings', isRenamed('reservations'), assumed],
  ['times without a zone', BOOKINGS, 'bookings[].lastModifiedDate', becomes((time) => time.replace('Z', '')), assumed],
  ['no length', 'GET /Customers', 'length', isGone, assumed],
  ['a flag as a number', 'GET /Customers', 'items[].subscribed', becomes(Number), assumed],
  ['the ID of a table', 'GET /Bookings/tables', '[].tables[]._id', isRenamed('id'), assumed],
  [
    'a total in an object',
    'GET /Sales',
    'items[].saleDetail.total',
    becomes((amount) => ({ amount, currency: 'AUD' })),
    assumed,
  ],
]

/** What is sent instead of the answer. */
const ANSWERS: readonly Row<(answer: Json) => unknown>[] = [
  ['no JSON', STATUSES, '(answer)', () => '<html>Welcome</html>'],
  ['a list in an object', STATUSES, '(answer)', (statuses) => ({ statuses })],
  ['a bare list', BOOKINGS, 'bookings', ({ bookings }) => bookings, assumed],
  [
    'a page instead',
    BOOKINGS,
    'bookings',
    ({ count, bookings }) => ({ from: 0, to: count, length: count, items: bookings }),
    assumed,
  ],
  [
    'a member that one record lacks',
    BOOKINGS,
    'bookings[].people',
    (answer) => {
      delete answer.bookings[1].people
      return answer
    },
    assumed,
  ],
]

const MUTATIONS: readonly Mutation[] = [
  ...EDITS.map(([name, endpoint, member, edit, more]) => ({ name, endpoint, member, edit, ...more })),
  ...ANSWERS.map(([name, endpoint, member, instead, more]) => ({ name, endpoint, member, instead, ...more })),
]

async function drift(baseUrl: string) {
  const env = { ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: sandbox.apiKey }
  const { code, stdout, stderr } = await runPartner(['drift', '-o', 'json'], { env })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return JSON.parse(stdout) as DriftEntry[]
}

const differs = ({ verdict }: DriftEntry) => verdict === 'contradicted' || verdict === 'unknown-member'

test('nothing of the sandbox differs, and all that is documented of answers to reads is confirmed', async () => {
  const entries = await drift(sandbox.baseUrl)
  expect(entries.filter(differs)).toEqual([])
  const documented = entries.filter(({ basis }) => basis === 'documented')
  expect(documented.filter(({ verdict }) => verdict !== 'confirmed').map(({ endpoint }) => endpoint)).toEqual([
    'POST /Reservations',
    'POST /GiftCards/redeem',
    'POST /Webhooks',
  ])
  expect(documented.filter(({ verdict }) => verdict === 'confirmed').length).toBeGreaterThan(80)
})

describe('one deviation of the service is one entry, at its member', () => {
  test.each(MUTATIONS)('$name: $endpoint $member', async ({ endpoint, member, edit, instead, verdict, basis }) => {
    const { baseUrl } = await startSpoiled(sandbox.baseUrl, {
      answer: ({ method, target }, body) => {
        if (method !== 'GET' || !PATHS[endpoint]?.test(target)) return body
        if (edit) editAt(body, member, edit)
        return instead ? instead(body) : body
      },
    })
    const found = (await drift(baseUrl)).filter(differs)
    expect(found).toMatchObject([
      { endpoint, member, verdict: verdict ?? 'contradicted', basis: basis ?? 'documented', source: 'run' },
    ])
    expect(found).toHaveLength(1)
  })
})

test('the recorded shapes and the report contain nothing of any guest', async () => {
  const home = freshHome()
  const said = new Set<string>()
  const { baseUrl } = await startSpoiled(sandbox.baseUrl, {
    answer: (_, body: Json) => {
      noteOfGuests(body, said)
      if (body.bookingId) {
        body.customer = { ...body.customer, visits: { 'ada.ng@example.com': 3, '+61491570156': 2, 'Ada Ng': 1 } }
        body['ada.ng@example.com'] = { name: 'Ada Ng' }
        body['61491570156'] = true
      }
      if (body.cardNumber) body.status = 'Ada Ng said so'
      return body
    },
  })
  const env = { ...home, PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: sandbox.apiKey }
  const list = words('bookings list --from -7d --to now --include-customer --record -q')
  const [recorded, report] = [await runPartner(list, { env }), await runPartner(['drift', '-o', 'json'], { env })]
  expect([recorded.code, report.code]).toEqual([0, 0])
  const files = globSync('shapes/*.json', { cwd: home.PARTNER_DATA_DIR })
  expect(files).toHaveLength(1)
  const all = files.map((file) => readFileSync(join(home.PARTNER_DATA_DIR, file), 'utf8')).join('\n') + report.stdout
  expect(said.size).toBeGreaterThan(100)
  expect([...said].filter((one) => all.includes(one))).toEqual([])
  for (const one of ['Ada', 'ada.ng', '61491570156']) expect(all).not.toContain(one)
  expect(all).toContain('(other)')
})

const OF_GUESTS = /^(?:.*name|e?mail|.*email|phone.*|notes|line\d|city|cardNumber|bookingId|company|transactionId|id)$/i

/** Notes what an answer says of guests, as far as it could be taken for nothing else. */
function noteOfGuests(value: Json, into: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) noteOfGuests(one, into)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, one] of Object.entries(value)) {
    if (OF_GUESTS.test(name) && typeof one === 'string' && one.length > 3 && value.statusType === undefined)
      into.add(one)
    noteOfGuests(one, into)
  }
}
