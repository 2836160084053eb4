import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { runPartner } from '../../support/partner.ts'
import { type SandboxProcess, startSandboxProcess } from '../../support/sandbox-process.ts'
import { expectPrivate } from '../../support/windows.ts'
import { words } from '../../support/words.ts'
import { fillSandbox, guestTexts, makeGuests, recordTraffic, writeJournal } from './day.ts'

// These tests bundle the records of 300 made-up guests. The bundle must not contain guest data, but must show which
// records belong to the same guest.

const directory = mkdtempSync(join(tmpdir(), 'partner-day-'))
const guests = makeGuests(300)
let sandbox: SandboxProcess
let bookingIds: readonly string[] = []
let files: Readonly<Record<string, string>> = {}
/** The text to bundle. The tests first check that it contains guest data. */
let given = ''

afterAll(async () => {
  await sandbox.stop()
  rmSync(directory, { recursive: true, force: true })
})

beforeAll(async () => {
  const data = join(directory, 'sandbox')
  sandbox = await startSandboxProcess(['--data', data])
  bookingIds = await fillSandbox(sandbox, data, guests)
  const home = ['config', 'data', 'cache'].map((name) => [`PARTNER_${name.toUpperCase()}_DIR`, join(directory, name)])
  const env = { ...Object.fromEntries(home), ...sandbox.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
  const hars = await recordTraffic(directory, env, guests)
  const journal = join(directory, 'hooks.ndjson')
  writeJournal(journal, guests, bookingIds)
  const fault = words(`sandbox faults add --hang --next 1 --base-url ${sandbox.baseUrl} --endpoint`)
  expect(await runPartner([...fault, 'POST /GiftCards/redeem'], { env })).toMatchObject({ code: 0 })
  const card = guests[5]?.cardNumber ?? ''
  const redeem = ['giftcards', 'redeem', card, '--amount', '7', '--timeout', '300ms', '--retries', '0']
  expect(await runPartner(redeem, { env })).toMatchObject({ code: 9 })
  const out = join(directory, 'bundle.zip')
  const run = await runPartner(
    ['support', 'bundle', '--out', out, '--journal', journal, ...hars.flatMap((file) => ['--har', file])],
    { env },
  )
  expect(run.code, run.stderr).toBe(0)
  expectPrivate(out)
  const entries = Object.entries(unzipSync(readFileSync(out)))
  files = Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  given = [...hars, journal].map((file) => readFileSync(file, 'utf8')).join('\n')
}, 600_000)

function base64In(text: string): string {
  return [...text.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)]
    .map(([run]) => Buffer.from(run, 'base64').toString())
    .join('\n')
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}

function unescaped(text: string): string {
  return text.replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

type Json = Readonly<Record<string, unknown>>

interface Exchange {
  readonly request: { readonly url: string }
  readonly response: { readonly status: number; readonly content: { readonly text?: string } }
}

function recordsOf(path: string): Json[] {
  const { log } = JSON.parse(files['traffic.har'] ?? '') as { readonly log: { readonly entries: readonly Exchange[] } }
  return log.entries
    .filter(({ request, response }) => new URL(request.url).pathname === path && response.status === 200)
    .flatMap(({ response }) => {
      const answer = JSON.parse(response.content.text ?? '') as Readonly<Record<string, Json[]>> | Json[]
      if (Array.isArray(answer)) return answer
      return answer['bookings'] ?? answer['items'] ?? []
    })
}

const customerOf = (record: Json) => record['customer'] as Json
const whoIs = ({ id, firstName, lastName, email, phone }: Json) => ({ id, firstName, lastName, email, phone })

describe('support bundle with 300 guests', () => {
  test("a support bundle contains no guest's name, email, phone number, address or card, in any encoding", () => {
    const traces = guestTexts(guests)
    expect(traces.length).toBeGreaterThan(2000)
    const inSources = percentDecoded(given) + base64In(given)
    expect(traces.filter((trace) => inSources.includes(trace)).length).toBeGreaterThan(1500)
    const needles = traces.map((trace) => ({
      trace,
      forms: [...new Set([trace, JSON.stringify(trace).slice(1, -1), encodeURIComponent(trace)])],
    }))
    for (const [name, text] of Object.entries(files)) {
      const places = [...new Set([text, unescaped(text), percentDecoded(text), base64In(text), name])]
      const found = needles.filter(({ forms }) => forms.some((form) => places.some((place) => place.includes(form))))
      expect(found, name).toEqual([])
    }
  })

  test("a support bundle replaces all guest data with pseudonyms, even a guest's name that is also a service name", () => {
    const customers = recordsOf('/Customers')
    const people = [...customers, ...recordsOf('/Bookings').map(customerOf), ...recordsOf('/Sales').map(customerOf)]
    expect(people.length).toBeGreaterThan(700)
    const shown = (value: unknown) => value === null || value === '' || value === undefined
    for (const { firstName, lastName, email, phone } of people) {
      for (const name of [firstName, lastName])
        expect(shown(name) || /^name-\w{12}(?: name-\w{12})*$/.test(String(name)), String(name)).toBe(true)
      expect(shown(email) || /^email-\w{12}$/.test(String(email))).toBe(true)
      expect(shown(phone) || /^phone-\w{12}$/.test(String(phone))).toBe(true)
    }
  })

  test('a guest has the same pseudonyms in the bookings, customers, sales and gift cards of a support bundle', () => {
    const customers = new Map(recordsOf('/Customers').map((customer) => [customer['id'], whoIs(customer)]))
    const bookings = new Map(recordsOf('/Bookings').map((booking) => [booking['bookingId'], booking]))
    const ours = bookingIds.map((id) => bookings.get(id))
    expect(ours.filter((booking) => booking === undefined)).toEqual([])
    const guestsOf = ours.map((booking) => whoIs(customerOf(booking as Json)))
    for (const guest of guestsOf) expect(customers.get(guest.id)).toEqual(guest)
    // All guests are different people, so each one must have a different pseudonym.
    expect(new Set(guestsOf.map(({ email }) => email)).size).toBe(300)
    expect(new Set(guestsOf.map(({ phone }) => phone)).size).toBe(300)
    const sales = recordsOf('/Sales').filter((sale) => bookingIds.includes(String(sale['bookingId'])))
    expect(sales).toHaveLength(150)
    for (const sale of sales) {
      const booking = bookings.get(sale['bookingId']) as Json
      expect(whoIs(customerOf(sale))).toEqual(whoIs(customerOf(booking)))
    }
    const purchasers = new Set(recordsOf('/GiftCards').map((card) => card['purchaserEmail']))
    expect(guestsOf.filter(({ email }) => !purchasers.has(email))).toEqual([])
  })

  test('a gift card has the same pseudonym everywhere in a support bundle', () => {
    const cards = new Set(recordsOf('/GiftCards').map((card) => card['cardNumber']))
    expect([...cards].filter((card) => !/^card-\w{12}$/.test(String(card)))).toEqual([])
    const [operation] = JSON.parse(files['operations.json'] ?? '') as Json[]
    expect(operation).toMatchObject({ state: 'open', command: 'giftcards redeem', amount: '7.00' })
    expect(cards).toContain(operation?.['target'])
    const bodies = parseNdjson(files['journal.ndjson'] ?? '').map(({ body }) => body as string)
    expect(bodies).toHaveLength(151)
    const delivered = bodies
      .flatMap((body) => (body.startsWith('{') ? [JSON.parse(body).data.cardNumber ?? []] : []))
      .flat()
    expect(delivered.length).toBeGreaterThanOrEqual(50)
    expect(delivered.filter((card) => !cards.has(card))).toEqual([])
    const paths = [...(files['traffic.har'] ?? '').matchAll(/\/GiftCards\/(card-\w+)/g)].map(([, card]) => card)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((card) => !cards.has(card))).toEqual([])
  })

  test('other commands can read the journal in a support bundle', async () => {
    const { readDelivery } = await import('../../../src/webhooks/events/journal/entry.ts')
    const lines = (files['journal.ndjson'] ?? '').trimEnd().split('\n')
    expect(lines.map(readDelivery).filter((delivery) => delivery === null)).toEqual([])
  })
})
