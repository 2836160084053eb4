import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/base/json/exact.ts'
import { explain } from '../../../../src/features/bookings/explain/explain.ts'
import type { Read } from '../../../../src/features/bookings/explain/venue-context.ts'
import { seededRandom } from '../../../base/json/seeded.ts'
import { freshSandbox, type Send } from '../../../sandbox/fresh-sandbox.ts'
import { words } from '../../../support/words.ts'

const SEED = Number(process.env['PARTNER_EXPLAIN_SEED'] ?? 1)
const REQUESTS = Number(process.env['PARTNER_EXPLAIN_REQUESTS'] ?? 250)

/** A Wednesday at 13:00 in Sydney. */
const NOW = '2026-12-23T02:00:00.000Z'
const STILL = { startAt: Date.parse(NOW), frozen: true }
const TIMEZONE = 'Australia/Sydney'

const DAYS = ['2026-12-22', '2026-12-23', '2026-12-24', '2026-12-25', '2026-12-26', '2026-12-27', '2027-01-01']
const HOURS = words('09:00 12:00 12:10 13:15 17:30 18:30 18:45 19:00 19:30 20:00 21:30 23:00')
const SERVICES = [...words('svc-dinner svc-dinner svc-dinner svc-lunch svc-cellar svc-brunch Dinner svc-none'), '']
const SECTIONS = ['sec-main', 'sec-main', 'sec-terrace', 'sec-bar', 'sec-cellar', 'Terrace', 'sec-none', '']
const TABLES = words('tbl-t1 tbl-t5 tbl-t8 tbl-t9 tbl-p3 tbl-p6 tbl-b1 tbl-b4 tbl-c1 T5 tbl-none')
const PLACES = [
  ['sec-main', ['tbl-t1', 'tbl-t4', 'tbl-t6', 'tbl-t8', 'tbl-t9']],
  ['sec-terrace', ['tbl-p1', 'tbl-p3', 'tbl-p6']],
  ['sec-bar', ['tbl-b3', 'tbl-b4', 'tbl-b1']],
] as const
const PARTIES = [1, 2, 2, 2, 4, 4, 5, 6, 7, 8, 9, 12, 13, 40]
const GUEST = { firstName: 'Ada', lastName: 'Ng', phone: '+61 400 000 000' }

/** Returns a function that generates random requests. About half of them are likely to be accepted. */
function requestsFrom(random: () => number): () => JsonObject {
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const sometimes = (percent: number, member: () => JsonObject) => (below(100) < percent ? member() : {})
  /** Generates a request that the service is likely to accept. */
  const likely = (): JsonObject => {
    const [sectionId, tables] = pick(PLACES)
    return {
      numOfPeople: pick([2, 2, 3, 4, 6]),
      ...{ serviceId: 'svc-dinner', sectionId, customer: GUEST },
      time: `${pick(['2026-12-24', '2026-12-24', '2026-12-26'])} ${pick(['17:30', '18:30', '19:00', '20:15', '21:30'])}`,
      ...sometimes(30, () => ({ tables: [pick(tables)] })),
      ...sometimes(50, () => ({ duration: pick([60, 90, 240, 300]) })),
    }
  }
  const wild = () => ({
    numOfPeople: pick(PARTIES),
    serviceId: pick(SERVICES),
    sectionId: pick(SECTIONS),
    time: `${pick(DAYS)} ${pick(HOURS)}`,
    customer: GUEST,
    ...sometimes(30, () => ({ tables: Array.from({ length: 1 + below(2) }, () => pick(TABLES)) })),
    ...sometimes(20, () => ({ duration: pick([15, 60, 90, 150, 240]) })),
    ...sometimes(10, () => ({ status: pick(['CONFIRMED', 'Confirmed', 'confirmed', 'NONE', '']) })),
    ...sometimes(10, () => ({
      bookingTimeAsUtc: pick(['2026-12-24T08:00:00Z', '2026-12-26T08:07:00Z', '2026-02-30T08:00:00Z']),
    })),
    ...sometimes(5, () => ({ time: pick(['2026-02-30 19:00', '2027-10-03 02:30', '2026-12-24 24:00']) })),
    ...sometimes(4, () => ({ customer: pick([{ ...GUEST, phone: ' ' }, { firstName: 'Ada' }]) })),
  })
  return () => (below(2) === 0 ? likely() : wild())
}

function readerOf(send: Send): Read {
  return async ({ path }, query) => {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
    const reply = await send('GET', `${path}?${new URLSearchParams(Object.fromEntries(texts))}`)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
}

test(`explain predicts the service's response to ${REQUESTS} random requests and quotes its messages (seed ${SEED})`, async () => {
  const { send } = await freshSandbox({ clock: STILL, seed: SEED, rateLimit: null })
  const next = requestsFrom(seededRandom(SEED))
  const reader = readerOf(send)
  const looksUp = { service: false, section: false, table: false }
  const seen = new Map<string, number>()
  for (let at = 0; at < REQUESTS; at++) {
    const body = next()
    const explained = await explain({ body, looksUp }, reader, { nowMs: Date.parse(NOW), timezone: TIMEZONE })
    const what = `seed ${SEED}, request ${at}: ${JSON.stringify(body)}\n${JSON.stringify(explained, null, 1)}`
    // The service must accept the suggested time. Book it and then cancel the booking.
    const [near] = explained.nearest
    if (near) {
      const { tables, time: _time, bookingTimeAsUtc: _utc, ...rest } = body
      const kept = explained.withoutTables || tables === undefined ? {} : { tables }
      const cured = { ...rest, ...kept, serviceId: near.serviceId, sectionId: near.sectionId, time: near.time }
      const isCurable = explained.reasons.every(
        ({ code }) => !code.startsWith('status') && !code.startsWith('customer'),
      )
      const tried = await send('POST', '/Reservations', cured)
      if (isCurable) expect(tried.status, `${what}\n${tried.text}`).toBe(201)
      if (tried.status === 201)
        await send('PATCH', `/Bookings/${tried.body.bookingId}/updatestatus`, { status: 'CANCELLED' })
    }
    const reply = await send('POST', '/Reservations', body)
    expect([reply.status, reply.body?.message ?? null], what).toEqual(
      explained.accepted ? [201, null] : [400, explained.reasons[0]?.answer],
    )
    for (const { code } of explained.reasons) seen.set(code, (seen.get(code) ?? 0) + 1)
    if (explained.accepted) seen.set('accepted', (seen.get('accepted') ?? 0) + 1)
  }
  // The random requests must be varied enough to be rejected for many different reasons.
  expect(seen.size).toBeGreaterThan(15)
  expect(seen.get('accepted')).toBeGreaterThan(REQUESTS / 20)
})

test('explain rejects a long booking if no table is free for the whole duration', async () => {
  const { send } = await freshSandbox({ clock: STILL, rateLimit: null })
  const reader = readerOf(send)
  const bar = { numOfPeople: 2, serviceId: 'svc-dinner', sectionId: 'sec-bar', customer: GUEST }
  // Book the only two tables in the bar that can be reserved.
  for (const table of ['tbl-b3', 'tbl-b4']) {
    const late = await send('POST', '/Reservations', { ...bar, time: '2026-12-31 20:00', tables: [table] })
    expect(late.status, late.text).toBe(201)
  }
  const judged = async (more: JsonObject) => {
    const body = { ...bar, time: '2026-12-31 17:45', ...more }
    const looksUp = { service: false, section: false, table: false }
    const found = await explain({ body, looksUp }, reader, { nowMs: Date.parse(NOW), timezone: TIMEZONE })
    const { status, body: said } = await send('POST', '/Reservations', body)
    if (status === 201) await send('PATCH', `/Bookings/${said.bookingId}/updatestatus`, { status: 'CANCELLED' })
    expect([status, said.message ?? null]).toEqual(found.accepted ? [201, null] : [400, found.reasons[0]?.answer])
    return found.reasons.map(({ code }) => code)
  }
  expect(await judged({})).toEqual([])
  expect(await judged({ duration: 135 })).toEqual([])
  expect(await judged({ duration: 136 })).toEqual(['section-closed'])
  expect(await judged({ duration: 136, tables: ['tbl-b3'] })).toEqual(['table-taken'])
  expect(await judged({ duration: 136, sectionId: 'sec-main' })).toEqual([])
  expect(await judged({ time: '2026-12-31 20:00' })).toEqual(['section-closed'])
})
