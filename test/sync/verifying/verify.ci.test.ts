import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Run, runPartner } from '../../support/partner.ts'
import { answers, truncated } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'
import { ownPid } from '../../support/windows.ts'
import { at, booking, type Desk, deskFor, type SyncService, startDesk, startSyncService } from '../service.ts'

const SOURCE = ['--source', 'city']

function verify(desk: Desk, ...flags: readonly string[]): Promise<Run> {
  return runPartner(['bookings', 'sync', 'verify', '--to', desk.path, ...SOURCE, ...flags], { env: desk.env })
}

async function statusOf(desk: Desk) {
  const line = ['bookings', 'sync', 'status', '--to', desk.path, ...SOURCE, '--json']
  return JSON.parse((await runPartner(line, { env: desk.env })).stdout)
}

function found({ stdout }: Run): string[] {
  const rows = JSON.parse(stdout) as { id: string; difference: string }[]
  return rows.map(({ id, difference }) => `${id} ${difference}`).sort()
}

async function copied(name: string) {
  const records = ['A', 'B', 'C', 'D', 'E'].map((id, day) => booking(id, `2026-03-0${day + 1}T10:00:00.000Z`))
  const { service, desk } = await startDesk('2026-11-20T12:00:00Z', records, name)
  expect(await desk.sync(...SOURCE)).toMatchObject({ code: 0 })
  return { service, desk }
}

/**
 * Changes records that are older than the copy's cursor, so that the copy differs from the service in every possible
 * way.
 */
function changeBehind(service: SyncService): void {
  const [a, b, c, d] = service.records
  service.records = [
    { ...a, people: 7 },
    { ...b, lastModifiedDate: '2026-04-01T10:00:00.000Z' },
    // The copy has a newer version of this record than the service.
    { ...c, lastModifiedDate: '2026-02-01T10:00:00.000Z', people: 9 },
    d ?? {},
    booking('F', '2026-03-09T10:00:00.000Z'),
  ]
}

const CHANGED = ['A stale', 'B stale', 'C stale', 'E extra', 'F missing']

/** Syncs `count` bookings that were changed at intervals of one minute. */
async function syncMany(count: number, name: string) {
  const day = (at: number) => new Date(Date.UTC(2026, 2, 1) + at * 60_000).toISOString()
  const all = Array.from({ length: count }, (_, at) => booking(`R${at}`, day(at)))
  const service = await startSyncService('2026-11-20T12:00:00Z', all)
  const desk = deskFor(service.server.env, name)
  expect(await desk.sync(...SOURCE)).toMatchObject({ code: 0 })
  return { day, all, service, desk }
}

describe.each(['b.ndjson', 'b.db'])('sync verify with a copy in %s', (name) => {
  test('verify finds no differences in an unchanged copy, however the service formats its JSON', async () => {
    const { service, desk } = await copied(name)
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
    expect((await verify(desk)).stderr).toMatch(/^bookings: 5 compared, no differences; \d+ requests\n$/)
    // The JSON differs in whitespace, member order and number format.
    service.lie = (_request, query) =>
      answers(
        200,
        `{"bookings": [${service.records
          .filter(
            ({ lastModifiedDate: date }) =>
              at(date) >= at(query.get('UpdatedFromDate') ?? '') && at(date) <= at(query.get('UpdatedToDate') ?? ''),
          )
          .map((one) => `{ "people": 2.0, ${JSON.stringify({ ...one, people: undefined }).slice(1)}`)}]}`,
        { date: new Date(service.nowMs).toUTCString(), 'content-type': 'application/json' },
      )
    expect(await verify(desk)).toMatchObject({ code: 0 })
  })

  test('verify reports only changed bookings even if the service reformats all bookings', async () => {
    const { day, all, service, desk } = await syncMany(1050, name)
    const reversed = all.map((one) => Object.fromEntries(Object.entries(one).reverse()))
    const stale = [3, 20, 1049]
    service.records = [
      ...reversed.map((one, at) => (stale.includes(at) ? { ...one, people: 9 } : one)).filter((_, at) => at !== 7),
      booking('NEW', day(10)),
    ]
    const run = await verify(desk, '-o', 'ndjson')
    expect(run.stdout.match(/"(?:id|difference)":"\w+"/g)?.map((text) => text.split('"')[3])).toEqual(
      ['R3 stale', 'NEW missing', 'R20 stale', 'R1049 stale', 'R7 extra'].flatMap((line) => line.split(' ')),
    )
  })

  test('verify reports a booking as stale if the service has an older version than the copy', async () => {
    const { service, desk } = await copied(name)
    const old = service.records
    const later = (people: number, at: string) => old.map((one) => ({ ...one, people, lastModifiedDate: at }))
    service.records = later(9, '2026-11-20T11:59:58.000Z')
    expect(await desk.sync(...SOURCE)).toMatchObject({ code: 0 })
    service.nowMs += 60_000
    expect(await desk.sync(...SOURCE)).toMatchObject({ code: 0 })
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
    service.records = [...old.slice(0, 2), ...service.records.slice(2)]
    expect(found(await verify(desk, '--json'))).toEqual(['A stale', 'B stale'])
    expect(await verify(desk, '--repair')).toMatchObject({ code: 0 })
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
    // The file now contains the same version of A twice.
    service.records = [{ ...service.records[1], people: 7 }, ...service.records.slice(2)]
    expect(found(await verify(desk, '--json'))).toEqual(['A extra', 'B stale'])
  })

  test('verify --repair writes bookings in the order in which the service lists them', async () => {
    const { service, desk } = await copied(name)
    const [a, b, c, d, e] = service.records
    const [more, last] = [booking('F', '2026-03-02T11:00:00.000Z'), booking('G', '2026-03-09T10:00:00.000Z')]
    service.records = [a ?? {}, { ...b, people: 9 }, more, c ?? {}, { ...d, people: 9 }, { ...e, people: 9 }, last]
    expect(await verify(desk, '--repair')).toMatchObject({ code: 0 })
    if (name === 'b.ndjson')
      expect(
        readFileSync(desk.path, 'utf8')
          .match(/(?<="bookingId":")\w/g)
          ?.join(''),
      ).toBe('ABCDEBFDEG')
  })

  test('verify reports both stale bookings and more than a thousand extra ones', async () => {
    const { all, service, desk } = await syncMany(1100, name)
    service.records = all.slice(0, 50).map((one, at) => (at % 20 === 3 ? { ...one, people: 9 } : one))
    const rows = found(await verify(desk, '--json'))
    expect(rows.filter((row) => row.endsWith('stale'))).toEqual(['R23 stale', 'R3 stale', 'R43 stale'])
    expect(rows.filter((row) => row.endsWith('extra'))).toHaveLength(1050)
  })

  test('verify --repair can handle booking IDs that contain U+0000 or an unpaired surrogate', async () => {
    const { service, desk } = await copied(name)
    service.records = [...service.records, ...['X\0Y', 'Z\ud800'].map((id) => booking(id, '2026-03-06T10:00:00.000Z'))]
    expect(await verify(desk, '--repair')).toMatchObject({ code: 0, stderr: expect.stringContaining('2 missing') })
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
    service.records = service.records.map((one) => ({ ...one, people: 9 }))
    expect(await verify(desk, '--repair')).toMatchObject({ code: 0, stderr: expect.stringContaining('7 stale') })
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
    expect(await statusOf(desk)).toMatchObject({ rows: name === 'b.db' ? 7 : 14 })
  })

  test('verify lists each booking that differs, exits with code 11 and leaves the copy unchanged', async () => {
    const { service, desk } = await copied(name)
    changeBehind(service)
    const before = readFileSync(desk.path)
    const run = await verify(desk, '--json')
    expect(run.code).toBe(11)
    expect(found(run)).toEqual(CHANGED)
    const { error } = JSON.parse(run.stderr)
    expect(error).toMatchObject({ code: 'PARTIAL_FAILURE', details: { missing: 1, stale: 3, extra: 1, compared: 5 } })
    expect(readFileSync(desk.path)).toEqual(before)
    expect((await statusOf(desk)).rows).toBe(5)
  })

  test('verify --repair fixes the copy and keeps its cursor', async () => {
    const { service, desk } = await copied(name)
    const before = await statusOf(desk)
    changeBehind(service)
    const run = await verify(desk, '--json', '--repair')
    expect(run).toMatchObject({ code: 0 })
    expect(found(run)).toEqual(CHANGED)
    expect(run.stderr).toContain('1 missing, 3 stale, 1 extra; repaired')
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
    expect((await statusOf(desk)).cursor).toBe(before.cursor)
    // The next sync continues from the cursor, which has not changed.
    service.records = [...service.records, booking('G', '2026-11-20T11:59:58.000Z')]
    expect(await desk.sync(...SOURCE)).toMatchObject({ stderr: expect.stringContaining('1 new, 0 changed') })
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
  })

  test('verify does not report changes after the last sync as differences', async () => {
    const { service, desk } = await copied(name)
    const [a, b] = service.records
    service.nowMs += 60_000
    service.records = [
      ...service.records.slice(2),
      { ...a, people: 8, lastModifiedDate: '2026-11-20T12:00:30.000Z' },
      { ...b, lastModifiedDate: '2026-11-20T12:00:31.000Z' },
      booking('NEW', '2026-11-20T12:00:32.000Z'),
    ]
    const run = await verify(desk)
    expect(run).toMatchObject({ code: 0, stdout: '' })
    expect(run.stderr).toContain('3 compared, no differences; 3 changed since the last sync')
  })

  test('verify does not report a booking that changes while verify is reading the service', async () => {
    const { service, desk } = await copied(name)
    let requests = 0
    // Booking E moves to a later window before its own window is read.
    service.lie = () => {
      if (++requests === 2) {
        const [e] = service.records.slice(4)
        service.nowMs += 1000
        service.records = [
          ...service.records.slice(0, 4),
          { ...e, lastModifiedDate: new Date(service.nowMs + 700).toISOString() },
        ]
      }
      return undefined
    }
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
  })

  test('verify neither reports nor repairs anything if it cannot read all bookings from the service', async () => {
    const { service, desk } = await copied(name)
    changeBehind(service)
    const before = await statusOf(desk)
    const bookings = [booking('X', '2026-11-01T10:00:00Z'), booking('Y', '2026-11-02T10:00:00Z')]
    const body = JSON.stringify({ bookings })
    service.lie = (_request, query) =>
      at(query.get('UpdatedToDate') ?? '') > service.nowMs ? truncated(body, body.length - 60) : undefined
    expect(await verify(desk, '--repair', '--json')).toMatchObject({ code: 13, stdout: '' })
    service.lie = (_request, query) =>
      at(query.get('UpdatedToDate') ?? '') > service.nowMs ? answers(503, 'busy') : undefined
    expect(await verify(desk, '--repair', '--retries', '0')).toMatchObject({ code: 8, stdout: '' })
    expect(await statusOf(desk)).toMatchObject({ rows: before.rows, cursor: before.cursor })
    service.lie = null
    expect(found(await verify(desk, '--json'))).toEqual(CHANGED)
  })

  test('verify ignores bookings that changed before the --since date of the first sync', async () => {
    const records = [booking('OLD', '2026-01-01T10:00:00Z'), booking('A', '2026-03-01T10:00:00Z')]
    const { service, desk } = await startDesk('2026-11-20T12:00:00Z', records, name)
    await desk.sync(...SOURCE, '--since', '2026-02-01')
    expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
    // The copy contains only A, which the service no longer has.
    service.records = [booking('OLD', '2026-01-01T10:00:00Z'), booking('LATE', '2026-02-02T10:00:00Z')]
    expect(found(await verify(desk, '--json'))).toEqual(['A extra', 'LATE missing'])
  })

  test('verify requests bookings with the same parameters as sync does', async () => {
    const { service, desk } = await copied(name)
    await desk.sync(...SOURCE, '--include-customer', '--param', 'venue=7')
    const before = service.server.requests.length
    await verify(desk)
    for (const { target } of service.server.requests.slice(before))
      expect(target).toMatch(/IncludeCustomerDetails=true.*venue=7/)
  })

  test('verify runs while a sync holds the copy, but verify --repair exits with code 12', async () => {
    const { desk } = await copied(name)
    const line = ['bookings', 'sync', '--to', desk.path, ...SOURCE, '--every', '1h']
    const sync = startPartner(line, { env: desk.env, isService: true })
    await until(() => sync.said.stderr.includes('unchanged'))
    const pid = await ownPid(sync.process)
    expect(await verify(desk)).toMatchObject({ code: 0 })
    expect(await statusOf(desk)).toMatchObject({ holder: { who: `process ${pid} (bookings sync)` } })
    const refused = await verify(desk, '--repair')
    expect(refused).toMatchObject({ code: 12, stdout: '' })
    expect(refused.stderr).toContain(`process ${pid}`)
    sync.process.kill('SIGINT')
    await sync.ended
    expect(await statusOf(desk)).toMatchObject({ holder: null })
  })

  test('if the copy does not exist, verify exits with code 2 and explains how to create it', async () => {
    const { service, desk } = await startDesk('2026-11-20T12:00:00Z', [], name)
    const run = await verify(desk)
    expect(run.code).toBe(2)
    expect(run.stderr).toContain(`next: create it: partner bookings sync --to ${desk.path}`)
    expect(service.server.requests).toEqual([])
  })
})

describe('sync verify --from', () => {
  /** Starts a fake service that can also list bookings by booking time and return single bookings. */
  async function diary(name: string) {
    const on = (id: string, day: string, changed: string) =>
      booking(id, changed, { bookingTime: `2026-12-${day}T19:30:00` })
    const service = await startSyncService('2026-11-20T12:00:00Z', [
      on('A', '01', '2026-03-01T10:00:00.000Z'),
      on('B', '01', '2026-03-02T10:00:00.000Z'),
      on('C', '05', '2026-03-03T10:00:00.000Z'),
    ])
    service.lie = ({ target }, query) => {
      const [from, to] = [query.get('StartDate'), query.get('EndDate')]
      const date = { date: new Date(service.nowMs).toUTCString() }
      const id = /^\/Bookings\/(\w+)/.exec(target)?.[1]
      const one = service.records.find(({ bookingId }) => bookingId === id)
      if (id !== undefined) return one ? answers(200, one, date) : answers(404, 'No such booking', date)
      if (from === null) return undefined
      const bookings = service.records.filter(({ bookingTime }) => {
        const ms = at(`${bookingTime}Z`)
        return ms >= at(from) && ms <= at(to ?? '')
      })
      return answers(200, { bookings }, date)
    }
    const desk = deskFor(service.server.env, name)
    expect(await desk.sync(...SOURCE)).toMatchObject({ code: 0 })
    return { service, desk, on }
  }

  test.each(['b.ndjson', 'b.db'])('verify --from compares only bookings on or after the date, in %s', async (name) => {
    const { service, desk, on } = await diary(name)
    service.records = [
      // Since the last sync, A was rescheduled to a time outside the range and C to a time inside the range.
      on('A', '09', '2026-03-07T10:00:00.000Z'),
      on('C', '01', '2026-03-08T10:00:00.000Z'),
      on('D', '05', '2026-03-03T10:00:00.000Z'),
    ]
    const run = await verify(desk, '--from', '2026-12-01', '--json')
    expect(found(run)).toEqual(['A stale', 'B extra', 'C stale'])
    expect(run.code).toBe(11)
    expect(await verify(desk, '--from', '2026-12-20', '--to-date', '2026-12-21')).toMatchObject({ code: 0 })
    expect(await verify(desk, '--from', '2026-12-01', '--repair')).toMatchObject({ code: 0 })
    expect(await verify(desk, '--from', '2026-12-01')).toMatchObject({ code: 0, stdout: '' })
    expect(found(await verify(desk, '--json'))).toEqual(['D missing'])
  })

  test('verify --from does not report a booking as extra if it was rescheduled after the last sync', async () => {
    const { service, desk, on } = await diary('b.ndjson')
    service.nowMs += 60_000
    const [, ...others] = service.records
    service.records = [on('A', '09', '2026-11-20T12:00:30.000Z'), ...others]
    expect(await verify(desk, '--from', '2026-12-01')).toMatchObject({ code: 0, stdout: '' })
  })

  test('verify exits with code 2 if --to-date is given without --from or is before --from', async () => {
    const { desk } = await diary('b.ndjson')
    expect((await verify(desk, '--to-date', 'today')).stderr).toContain('--to-date needs --from')
    expect(await verify(desk, '--from', '2026-12-05', '--to-date', '2026-12-01')).toMatchObject({ code: 2 })
  })
})

describe('sync verify with a copy in a file', () => {
  test('verify refuses a CSV file or a stream with exit code 2 before it sends any request', async () => {
    const { service, desk } = await copied('b.csv')
    const before = service.server.requests.length
    const run = await verify(desk)
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('contains only some columns of each booking')
    expect(await runPartner(['bookings', 'sync', 'verify', '--to', '-'], { env: desk.env })).toMatchObject({ code: 2 })
    expect(service.server.requests).toHaveLength(before)
  })

  test('verify exits with code 2 if another program changed a line of the file', async () => {
    const { desk } = await copied('b.ndjson')
    writeFileSync(desk.path, readFileSync(desk.path, 'utf8').replace('{"bookingId":"B"', '{"bookingId":[B"'))
    const run = await verify(desk)
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(/line 2 of .* is not JSON|was changed by another program since the last sync/)
  })

  test("verify --repair keeps a file's mode and all lines that it does not have to change", async () => {
    const { service, desk } = await copied('b.ndjson')
    chmodSync(desk.path, 0o640)
    service.records = service.records.filter(({ bookingId }) => bookingId !== 'B')
    await verify(desk, '--repair')
    expect(desk.has().map((line) => line.slice(0, 1))).toEqual(['A', 'C', 'D', 'E'])
    expect(statSync(desk.path).mode & 0o777).toBe(0o640)
  })

  // Even if a repair is killed, the next sync must succeed, and a second repair must complete the copy.
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'a copy can be repaired after an earlier repair was killed at step %i',
    async (step) => {
      const { service, desk } = await copied('b.ndjson')
      changeBehind(service)
      const preload = `
      const fs = require('node:fs')
      let steps = 0
      for (const name of ['renameSync', 'fdatasyncSync', 'fsyncSync']) {
        const real = fs[name]
        fs[name] = (...args) => {
          if (++steps === ${step}) process.kill(process.pid, 'SIGKILL')
          return real(...args)
        }
      }`
      const line = ['bookings', 'sync', 'verify', '--to', desk.path, ...SOURCE, '--repair']
      await startPartner(line, { env: desk.env, preload }).ended
      expect(await desk.sync(...SOURCE)).toMatchObject({ code: 0 })
      expect(await verify(desk, '--repair')).toMatchObject({ code: 0 })
      expect(await verify(desk)).toMatchObject({ code: 0, stdout: '' })
      expect(desk.has().filter((line) => line.startsWith('D@'))).toHaveLength(1)
    },
  )
})
