import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DriftEntry } from '../../../../src/features/support/output.ts'
import { freshHome, runPartner } from '../../../support/partner.ts'
import { startSharedSandbox } from '../../../support/sandbox-process.ts'
import { startAlteringProxy } from '../../../support/spoiled-answers.ts'
import { words } from '../../../support/words.ts'

const sandbox = await startSharedSandbox()

// biome-ignore lint/suspicious/noExplicitAny: a response can have any shape
type Json = any

type Edit = (parent: Json, name: string) => void

/** A way in which a service can deviate from the contract, and the member that drift must report. */
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

/** Edits every member at a path such as `items[].extras[].price`. */
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

/** Edits that change one member in every record. */
const EDITS: readonly Row<Edit>[] = [
  ['a number sent as text', BOOKING, 'people', becomes(text)],
  ['a missing member', BOOKING, 'duration', isGone],
  ['an unexpected null', BOOKING, 'status', becomes(() => null)],
  ['a new member', BOOKING, 'loyaltyLevel', becomes(() => 'gold'), unknown],
  ['a time with another offset', BOOKING, 'bookedAt', becomes((time) => time.replace('Z', '+11:00'))],
  ['a local time with a zone', BOOKING, 'bookingTime', becomes((time) => `${time}Z`)],
  ['text instead of an object', BOOKING, 'customer', becomes(() => 'Ada Ng')],
  [
    'an address sent as a string, as in the prose of the specification',
    BOOKING,
    'customer.address',
    becomes(() => '1 Street'),
  ],
  ['a renamed member', BOOKING, 'customer.phone', isRenamed('phoneNumber')],
  ['a member with an unrelated new name', BOOKING, 'customer.firstName', isRenamed('givenName')],
  ['a birthday sent as a single string', BOOKING, 'customer.birthdayDate', becomes(() => '1990-04-01')],
  ['a table name instead of a table object', BOOKING, 'tables[]', becomes(() => ['T1'])],
  ['an amount sent as text', BOOKING, 'paymentSummary.amount', becomes(text)],
  ['a payment type that the contract does not list', BOOKING, 'items[].extras[].paymentType', becomes(() => 'Voucher')],
  ['a status that the contract does not list', CARD, 'status', becomes(() => 'Frozen')],
  ['card numbers in lower case', CARD, 'cardNumber', becomes((card) => card.toLowerCase()), assumed],
  ['times in milliseconds', CARD, 'issuedDate', becomes(Date.parse)],
  ['a name that is null', CARD, 'recipientFirstName', becomes(() => null)],
  ['a renamed code', STATUSES, '[].code', isRenamed('statusCode')],
  ['a list in another member', BOOKINGS, 'bookings', isRenamed('reservations'), assumed],
  ['times without a zone', BOOKINGS, 'bookings[].lastModifiedDate', becomes((time) => time.replace('Z', '')), assumed],
  ['a page without its length', 'GET /Customers', 'length', isGone, assumed],
  ['a number instead of a Boolean', 'GET /Customers', 'items[].subscribed', becomes(Number), assumed],
  ['a renamed table ID', 'GET /Bookings/tables', '[].tables[]._id', isRenamed('id'), assumed],
  [
    'a total that is an object',
    'GET /Sales',
    'items[].saleDetail.total',
    becomes((amount) => ({ amount, currency: 'AUD' })),
    assumed,
  ],
]

/** Edits that replace the whole response. */
const ANSWERS: readonly Row<(answer: Json) => unknown>[] = [
  ['a web page instead of JSON', STATUSES, '(answer)', () => '<html>Welcome</html>'],
  ['an object instead of a bare list', STATUSES, '(answer)', (statuses) => ({ statuses })],
  ['a bare list instead of an object', BOOKINGS, 'bookings', ({ bookings }) => bookings, assumed],
  [
    'a page instead of a simple list',
    BOOKINGS,
    'bookings',
    ({ count, bookings }) => ({ from: 0, to: count, length: count, items: bookings }),
    assumed,
  ],
  [
    'a member that is missing in one record',
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

test('drift confirms all documented members that the sandbox returns, and finds no difference', async () => {
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

describe('drift with services that differ from the contract', () => {
  test.each(MUTATIONS)(
    'drift reports one difference for $name: $endpoint $member',
    async ({ endpoint, member, edit, instead, verdict, basis }) => {
      const { baseUrl } = await startAlteringProxy(sandbox.baseUrl, {
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
    },
  )
})

test('drift records and reports no guest data', async () => {
  const home = freshHome()
  const said = new Set<string>()
  const { baseUrl } = await startAlteringProxy(sandbox.baseUrl, {
    answer: (_, body: Json) => {
      collectGuestData(body, said)
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

const GUEST_MEMBERS =
  /^(?:.*name|e?mail|.*email|phone.*|notes|line\d|city|cardNumber|bookingId|company|transactionId|id)$/i

/** Collects the guest data in a response. Omits short strings and status names. */
function collectGuestData(value: Json, into: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collectGuestData(one, into)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, one] of Object.entries(value)) {
    if (GUEST_MEMBERS.test(name) && typeof one === 'string' && one.length > 3 && value.statusType === undefined)
      into.add(one)
    collectGuestData(one, into)
  }
}
