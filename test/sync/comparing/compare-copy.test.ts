import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json/exact.ts'
import type { VenueData } from '../../../src/studio/rehearsal/venue-data.ts'
import { type CopyReport, compareCopy } from '../../../src/sync/comparing/compare-copy.ts'
import { checkCopyLocation, readCopy } from '../../../src/sync/comparing/read-copy.ts'
import { GOLDEN, readVenueDataAroundDay } from '../../studio/rehearsal/rehearsed.ts'
import { freshDirectory } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'

let earlier: ReadonlySet<string>
let truths: { readonly before: VenueData; readonly now: VenueData }
beforeAll(async () => {
  truths = await readVenueDataAroundDay(GOLDEN.date, GOLDEN.seed)
  earlier = new Set(truths.before.bookings.map((one) => JSON.stringify(one)))
})

const NOWHERE = { source: null, env: {}, signal: new AbortController().signal }

async function compareText(text: string, name = 'copy.json'): Promise<CopyReport> {
  const where = join(freshDirectory(), name)
  writeFileSync(where, text)
  return compareCopy(await readCopy({ where, ...NOWHERE }), truths)
}

const compareJson = (value: unknown) => compareText(JSON.stringify(value))
const idOf = (booking: JsonObject) => String(booking['bookingId'])
const wasTouched = (booking: JsonObject) => !earlier.has(JSON.stringify(booking))

const field = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`

describe('complete copies', () => {
  test.each([
    ['a JSON list of bookings', () => JSON.stringify(truths.now.bookings)],
    ["formatted like the service's response", () => JSON.stringify({ count: 1, bookings: truths.now.bookings })],
    ['an object with lists of all resources', () => JSON.stringify(truths.now)],
    [
      'formatted like a page of a list',
      () => JSON.stringify({ from: 0, to: 9, length: 9, items: truths.now.giftcards }),
    ],
    ['a list of customers in NDJSON', () => truths.now.customers.map((one) => `${JSON.stringify(one)}\n`).join('')],
    ['a list of sales in NDJSON', () => truths.now.sales.map((one) => JSON.stringify(one)).join('\n')],
  ])('compareCopy finds no difference in a complete copy that is %s', async (_form, text) => {
    expect(await compareText(text())).toMatchObject({ agrees: true, missing: [], extra: [], stale: [] })
  })

  test('compareCopy finds no difference in a version log whose newest versions are current', async () => {
    const all = [...truths.now.bookings, ...truths.before.bookings]
    expect(await compareText(all.map((one) => JSON.stringify(one)).join('\n'))).toMatchObject({ agrees: true })
  })

  test('compareCopy accepts a complete copy in CSV but reports a wrong field in it', async () => {
    const rows = truths.now.bookings.map((one) => {
      const { code } = one['status'] as JsonObject
      const notes = String(one['notes'] ?? '')
      return [idOf(one), one['people'], code, /^[=+@-]/.test(notes) ? `'${notes}` : notes].map(field).join(',')
    })
    const text = `bookingId,people,status.code,notes\n${rows.join('\n')}\n`
    expect(await compareText(text, 'copy.csv')).toMatchObject({ agrees: true, compared: truths.now.bookings.length })
    const wrong = text.replace(`"${idOf(truths.now.bookings[0] as JsonObject)}","`, (start) => `${start}9`)
    expect((await compareText(wrong, 'copy.csv')).stale).toMatchObject([{ fields: ['people'] }])
  })

  test('compareCopy ignores additional members, missing members and outdated customer details', async () => {
    const own = truths.now.bookings.map(({ bookingId, people, status, customer }) => ({
      ...{ bookingId, people, status, ourKey: 7 },
      customer: { ...(customer as JsonObject), notes: 'as it was yesterday' },
    }))
    expect(await compareJson(own)).toMatchObject({ agrees: true })
  })
})

describe('copies with differences', () => {
  test('compareCopy reports a missing, a stale and an extra booking', async () => {
    const [gone, old, ...others] = truths.now.bookings.filter(wasTouched)
    const untouched = truths.now.bookings.filter((one) => !wasTouched(one))
    const copy = [
      ...[...others, ...untouched.slice(1)],
      { ...old, people: 99, status: { ...(old?.['status'] as JsonObject), code: 'MAYBE' } },
      { ...gone, bookingId: 'BK-NONE' },
    ]
    const report = await compareJson(copy)
    expect(report).toMatchObject({
      agrees: false,
      resources: ['bookings'],
      extra: [{ resource: 'bookings', id: 'BK-NONE' }],
      stale: [{ resource: 'bookings', id: idOf(old ?? {}), fields: ['people', 'status.code'] }],
    })
    expect(report.missing.map(({ id }) => id).toSorted()).toEqual(
      [idOf(gone ?? {}), idOf(untouched[0] ?? {})].toSorted(),
    )
  })

  test('compareCopy reports all bookings that changed on the day as missing from an empty copy', async () => {
    const touched = truths.now.bookings.filter(wasTouched)
    expect(touched.length).toBeGreaterThan(20)
    for (const text of ['[]', '', '{"bookings":[]}'])
      expect((await compareText(text)).missing.length, text).toBe(touched.length)
  })

  test('compareCopy reports a missing sale, a stale gift card and stale customers', async () => {
    const { sales, giftcards, customers } = truths.now
    const report = await compareJson({
      sales: sales.slice(0, -1),
      giftCards: giftcards.map((one, at) => (at === 2 ? { ...one, remainingAmount: 1e6 } : one)),
      customers: customers.map((one) => ({ ...one, subscribed: true })),
    })
    expect(report.missing.map(({ resource }) => resource)).toEqual(['sales'])
    expect(report.stale.filter(({ resource }) => resource === 'giftcards')).toMatchObject([
      { fields: ['remainingAmount'] },
    ])
    expect(report.stale.filter(({ resource }) => resource === 'customers').length).toBeGreaterThan(2)
  })
})

describe('partial copies', () => {
  test('compareCopy accepts a partial copy that has every booking that changed on the day', async () => {
    expect(await compareJson(truths.now.bookings.filter(wasTouched))).toMatchObject({ agrees: true })
  })

  test("compareCopy accepts a copy that has only the day's changes and a few complete days, but reports a missing booking on those days", async () => {
    const isNear = ({ bookingTime }: JsonObject) =>
      String(bookingTime) > '2026-12-15' && String(bookingTime) < '2026-12-22'
    const copy = truths.now.bookings.filter((one) => isNear(one) || wasTouched(one))
    expect(await compareJson(copy)).toMatchObject({ agrees: true })
    const untouched = copy
      .filter((one) => !wasTouched(one))
      .toSorted((one, other) => (String(one['bookingTime']) < String(other['bookingTime']) ? -1 : 1))
    const hole = untouched[Math.floor(untouched.length / 2)]
    const report = await compareJson(copy.filter((one) => one !== hole))
    expect(report.missing).toEqual([{ resource: 'bookings', id: idOf(hole ?? {}) }])
  })
})

describe('copies read from a URL', () => {
  async function answering(status: number, body: string) {
    return `${(await startRawServer([answers(status, body)])).baseUrl}/copy?all=1`
  }

  test('readCopy fetches a copy from a URL', async () => {
    const where = await answering(200, JSON.stringify(truths.now.bookings))
    expect(compareCopy(await readCopy({ where, ...NOWHERE }), truths)).toMatchObject({ agrees: true })
  })

  test.each([
    [500, 'oh', 'NETWORK_ERROR', 'answered 500, not 200'],
    [302, '', 'NETWORK_ERROR', 'answered 302, not 200'],
    [200, '"hello"', 'INCOMPLETE', "none of the service's records"],
    [200, '[{"ref":"our own"}]', 'INCOMPLETE', "none of the service's records"],
    [200, '{"broken', 'INCOMPLETE', "none of the service's records"],
  ])('readCopy explains why it cannot use a response with status %s and body %j', async (status, body, code, words) => {
    const where = await answering(status, body)
    const expected = { code, message: expect.stringContaining(words) }
    await expect(readCopy({ where, ...NOWHERE })).rejects.toMatchObject(expected)
  })

  test('readCopy fails with NETWORK_ERROR if no server listens at the URL', async () => {
    await expect(readCopy({ where: 'http://127.0.0.1:9/', ...NOWHERE })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
  })
})

test.each(['', 'http://', 'https://user:word@a.example/'])('checkCopyLocation refuses the location "%s"', (where) => {
  expect(() => checkCopyLocation(where)).toThrow(/^--report/)
})
