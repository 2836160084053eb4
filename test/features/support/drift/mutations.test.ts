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

/** Changes one member of an object. */
type Edit = (parent: Json, name: string) => void

/** One thing that a service may do otherwise, and where it must be reported. */
interface Mutation {
  readonly name: string
  readonly endpoint: string
  readonly member: string
  readonly verdict?: 'unknown-member'
  readonly basis?: 'assumed'
  /** What is done at the member, in every record. */
  readonly edit?: Edit
  /** What is sent in place of the answer. */
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
const MUTATIONS: readonly Mutation[] = [
  { name: 'a number as text', endpoint: BOOKING, member: 'people', edit: becomes(text) },
  { name: 'a member that is gone', endpoint: BOOKING, member: 'duration', edit: isGone },
  { name: 'null where there is none', endpoint: BOOKING, member: 'status', edit: becomes(() => null) },
  {
    name: 'a new member',
    endpoint: BOOKING,
    member: 'loyaltyLevel',
    verdict: 'unknown-member',
    edit: becomes(() => 'gold'),
  },
  {
    name: 'another offset',
    endpoint: BOOKING,
    member: 'bookedAt',
    edit: becomes((time) => time.replace('Z', '+11:00')),
  },
  { name: 'a zone where there is none', endpoint: BOOKING, member: 'bookingTime', edit: becomes((time) => `${time}Z`) },
  { name: 'an object as text', endpoint: BOOKING, member: 'customer', edit: becomes(() => 'Ada Ng') },
  { name: 'the address of the prose', endpoint: BOOKING, member: 'customer.address', edit: becomes(() => '1 Street') },
  { name: 'a renamed member', endpoint: BOOKING, member: 'customer.phone', edit: isRenamed('phoneNumber') },
  { name: 'quite another name', endpoint: BOOKING, member: 'customer.firstName', edit: isRenamed('givenName') },
  { name: 'a birthday as text', endpoint: BOOKING, member: 'customer.birthdayDate', edit: becomes(() => '1990-04-01') },
  {
    name: 'a table by its name alone',
    endpoint: BOOKING,
    member: 'tables[]',
    edit: (parent) => {
      parent.tables = ['T1']
    },
  },
  { name: 'an amount as text', endpoint: BOOKING, member: 'paymentSummary.amount', edit: becomes(text) },
  {
    name: 'a word that is not listed',
    endpoint: BOOKING,
    member: 'items[].extras[].paymentType',
    edit: becomes(() => 'Voucher'),
  },
  { name: 'another status', endpoint: CARD, member: 'status', edit: becomes(() => 'Frozen') },
  { name: 'lower case', endpoint: CARD, member: 'cardNumber', edit: becomes((card) => card.toLowerCase()), ...assumed },
  { name: 'milliseconds', endpoint: CARD, member: 'issuedDate', edit: becomes(Date.parse) },
  { name: 'a name that is null', endpoint: CARD, member: 'recipientFirstName', edit: becomes(() => null) },
  { name: 'another name', endpoint: STATUSES, member: '[].code', edit: isRenamed('statusCode') },
  { name: 'no JSON', endpoint: STATUSES, member: '(answer)', instead: () => '<html>Welcome</html>' },
  { name: 'a list in an object', endpoint: STATUSES, member: '(answer)', instead: (statuses) => ({ statuses }) },
  { name: 'another list member', endpoint: BOOKINGS, member: 'bookings', edit: isRenamed('reservations'), ...assumed },
  { name: 'a bare list', endpoint: BOOKINGS, member: 'bookings', instead: ({ bookings }) => bookings, ...assumed },
  {
    name: 'a page in place of it',
    endpoint: BOOKINGS,
    member: 'bookings',
    instead: ({ count, bookings }) => ({ from: 0, to: count, length: count, items: bookings }),
    ...assumed,
  },
  {
    name: 'times without a zone',
    endpoint: BOOKINGS,
    member: 'bookings[].lastModifiedDate',
    edit: becomes((time) => time.replace('Z', '')),
    ...assumed,
  },
  {
    name: 'a member that one record lacks',
    endpoint: BOOKINGS,
    member: 'bookings[].people',
    instead: (answer) => {
      delete answer.bookings[1].people
      return answer
    },
    ...assumed,
  },
  { name: 'no length', endpoint: 'GET /Customers', member: 'length', edit: isGone, ...assumed },
  {
    name: 'a flag as a number',
    endpoint: 'GET /Customers',
    member: 'items[].subscribed',
    edit: becomes(Number),
    ...assumed,
  },
  {
    name: 'the ID of a table',
    endpoint: 'GET /Bookings/tables',
    member: '[].tables[]._id',
    edit: isRenamed('id'),
    ...assumed,
  },
  {
    name: 'a total in an object',
    endpoint: 'GET /Sales',
    member: 'items[].saleDetail.total',
    edit: becomes((amount) => ({ amount, currency: 'AUD' })),
    ...assumed,
  },
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

describe('one thing that the service does otherwise is one entry, at its member', () => {
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

test('the file of what was seen holds nothing of any guest, nor does the report', async () => {
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
