import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import type { NightReport, VenueNight } from '../../../src/features/night/printed/output.ts'
import { runPartner } from '../../support/partner.ts'
import { query } from '../../sync/sqlite/copies.ts'
import { DATE, HARBOUR, HOSTILE, KIOSK, lastingDirectory, NEVER, QUIET, QUOTED, RTL, writeGroup } from './group.ts'
import { expectPublished, statementsIn } from './published.ts'

const home = lastingDirectory()
const env = { PARTNER_CONFIG_DIR: join(home, 'config'), PARTNER_DATA_DIR: join(home, 'data') }
const copy = join(home, 'group.db')
let all: NightReport
beforeAll(async () => {
  await writeGroup(copy)
  all = await report()
})

const GONE = ['--no-show', 'dna']

async function night(...args: readonly string[]): Promise<string> {
  const run = await runPartner(['report', 'night', '--copy', copy, '--date', DATE, ...args], { env })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return run.stdout
}

async function report(...args: readonly string[]): Promise<NightReport> {
  return JSON.parse(await night('-o', 'json', ...args)) as NightReport
}

function pageOf({ venues }: NightReport, name: string): VenueNight {
  const found = venues.find(({ source }) => source === name)
  if (found === undefined) throw new Error(`no page of ${name}`)
  return found
}

async function inSqlite(sql: string) {
  return query(copy, sql).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
  )
}

describe.each([
  ['with default flags', []],
  ['with custom no-show and seated statuses', [...GONE, '--seated', 'CONFIRMED']],
  ['from midnight to midnight', ['--day-starts', '00:00']],
])('the night report %s', (name, args) => {
  test(`each figure in the night report equals the result of the printed SQL ${name}`, async () => {
    const script = await night('--sql', ...args)
    expect(await expectPublished(await report(...args), script, inSqlite)).toBe(12)
    // Runs the whole script at once, as a user would after pasting it.
    const database = new DatabaseSync(copy, { readOnly: true })
    database.exec(script)
    database.close()
  })
})

test("the SQL for each figure reads the night's bookings and sales only once, even for many venues", async () => {
  for (const sql of statementsIn(await night('--sql')).values()) {
    if (!sql.includes('WITH night')) continue
    const plan = query(copy, `EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => String(detail))
    const reads = plan.filter((step) => /INDEX (?:sqlite_autoindex_)?(?:bookings|sales)_/.test(step))
    const isOfOneRange = (step: string) => /^SEARCH [bs] USING INDEX (?:bookings|sales)_by_\w+_\w+ \(/.test(step)
    expect(reads.length, sql).toBeGreaterThan(0)
    expect(reads.every(isOfOneRange), plan.join('\n')).toBe(true)
    // The query must read the rows once and look up each row's night, instead of reading all rows for each night.
    const nights = plan.findIndex((step) => /^(?:SEARCH|SCAN) n\b/.test(step))
    expect(plan.indexOf(String(reads[0])), plan.join('\n')).toBeLessThan(nights)
  }
})

test("the night report's covers exclude bookings whose status type, code or name indicates a cancellation or a no-show", async () => {
  const harbour = pageOf(all, HARBOUR)
  const people = { covers: 39, noShowPeople: 10, withoutPeople: 1 }
  expect(harbour.totals).toEqual({ bookings: 9, noShows: 3, cancelled: 2, ...people })
  const services = harbour.services?.map(({ service, covers, noShows }) => `${service} ${covers} ${noShows}`)
  expect(services).toEqual(['Breakfast 2 0', 'Lunch 10 0', 'Dinner 22 3', `${HOSTILE} 0 0`, 'Late 2 0', 'null 3 0'])
  const hours = harbour.hours?.map(({ hour, covers }) => `${hour} ${covers}`)
  expect(hours).toEqual(['05 2', '12 10', '19 8', '20 14', '21 0', '00 2', '04 3'])
})

test('report night --no-show counts bookings with the given status as no-shows, ignoring case', async () => {
  const { totals } = pageOf(await report(...GONE), HARBOUR)
  expect(totals).toMatchObject({ covers: 31, noShows: 4, noShowPeople: 18 })
})

test('the night report lists seated guests without a sale, and sales without a booking', async () => {
  const { seatedWithoutSale, salesWithoutBooking } = pageOf(all, HARBOUR)
  expect(seatedWithoutSale?.map(({ bookingId, guest, tables }) => [bookingId, guest, tables])).toEqual([
    ['H-1', null, null],
    ['H-3', null, 'T5, T4'],
    ['H-11', 'Grace Hopper', null],
    ['H-12', `${HOSTILE} " onload="x`, null],
  ])
  const sales = salesWithoutBooking?.map(({ saleId, totalCents }) => `${saleId} ${totalCents}`)
  expect(sales).toEqual(['S-4 1001', 'S-5 29', 'S-6 -400', `${HOSTILE} null`])
})

test('the night report totals the deposits due by currency, with a separate total for no-shows', async () => {
  const { venues, group } = all
  expect(venues.find(({ source }) => source === HARBOUR)?.depositsDue).toEqual([
    { currency: null, bookings: 1, dueCents: 1000, noShowDueCents: 0 },
    { currency: 'AUD', bookings: 2, dueCents: 79_333, noShowDueCents: 1999 },
    { currency: 'NZD', bookings: 1, dueCents: 10, noShowDueCents: 0 },
  ])
  const due = group.depositsDue?.map(({ currency, dueCents }) => `${currency} ${dueCents}`)
  expect(due).toEqual(['null 1000', 'AED 20000', 'AUD 79333', 'GBP 100', 'NZD 10'])
})

test("the night report's takings count each of the night's sales once, in the currency of the night's bookings", async () => {
  const ofHarbour = { currency: null, sales: 5, totalCents: 12_680, withoutTotal: 1 }
  const inDirham = { currency: 'AED', sales: 2, totalCents: 35_500, withoutTotal: 0 }
  expect(pageOf(all, HARBOUR).takings).toEqual(ofHarbour)
  expect(pageOf(all, RTL).takings).toEqual(inDirham)
  expect(pageOf(all, QUIET).takings).toEqual({ currency: null, sales: 0, totalCents: 0, withoutTotal: 0 })
  expect(pageOf(all, KIOSK).takings).toBeNull()
  expect(all.group.takings).toEqual([ofHarbour, inDirham])
})

test('a figure in the night report is null, not zero, if the copy lacks its data', async () => {
  expect(pageOf(all, KIOSK)).toMatchObject({ seatedWithoutSale: null, salesWithoutBooking: null })
  expect(pageOf(all, KIOSK).totals).toMatchObject({ covers: 3 })
  const unknown = { totals: null, services: null, hours: null, depositsDue: null, owing: null }
  expect(pageOf(all, NEVER)).toMatchObject(unknown)
  const none = { totals: { covers: 0, bookings: 0 }, seatedWithoutSale: [], depositsDue: [] }
  expect(pageOf(all, QUIET)).toMatchObject(none)
  const missing = all.group.missing.map(({ source, resource }) => `${source}: ${resource}`)
  expect(missing).toEqual([`${KIOSK}: sales`, `${NEVER}: bookings`, `${NEVER}: sales`])
})

test('the night report says which venues were synced without guests', async () => {
  expect([HARBOUR, KIOSK, NEVER].map((name) => pageOf(all, name).guests)).toEqual([true, false, null])
  expect(await night('--source', KIOSK)).toMatch(
    /^ {2}Guests +not in this copy; to add them: partner bookings sync --include-customer --reset$/m,
  )
})

test.each([
  ['without --include-customer', [], false],
  ['with --include-customer', ['--include-customer'], true],
])('the night report recognizes a copy that was synced %s', async (_, flags, guests) => {
  const to = join(lastingDirectory(), 'venue.db')
  const sandbox = { ...env, PARTNER_PROFILE: 'sandbox' }
  const sync = await runPartner(['bookings', 'sync', '--to', to, '--since', '-1d', ...flags], { env: sandbox })
  expect(sync.code, sync.stderr).toBe(0)
  const query = ['--json', '--query', 'venues[].guests']
  const run = await runPartner(['report', 'night', '--copy', to, ...query], { env: sandbox })
  expect(JSON.parse(run.stdout)).toEqual([guests])
})

test('the night report names each copy whose last sync was before the end of the night', async () => {
  expect(pageOf(all, RTL).behind).toEqual(['bookings', 'sales'])
  expect(pageOf(all, HARBOUR).behind).toEqual([])
})

test('the night report uses the time zone that the sync recorded for each venue', async () => {
  const { venues } = all
  expect(venues.map(({ source, timezone, startsAt }) => [source, timezone, startsAt])).toEqual([
    [QUOTED, null, '2026-11-21T05:00:00.000Z'],
    [HARBOUR, 'Australia/Sydney', '2026-11-20T18:00:00.000Z'],
    [KIOSK, 'Europe/London', '2026-11-21T05:00:00.000Z'],
    [NEVER, 'Europe/London', '2026-11-21T05:00:00.000Z'],
    [QUIET, 'Europe/London', '2026-11-21T05:00:00.000Z'],
    [RTL, 'Asia/Dubai', '2026-11-21T01:00:00.000Z'],
  ])
})

test('report night --sql names the venues that lack data for a figure, and omits venues that were not requested', async () => {
  const script = await night('--sql')
  expect(statementsIn(script).get('sales-without-a-booking')).toContain(`-- not in this copy: ${KIOSK}, ${NEVER}\n`)
  const one = await night('--sql', '--source', QUOTED)
  expect(one).toContain(`'O''Brien''s; DROP TABLE bookings; -- <b>"&amp;'`)
  expect(one).not.toContain(HARBOUR)
  const rows = await inSqlite(statementsIn(one).get('covers') ?? '')
  expect(rows).toEqual([expect.objectContaining({ source: QUOTED, covers: '1' })])
})
