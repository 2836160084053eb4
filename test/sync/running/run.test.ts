import { describe, expect, test } from 'vitest'
import { after, answers, truncated } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { at, booking, deskFor, startDesk, startSyncService } from '../service.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const MINUTE = 60_000
const SINCE = ['--since', '2026-11-20T00:00:00Z']

describe('repeated syncs', () => {
  test('a later run sends a single request for an overlapping window and stores no duplicates', async () => {
    const { service, desk } = await startDesk(NOON, [booking('A', '2026-11-20T11:58:00.000Z')])
    expect(await desk.sync(...SINCE)).toMatchObject({ code: 0, stdout: '' })
    service.nowMs += 10 * MINUTE
    service.records.push(booking('B', '2026-11-20T12:05:00.000Z'))
    const second = await desk.sync()
    expect(second.stderr).toMatch(/^bookings: 1 new, 0 changed, 1 unchanged; window .* to .*; 1 request\n$/)
    const [from] = service.windows().at(-1) ?? []
    // The cursor is the time on the service's clock when the request arrived, minus the duration of the request.
    expect(at(from ?? '')).toBeGreaterThan(at(NOON) - 6 * MINUTE)
    expect(at(from ?? '')).toBeLessThanOrEqual(at(NOON) - 5 * MINUTE)
    expect(desk.has()).toEqual(['A@11:58:00', 'B@12:05:00'])
  })

  test('a later run stores both a new version of a booking and a late change within the overlap', async () => {
    const { service, desk } = await startDesk(NOON, [booking('A', '2026-11-20T11:58:00.000Z')])
    await desk.sync(...SINCE)
    service.nowMs += MINUTE
    service.records = [booking('A', '2026-11-20T12:00:30.000Z'), booking('LATE', '2026-11-20T11:57:00.000Z')]
    expect((await desk.sync()).stderr).toMatch(/1 new, 1 changed, 0 unchanged/)
    expect(desk.has()).toEqual(['A@11:58:00', 'LATE@11:57:00', 'A@12:00:30'])
  })

  test('a run with a larger --overlap than the previous run finds late changes without storing duplicates', async () => {
    const { service, desk } = await startDesk(NOON, [
      booking('A', '2026-11-20T08:00:00.000Z'),
      booking('B', '2026-11-20T11:59:59.000Z'),
    ])
    await desk.sync(...SINCE, '--overlap', '0s')
    service.nowMs += MINUTE
    service.records.push(booking('LATE', '2026-11-20T07:00:00.000Z'))
    expect((await desk.sync('--overlap', '6h')).stderr).toMatch(/1 new, 0 changed, 2 unchanged/)
    expect(desk.has()).toEqual(['A@08:00:00', 'B@11:59:59', 'LATE@07:00:00'])
  })

  test('the cursor advances even if a run finds no records', async () => {
    const { service, desk } = await startDesk(NOON)
    await desk.sync(...SINCE)
    service.nowMs += 60 * MINUTE
    await desk.sync()
    service.nowMs += 60 * MINUTE
    await desk.sync()
    const from = service.windows().map(([first]) => first?.slice(0, 14))
    expect(from).toEqual(['2026-11-20T00:', '2026-11-20T11:', '2026-11-20T12:'])
    expect(desk.lines()).toEqual([])
  })

  test('--since applies only to the first sync, and later runs report that they ignore it', async () => {
    const { service, desk } = await startDesk(NOON)
    await desk.sync(...SINCE)
    expect((await desk.sync('--since', '2026-11-01')).stderr).toMatch(
      /^--since applies only to the first sync: continuing from 2026-11-20T1[12]:/,
    )
    expect(service.windows().at(-1)?.[0]).toMatch(/^2026-11-20T11:5/)
  })
})

describe('the time windows of a sync', () => {
  test('each window is twice as long as the one before it, and a record on the boundary of two windows is written only once', async () => {
    const { service, desk } = await startDesk(NOON, [
      booking('EDGE-1', '2026-01-08T00:00:00.000Z'),
      booking('EDGE-2', '2026-01-08T00:00:00.000Z'),
      booking('EDGE-3', '2026-01-22T00:00:00.000Z'),
    ])
    expect((await desk.sync('--since', '2026-01-01T00:00:00Z')).stderr).toMatch(/3 new, 0 changed, 3 unchanged/)
    expect(service.windows().slice(0, 4)).toEqual([
      ['2026-01-01T00:00:00.000Z', '2026-01-08T00:00:00.000Z'],
      ['2026-01-08T00:00:00.000Z', '2026-01-22T00:00:00.000Z'],
      ['2026-01-22T00:00:00.000Z', '2026-02-19T00:00:00.000Z'],
      ['2026-02-19T00:00:00.000Z', '2026-04-16T00:00:00.000Z'],
    ])
    expect(desk.has()).toEqual(['EDGE-1@00:00:00', 'EDGE-2@00:00:00', 'EDGE-3@00:00:00'])
  })

  test('earlier windows stay committed if a window fails, and the next run continues with that window', async () => {
    const { service, desk } = await startDesk(NOON, [
      booking('A', '2026-01-02T00:00:00.000Z'),
      booking('B', '2026-01-10T00:00:00.000Z'),
      booking('C', '2026-01-11T00:00:00.000Z'),
    ])
    service.lie = (_, query) => {
      if (!query.get('UpdatedFromDate')?.startsWith('2026-01-08')) return undefined
      const body = JSON.stringify({ bookings: service.records.slice(1) })
      return truncated(body, body.length - 20)
    }
    expectRefusal(await desk.sync('--since', '2026-01-01T00:00:00Z'), {
      code: 13,
      says: /the list stopped after 1 record.*\n.*complete up to 2026-01-08T00:00:00.000Z; run the sync again/s,
    })
    expect(desk.has()).toEqual(['A@00:00:00'])
    service.lie = null
    expect((await desk.sync()).stderr).toMatch(/2 new, 0 changed, 0 unchanged/)
    expect(desk.has()).toEqual(['A@00:00:00', 'B@00:00:00', 'C@00:00:00'])
  })

  test('the cursor does not advance after a response that is cut off or has fewer records than its count', async () => {
    const { service, desk } = await startDesk(NOON, [booking('A', '2026-11-20T08:00:00.000Z')])
    service.lie = () => truncated('{"count":1,"bookings":[{"bookingId"', 30)
    expect((await desk.sync(...SINCE)).code).toBe(8)
    service.lie = () => answers(200, { count: 7, bookings: service.records })
    expect((await desk.sync(...SINCE)).code).toBe(13)
    expect(desk.lines()).toEqual([])
    service.lie = null
    await desk.sync(...SINCE)
    expect(desk.has()).toEqual(['A@08:00:00'])
  })
})

describe('unusual records', () => {
  test('records without an ID or a date are distinguished by their content', async () => {
    const odd = [
      { people: 2, lastModifiedDate: '2026-11-20T11:59:00.000Z' },
      { bookingId: 'B', people: 3 },
      { bookingId: 'C', lastModifiedDate: null },
      { bookingId: '', lastModifiedDate: 'soon' },
    ]
    const { service, desk } = await startDesk(NOON, odd)
    await desk.sync(...SINCE)
    expect(desk.lines()).toHaveLength(4)
    service.nowMs += 60 * MINUTE
    service.records = [...odd.slice(1), { bookingId: 'B', people: 4 }]
    expect((await desk.sync()).stderr).toMatch(/0 new, 1 changed, 3 unchanged/)
    service.nowMs += 60 * MINUTE
    expect((await desk.sync()).stderr).toMatch(/0 new, 0 changed, 4 unchanged/)
    expect(desk.records()).toEqual(
      [odd[2], odd[1], odd[0], odd[3], { bookingId: 'B', people: 4 }].sort(byText(desk.lines())),
    )
  })

  test('a record that occurs twice in a response is written once, exactly as the service sent it', async () => {
    const texts = [
      '{"bookingId":"A","lastModifiedDate":"2026-11-20T08:00:00Z","amount":25.00,"notes":"\\u0041 \\"}{\\" \u2028"}',
      '{ "lastModifiedDate" : "2026-11-20T08:00:00Z",\n  "customer": {"bookingId": "no"}, "bookingId" : "B" }',
    ]
    const { service, desk } = await startDesk(NOON)
    const body = `{"bookings":[${[...texts, ...texts].join(',')}]}`
    service.lie = () => answers(200, body, { 'content-type': 'application/json', date: new Date(NOON).toUTCString() })
    expect((await desk.sync(...SINCE)).stderr).toMatch(/2 new, 0 changed, 2 unchanged/)
    expect(desk.lines()).toEqual([
      texts[0],
      '{"lastModifiedDate":"2026-11-20T08:00:00Z","customer":{"bookingId":"no"},"bookingId":"B"}',
    ])
  })
})

describe("the service's clock", () => {
  test('a booking that changes while its window is being read is copied by the next run', async () => {
    const { service, desk } = await startDesk(NOON, [booking('A', '2026-11-20T11:00:00.000Z')])
    const body = JSON.stringify({ bookings: service.records })
    // The request is sent at noon. The response is dated one second later but shows the state at noon.
    service.lie = () =>
      after(
        1000,
        answers(200, body, { 'content-type': 'application/json', date: new Date(at(NOON) + 1000).toUTCString() }),
      )
    await desk.sync(...SINCE, '--overlap', '0s')
    service.lie = null
    service.nowMs += 2000
    service.records = [booking('A', '2026-11-20T12:00:00.400Z')]
    expect((await desk.sync('--overlap', '0s')).stderr).toMatch(/0 new, 1 changed, 0 unchanged/)
  })

  test.each([
    ['ahead', '2031-03-01T00:00:00.000Z', '2031-02-28T23:59:00.000Z'],
    ['behind', '2025-03-01T00:00:00.000Z', '2025-02-28T23:59:00.000Z'],
  ])('all changes are read from a service whose clock is years %s', async (_, now, changed) => {
    const { service, desk } = await startDesk(now, [booking('A', changed)])
    expect((await desk.sync('--since', '2025-01-01')).code).toBe(0)
    expect(desk.has()).toEqual(['A@23:59:00'])
    service.nowMs += 10 * MINUTE
    service.records.push(booking('B', new Date(service.nowMs - MINUTE).toISOString()))
    expect((await desk.sync()).code).toBe(0)
    expect(desk.has()).toEqual(['A@23:59:00', 'B@00:09:00'])
    const overlapped = new Date(at(now) - 5 * MINUTE - 1000).toISOString().slice(0, 13)
    expect(service.windows().map(([from]) => from?.slice(0, 13))).toContain(overlapped)
  })

  test("sync reads a paged list only up to the service's current time, even if the service's clock is behind and has stopped", async () => {
    const service = await startSyncService('2025-03-01T00:00:00.000Z', [
      { id: 'A', lastModifiedDate: '2025-02-28T23:59:00Z' },
    ])
    const desk = deskFor(service.server.env, 'c.ndjson', 'customers')
    for (const args of [['--since', '2025-02-28T20:00:00Z'], []]) expect((await desk.sync(...args)).code).toBe(0)
    expect(desk.has()).toEqual(['A@23:59:00'])
    for (const [, to] of service.windows()) expect(at(to ?? '')).toBeLessThanOrEqual(service.nowMs)
  })

  test("a later run reads a paged list only up to the service's current time, even if the service's clock is behind", async () => {
    const customer = (id: string, date: string) => ({ id, lastModifiedDate: date })
    const { service, desk } = await startDesk(
      '2025-03-01T00:00:00.000Z',
      [customer('A', '2025-02-28T23:59:00.000Z')],
      'c.ndjson',
      'customers',
    )
    const present: number[] = []
    const zeroMs = service.nowMs - performance.now()
    let laterMs = 0
    Object.defineProperty(service, 'nowMs', { get: () => zeroMs + laterMs + performance.now() })
    service.lie = () => void present.push(service.nowMs)
    expect((await desk.sync('--since', '2025-02-28T20:00:00Z')).code).toBe(0)
    laterMs = 10 * MINUTE
    service.records.push(customer('B', '2025-03-01T00:09:00.000Z'))
    expect((await desk.sync()).code).toBe(0)
    expect(desk.has()).toEqual(['A@23:59:00', 'B@00:09:00'])
    expect(service.windows().filter(([, to], at) => Date.parse(to ?? '') > (present[at] ?? 0))).toEqual([])
  })

  test("no change is missed or duplicated if the service's clock is set back and later catches up", async () => {
    const { service, desk } = await startDesk(NOON, [booking('A', '2026-11-20T11:59:00.000Z')])
    await desk.sync(...SINCE)
    service.nowMs = at('2026-11-20T10:00:00Z')
    service.records.push(booking('B', '2026-11-20T09:59:30.000Z'))
    const back = await desk.sync()
    expect(back.stderr).toMatch(
      /^warning: the service's clock was set back: it shows 2026-11-20T\S+, but the copy .* 2026-11-20T\S+;/,
    )
    expect(back.stderr).toMatch(/1 new/)
    service.nowMs = at('2026-11-20T10:30:00Z')
    service.records.push(booking('C', '2026-11-20T10:10:00.000Z'))
    expect((await desk.sync()).stderr).toMatch(/1 new/)
    // The service's clock catches up long after the last run. Changes such as D have earlier dates than the cursor.
    service.nowMs = at('2026-11-20T12:30:00Z')
    service.records.push(booking('D', '2026-11-20T10:40:00.000Z'), booking('E', '2026-11-20T12:20:00.000Z'))
    const caughtUp = await desk.sync()
    expect(caughtUp.stderr).toMatch(/2 new/)
    expect(caughtUp.stderr).not.toContain('warning')
    service.nowMs += MINUTE
    expect((await desk.sync()).stderr).toMatch(/0 new.*window 2026-11-20T12:2.*1 request/)
    expect(desk.has()).toEqual(['A@11:59:00', 'B@09:59:30', 'C@10:10:00', 'D@10:40:00', 'E@12:20:00'])
  })

  test("sync uses this machine's clock if responses have no date, and reports it only once", async () => {
    const service = await startSyncService(NOON, [booking('A', '2026-11-20T08:00:00.000Z')])
    service.isDated = false
    const desk = deskFor(service.server.env)
    const done = await desk.sync('--since', '2026-01-01')
    expect(done.code).toBe(0)
    expect(done.stderr.match(/responses have no date/g)).toHaveLength(1)
    expect(desk.has()).toEqual(['A@08:00:00'])
    expect(done.stderr).toContain(`to ${new Date().toISOString().slice(0, 10)}`)
  })

  test('changes around the transitions to and from daylight saving time are copied', async () => {
    // Clocks in Sydney were set forward at 16:00 UTC on 3 October and set back at 16:00 UTC on 4 April.
    const service = await startSyncService('2026-10-04T12:00:00Z', [
      booking('A', '2026-04-04T15:59:59.000Z'),
      booking('B', '2026-04-04T16:00:00.000Z'),
      booking('C', '2026-10-03T15:59:59.000Z'),
      booking('D', '2026-10-03T16:00:00.000Z'),
    ])
    const desk = deskFor({ ...service.server.env, PARTNER_TIMEZONE: 'Australia/Sydney', TZ: 'Australia/Sydney' })
    await desk.sync('--since', '2026-04-05 01:00')
    expect(service.windows()[0]?.[0]).toBe('2026-04-04T14:00:00.000Z')
    expect(desk.has()).toEqual(['A@15:59:59', 'B@16:00:00', 'C@15:59:59', 'D@16:00:00'])
  })
})

function byText(lines: readonly string[]) {
  return (one: unknown, other: unknown) => lines.indexOf(JSON.stringify(one)) - lines.indexOf(JSON.stringify(other))
}
