import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daysFromNow } from '../../support/dates.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory, freshHome, runPartner, runShell } from '../../support/partner.ts'
import { answers, hangs } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { signalGroup, startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { LINUX_PIPES, ownPid } from '../../support/windows.ts'
import { at, booking, deskFor, startSyncService } from '../../sync/service.ts'

const venue = await venueOfThisFile()
const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']
const A = booking('A', '2026-11-20T11:00:00.000Z')

const SPAN = daysFromNow(-90)

describe('bookings sync against the sandbox', () => {
  test('bookings sync copies all bookings, and later runs copy each changed or new booking once', async () => {
    const desk = deskFor(venue.env)
    const first = await desk.sync()
    expect(first).toMatchObject({ code: 0, stdout: '' })
    const all = await venue.json('bookings', 'list', '--updated-from', '2000-01-01')
    const ids = (list: readonly { bookingId?: unknown }[]) => list.map(({ bookingId }) => bookingId).sort()
    expect(ids(desk.records())).toEqual(ids(all))
    expect(first.stderr).toMatch(new RegExp(`^bookings: ${all.length} new, 0 changed, `))
    await venue.run('bookings', 'update-pax', 'BK-1001', '5')
    const made = await venue.json('bookings', 'create', '--people', '2', '--time', 'tomorrow 19:30')
    expect((await desk.sync()).stderr).toMatch(/: 1 new, 1 changed, /)
    const [changed, fresh] = desk.records().slice(-2)
    expect([changed.bookingId, changed.people, fresh.bookingId]).toEqual(['BK-1001', 5, made.bookingId])
    expect((await desk.sync()).stderr).toMatch(/: 0 new, 0 changed, .*; 1 request\n$/)
  })

  test('bookings sync --include-customer writes the same customers to NDJSON and CSV files as bookings list prints', async () => {
    const [ndjson, csv] = [deskFor(venue.env), deskFor(venue.env, 'b.csv')]
    for (const { sync } of [ndjson, csv]) expect((await sync('--include-customer', '--since', SPAN)).code).toBe(0)
    expect(ndjson.records()[0]).toHaveProperty('customer.lastName')
    const list = ['bookings', 'list', '--updated-from', SPAN, '--include-customer', '-o', 'csv']
    expect(readFileSync(csv.path, 'utf8')).toBe((await venue.run(...list)).stdout)
  })

  test('bookings sync --to - streams only records and stores its position in the data directory', async () => {
    const env = { ...freshHome(), ...venue.env }
    const sync = (...flags: readonly string[]) =>
      runPartner(['bookings', 'sync', '--to', '-', '--since', SPAN, ...flags], { env })
    const first = await sync()
    expect(first.stdout).toBe((await venue.run(...['bookings', 'list', '--updated-from', SPAN, '-o', 'ndjson'])).stdout)
    expect(await sync()).toMatchObject({ code: 0, stdout: '' })
    expect((await sync('--reset')).stdout).toBe(first.stdout)
    // Positions are stored per source, so the first sync with a new --source copies all records.
    expect((await sync('--source', '../odd name/')).stdout).toBe(first.stdout)
    expect(existsSync(join(env.PARTNER_DATA_DIR, 'sync'))).toBe(true)
  })

  test('bookings sync --to - exits with code 13 if head stops reading, and a later run delivers the unread records', async (context) => {
    skipWithout(context, LINUX_PIPES)
    const env = { ...freshHome(), ...venue.env }
    // All records are in the first window. They do not fit in the buffers of the pipe and of head, so head never reads
    // all of them.
    const since = daysFromNow(-5)
    const all = (await venue.run('bookings', 'list', '--updated-from', since, '-o', 'ndjson')).stdout
    expect(all.length).toBeGreaterThan(128 * 1024)
    const sync = `partner bookings sync --to - --since ${since}`
    for (let turn = 0; turn < 2; turn++) {
      const cut = await runShell(`${sync} | head -n 1; echo "\${PIPESTATUS[0]}" >&2`, { env })
      expect(cut).toMatchObject({ stdout: `${all.split('\n')[0]}\n`, stderr: expect.stringMatching(/13\n$/) })
    }
    expect((await runPartner(['bookings', 'sync', '--to', '-', '--since', since], { env })).stdout).toBe(all)
  })

  test('bookings sync delivers records again if the reader exits before it reads them from the pipe', async (context) => {
    skipWithout(context, LINUX_PIPES)
    const service = await startSyncService(NOON, [A, booking('B', '2026-11-20T11:30:00.000Z')])
    const env = { ...freshHome(), ...service.server.env }
    const sync = `partner bookings sync --to - ${SINCE.join(' ')}`
    expect((await runShell(`${sync} | sleep 0.2; echo "\${PIPESTATUS[0]}"`, { env })).stdout).toBe('13\n')
    const slow = await runShell(`${sync} | while read -r line; do sleep 0.1; echo "$line"; done`, { env })
    expect(slow.stdout).toBe(`${JSON.stringify(A)}\n${JSON.stringify(service.records[1])}\n`)
    expect((await runShell(sync, { env })).stdout).toBe('')
  })

  test('bookings sync --dry-run shows the first request and neither locks nor creates anything', async () => {
    const desk = deskFor(venue.env)
    const shown = await desk.sync('--since', '2026-11-01T00:00:00Z', '--dry-run', '--include-customer', '--json')
    const { url } = JSON.parse(shown.stdout)
    expect(url).toContain('/Bookings?UpdatedFromDate=2026-11-01T00%3A00%3A00.000Z&UpdatedToDate=2026-11-08T')
    expect(url).toContain('IncludeCustomerDetails=true')
    expect(existsSync(desk.path)).toBe(false)
    expect(existsSync(`${desk.path}.lock`)).toBe(false)
    await desk.sync('--since', '-1h')
    const next = JSON.parse((await desk.sync('--dry-run', '--json')).stdout).url
    expect(at(new URL(next).searchParams.get('UpdatedFromDate') ?? '')).toBeGreaterThan(Date.now() - 3_600_000)
  })
})

describe('bookings sync flags', () => {
  test.each([
    ['an overlap without a unit', ['--overlap', '5'], /--overlap: "5" has no unit/],
    ['an overlap that is too long', ['--overlap', '400d'], /--overlap: "400d" is too long/],
    ['an interval of zero', ['--every', '0s'], /--every: "0s" is too short/],
    ['a lease that is too short', ['--lease', '1s'], /--lease: "1s" is too short: the minimum is 2s/],
    ['an invalid time', ['--since', 'sometime'], /--since: "sometime" is not a time/],
    ['a time in the future', ['--since', '+2h'], /--since \+2h is in the future/],
    ['an empty source', ['--source', ' '], /--source must not be empty/],
  ])('bookings sync refuses %s without sending a request', async (_, flags, says) => {
    const service = await startSyncService(NOON, [A])
    const desk = deskFor(service.server.env)
    expectRefusal(await desk.sync(...flags), { code: 2, says })
    expect(service.server.requests).toHaveLength(0)
    expect(existsSync(desk.path)).toBe(false)
  })

  test('bookings sync reports all invalid flags together and requires --to', async () => {
    const env = { ...freshHome(), ...venue.env }
    const many = await runPartner(['bookings', 'sync', '--to', 'b.txt', '--every', 'x', '--overlap', 'y'], { env })
    expectRefusal(many, { code: 2, says: /--every.*\n.*--overlap.*\n.*--to must end in/ })
    expectRefusal(await runPartner(['bookings', 'sync'], { env }), { code: 2, says: /--to/ })
  })

  test('bookings sync --reset requires --yes to empty a file when no terminal is attached', async () => {
    const desk = deskFor(venue.env)
    await desk.sync('--since', '-30d')
    const before = desk.lines()
    expectRefusal(await desk.sync('--reset'), { code: 2, says: /Empty \S+ and start over.*needs confirmation/ })
    expect(desk.lines()).toEqual(before)
    expect((await desk.sync('--reset', '--yes', '--since', '-1h')).code).toBe(0)
    expect(desk.lines().length).toBeLessThan(before.length)
  })

  test('bookings sync into a database requires --source if no profile is used', async () => {
    const to = join(freshDirectory(), 'venue.db')
    const done = await runPartner(['bookings', 'sync', '--to', to], { env: { ...freshHome(), ...venue.env } })
    expectRefusal(done, { code: 2, says: /--source is required/ })
  })
})

describe('concurrent syncs of one file', () => {
  test('only one of 20 concurrent syncs runs; the other 19 exit with code 12 and name the running process', async () => {
    const service = await startSyncService(NOON, [A])
    const desk = deskFor(service.server.env)
    // The sync that has locked the file gets no response until all other syncs have exited.
    let release = () => {}
    service.lie = (request) => (socket) => {
      release = () => answers(200, { bookings: [A] }, { date: new Date(NOON).toUTCString() })(socket, request)
    }
    const args = ['bookings', 'sync', '--to', desk.path, ...SINCE]
    const all = Array.from({ length: 20 }, () => startPartner(args, { env: desk.env }))
    let ended = 0
    for (const { ended: end } of all) void end.then(() => ended++)
    await until(() => ended === 19 && service.server.requests.length === 1)
    const pids = await Promise.all(all.map(({ process }) => ownPid(process)))
    release()
    const runs = await Promise.all(all.map((one) => one.ended))
    const worked = runs.findIndex(({ code }) => code === 0)
    for (const run of runs.filter((_, index) => index !== worked))
      expectRefusal(run, { code: 12, says: new RegExp(`is locked: process ${pids[worked]} \\(bookings sync, since `) })
    expect(desk.has()).toEqual(['A@11:00:00'])
  })

  test('a killed sync does not block the next sync, which completes the file', async () => {
    const service = await startSyncService(NOON, [A])
    const desk = deskFor(service.server.env)
    service.lie = () => hangs
    const held = startPartner(['bookings', 'sync', '--to', desk.path, ...SINCE], { env: desk.env })
    await until(() => service.server.requests.length === 1)
    expect((await desk.sync(...SINCE)).code).toBe(12)
    held.process.kill('SIGKILL')
    await held.ended
    service.lie = null
    expect((await desk.sync(...SINCE)).code).toBe(0)
    expect(desk.has()).toEqual(['A@11:00:00'])
  })

  test('bookings sync --standby waits until the running sync ends and then takes over', async () => {
    const service = await startSyncService(NOON, [A])
    const desk = deskFor(service.server.env)
    service.lie = () => hangs
    const args = ['bookings', 'sync', '--to', desk.path, ...SINCE]
    const held = startPartner(args, { env: desk.env })
    await until(() => service.server.requests.length === 1)
    const waiting = startPartner([...args, '--standby'], { env: desk.env })
    service.lie = null
    held.process.kill('SIGINT')
    expect((await held.ended).code).toBe(130)
    expect((await waiting.ended).code).toBe(0)
    expect(desk.has()).toEqual(['A@11:00:00'])
  })
})

describe('interrupting bookings sync', () => {
  test('bookings sync exits immediately with code 130 and leaves the file unchanged if interrupted during a window', async () => {
    const service = await startSyncService(NOON, [A])
    const desk = deskFor(service.server.env)
    await desk.sync(...SINCE)
    const before = readFileSync(desk.path, 'utf8')
    const part = JSON.stringify({ bookings: Array.from({ length: 2000 }, (_, n) => booking(`N-${n}`, NOON)) })
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999999\r\n\r\n'
    service.lie = () => (socket) => void socket.write(`${head}${part.slice(0, -2)},`)
    const running = startPartner(['bookings', 'sync', '--to', desk.path], { env: desk.env })
    await until(() => JSON.parse(readFileSync(`${desk.path}.state`, 'utf8')).writing)
    signalGroup(running, 'SIGINT')
    expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('stopped by SIGINT') })
    expect(readFileSync(desk.path, 'utf8')).toBe(before)
    service.lie = null
    expect((await desk.sync()).code).toBe(0)
  })

  test('bookings sync --every exits immediately on SIGTERM instead of waiting for the next run', async () => {
    const desk = deskFor((await startSyncService(NOON, [A])).server.env)
    const running = startPartner(['bookings', 'sync', '--to', desk.path, '--every', '1h', ...SINCE], { env: desk.env })
    await until(() => running.said.stderr.includes('1 new'))
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' })
  })
})

describe('bookings sync --every', () => {
  test('bookings sync --every reports a failed run, and the next run catches up', async () => {
    const service = await startSyncService(NOON, [A])
    const desk = deskFor(service.server.env)
    const args = ['bookings', 'sync', '--to', desk.path, '--every', '1s', '--retries', '0', ...SINCE]
    const running = startPartner(args, { env: desk.env })
    await until(() => running.said.stderr.includes('1 new'))
    service.lie = () => answers(503, { message: 'Down for a moment.' })
    await until(() => running.said.stderr.includes('retrying in 1 s'))
    service.nowMs += 60_000
    service.records.push(booking('B', '2026-11-20T12:00:30.000Z'))
    service.lie = null
    await until(() => desk.has().length === 2)
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(running.said.stderr).toMatch(/\nbookings: Down for a moment\.; retrying in 1 s\n/)
    expect(desk.has()).toEqual(['A@11:00:00', 'B@12:00:30'])
  })

  test('bookings sync --every exits if the target is unusable from the start', async () => {
    const desk = deskFor(venue.env)
    writeFileSync(desk.path, 'something else\n')
    expectRefusal(await desk.sync('--every', '1s'), { code: 2, says: /is not empty/ })
  })
})
