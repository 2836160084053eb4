import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tryLock } from '../../../src/base/storage/lock.ts'
import { skipWithout } from '../../support/needs.ts'
import { runPartner } from '../../support/partner.ts'
import { type Act, answers } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { NO_BLOW } from '../../support/step-killer.ts'
import { until } from '../../support/until.ts'
import { booking, type Desk, deskFor, startDesk, startSyncService } from '../service.ts'
import { killCompaction } from './kill-compaction.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']
const [A, B, C] = [
  booking('A', '2026-11-20T08:00:00.000Z'),
  booking('B', '2026-11-20T08:01:00.000Z'),
  booking('C', '2026-11-20T08:02:00.000Z'),
]
const A2 = booking('A', '2026-11-20T12:03:00.000Z', { people: 3 })
const A3 = booking('A', '2026-11-20T12:08:00.000Z', { people: 4 })
const B2 = booking('B', '2026-11-20T12:09:00.000Z')

/** Creates a log with three versions of A, one version of B and one version of C. */
async function startWithVersions(name = 'b.ndjson') {
  const { service, desk } = await startDesk(NOON, [A, B, C], name)
  for (const changed of [A, A2, A3]) {
    service.records = [changed, B, C]
    expect((await desk.sync(...SINCE)).code).toBe(0)
    service.nowMs += 300_000
  }
  expect(desk.has()).toEqual(['A@08:00:00', 'B@08:01:00', 'C@08:02:00', 'A@12:03:00', 'A@12:08:00'])
  return { service, desk }
}

const compact = ({ path, env }: Desk, ...flags: readonly string[]) =>
  runPartner(['bookings', 'sync', 'compact', path, ...flags], { env })

const statusOf = async ({ path, env }: Desk) =>
  JSON.parse((await runPartner(['bookings', 'sync', 'status', '--to', path, '--json'], { env })).stdout)

const NEWEST = ['B@08:01:00', 'C@08:02:00', 'A@12:08:00']

describe('bookings sync compact', () => {
  test('bookings sync compact keeps the newest version of each booking unchanged, and other commands see the same copy', async () => {
    const { service, desk } = await startWithVersions()
    const lines = desk.lines()
    const before = await statusOf(desk)
    const done = await compact(desk)
    expect(done).toMatchObject({ code: 0, stdout: '' })
    expect(done.stderr).toMatch(/^bookings: 3 kept, 2 older versions dropped; \d+ bytes before, \d+ after\n$/)
    expect(desk.lines()).toEqual(lines.filter((_, at) => at !== 0 && at !== 3))
    expect(readdirSync(desk.directory).sort()).toEqual(
      ['', '.compact.lock', '.lock', '.state'].map((end) => `b.ndjson${end}`),
    )
    const { lagSeconds: _, ...same } = before
    expect(await statusOf(desk)).toMatchObject({ ...same, rows: 3 })
    const verify = await runPartner(['bookings', 'sync', 'verify', '--to', desk.path], { env: desk.env })
    expect(verify, verify.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining('no differences') })
    expect((await desk.sync()).stderr).toMatch(/0 new, 0 changed, 1 unchanged/)
    service.records = [A3, B2, C]
    service.nowMs += 1000
    expect((await desk.sync('--overlap', '1d')).stderr).toMatch(/0 new, 1 changed, 2 unchanged/)
    expect(desk.has()).toEqual([...NEWEST, 'B@12:09:00'])
    expect((await compact(desk)).stderr).toMatch(/3 kept, 1 older version dropped/)
    expect((await compact(desk)).stderr).toMatch(/3 kept, 0 older versions dropped/)
  })

  test('bookings sync compact --json prints the summary, and --dry-run changes nothing', async () => {
    const { desk } = await startWithVersions()
    const before = readFileSync(desk.path)
    const tried = await compact(desk, '--dry-run', '--json')
    expect(JSON.parse(tried.stdout)).toMatchObject({ versions: 5, kept: 3, dropped: 2, dryRun: true })
    expect(tried.stderr).toMatch(/2 older versions dropped; .*; nothing was changed\n$/)
    expect(readFileSync(desk.path)).toEqual(before)
    expect(readdirSync(desk.directory)).toHaveLength(3)
    const done = JSON.parse((await compact(desk, '--json')).stdout)
    expect(done).toMatchObject({ file: desk.path, kept: 3, dropped: 2, dryRun: false, bytesBefore: before.length })
    expect(done.bytesAfter).toBe(statSync(desk.path).size)
  })

  test("bookings sync compact keeps the file's mode and all records without an ID", async () => {
    const { service, desk } = await startWithVersions()
    service.records = [{ people: 1 }, { people: 2 }, A3, B, C]
    await desk.sync()
    chmodSync(desk.path, 0o640)
    expect((await compact(desk)).stderr).toMatch(/5 kept, 2 older versions dropped/)
    expect(statSync(desk.path).mode & 0o777).toBe(0o640)
    expect((await desk.sync()).stderr).toMatch(/0 new, 0 changed/)
  })

  test.each([
    ['missing.ndjson', 'it does not exist'],
    ['notes.ndjson', 'notes.ndjson.state is missing'],
    ['b.csv', 'its name does not end in .ndjson'],
    ['b.db', 'its name does not end in .ndjson'],
    ['dir.ndjson', 'it is not a plain file'],
    ['link.ndjson', 'it is not a plain file'],
    ['b.csv/x.ndjson', 'not a directory (ENOTDIR)'],
    [`${'x'.repeat(300)}.ndjson`, 'name too long (ENAMETOOLONG)'],
  ])('bookings sync compact refuses %s, because %s', async (name, why) => {
    const { desk } = await startWithVersions()
    const at = (other: string) => join(desk.directory, other)
    writeFileSync(at('notes.ndjson'), '{"a":1}\n')
    writeFileSync(at('b.csv'), 'a\n')
    mkdirSync(at('dir.ndjson'))
    symlinkSync(desk.path, at('link.ndjson'))
    const says =
      name.length > 200 ? 'characters) is not a log' : `"${at(name)}" is not a log that this command can compact: `
    expectRefusal(await compact({ ...desk, path: at(name) }), { code: 2, says })
    expect((await compact({ ...desk, path: at(name) })).stderr).toContain(why)
    expect(readFileSync(at('notes.ndjson'), 'utf8')).toBe('{"a":1}\n')
  })

  test('bookings sync compact refuses a log of customers and a log that another program changed', async () => {
    const { desk } = await startWithVersions()
    const before = readFileSync(desk.path, 'utf8')
    writeFileSync(desk.path, before.replace('"B"', '"Z"'))
    expectRefusal(await compact(desk), { code: 2, says: 'was changed by another program since the last sync' })
    const { desk: other } = await startDesk(NOON, [], 'c.ndjson', 'customers')
    await other.sync(...SINCE)
    expectRefusal(await compact(other), {
      code: 2,
      says: /c\.ndjson" is not a log that this command can compact: it contains the customers of \S+/,
    })
  })

  test('bookings sync compact moves text appended by another program to a separate file and compacts the rest', async () => {
    const { desk } = await startWithVersions()
    appendFileSync(desk.path, '{"by":"hand"}\n')
    const done = await compact(desk)
    expect(done.code, done.stderr).toBe(0)
    expect(done.stderr).toContain(`they were moved to ${desk.path}.appended`)
    expect(readFileSync(`${desk.path}.appended`, 'utf8')).toBe('{"by":"hand"}\n')
    expect(desk.has()).toEqual(NEWEST)
  })
})

describe('bookings sync compact during a sync', () => {
  test('sync --every continues with the new log if a compaction replaces the log between two runs', async () => {
    const { service, desk } = await startWithVersions()
    const running = startPartner(['bookings', 'sync', '--to', desk.path, '--every', '1s'], { env: desk.env })
    await until(() => running.said.stderr.includes('unchanged'))
    const done = await compact(desk)
    expect(done.code, done.stderr).toBe(0)
    expect(desk.has()).toEqual(NEWEST)
    service.records = [A3, booking('B', '2026-11-20T12:12:00.000Z'), C]
    service.nowMs += 1000
    await until(() => running.said.stderr.includes('1 changed'))
    expect((await compact(desk)).code).toBe(0)
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(running.said.stderr).not.toMatch(/retrying|changed by another|warning/)
    expect(desk.has()).toEqual(['C@08:02:00', 'A@12:08:00', 'B@12:12:00'])
    expect((await desk.sync()).stderr).toMatch(/0 new, 0 changed/)
  })

  test('a running sync can store the window that it is reading even if a compaction starts in the meantime', async () => {
    const { service, desk } = await startWithVersions()
    const held: (() => void)[] = []
    service.lie = () => {
      service.lie = null
      const act: Act = (socket, request) => void held.push(() => answers(200, { bookings: [B2] })(socket, request))
      return act
    }
    service.nowMs += 1000
    const running = startPartner(['bookings', 'sync', '--to', desk.path], { env: desk.env })
    await until(() => held.length === 1)
    const compacting = compact(desk)
    await until(() => existsSync(`${desk.path}.compact`) || desk.has().length === 3)
    held[0]?.()
    expect((await running.ended).code, running.said.stderr).toBe(0)
    expect((await compacting).code).toBe(0)
    expect(desk.has()).toEqual([...NEWEST, 'B@12:09:00'])
    expect((await statusOf(desk)).rows).toBe(4)
  })

  test('concurrent syncs and compactions never fail and never lose a record', async () => {
    const { service, desk } = await startWithVersions()
    const failures: string[] = []
    const repeat = async (run: () => Promise<{ code: number | null; stderr: string }>) => {
      for (let times = 0; times < 8; times++) {
        const { code, stderr } = await run()
        if (code !== 0) failures.push(stderr)
      }
    }
    let version = 0
    await Promise.all([
      repeat(() => {
        service.nowMs += 1000
        service.records = [A3, booking('B', new Date(service.nowMs - 500).toISOString(), { version: version++ }), C]
        return desk.sync()
      }),
      repeat(() => compact(desk)),
      repeat(() => runPartner(['bookings', 'sync', 'verify', '--to', desk.path], { env: desk.env }).then(notDiffering)),
    ])
    expect(failures).toEqual([])
    expect((await compact(desk)).code).toBe(0)
    expect(desk.lines()).toHaveLength(3)
    expect(desk.records().find(({ bookingId }) => bookingId === 'B')).toMatchObject({ version: version - 1 })
  })

  test('only one compaction at a time can use a log', async () => {
    const { desk } = await startWithVersions()
    const lock = tryLock(`${desk.path}.compact.lock`, { command: 'bookings sync compact' })
    const refused = await compact(desk)
    lock?.release()
    expectRefusal(refused, { code: 12, says: `${desk.path} is locked` })
    expect((await compact(desk)).stderr).toContain('2 older versions dropped')
  })
})

/** Treats exit code 11 as success. The service changes during the test, so verify may find differences. */
function notDiffering(run: { code: number | null; stderr: string }) {
  return run.code === 11 ? { ...run, code: 0 } : run
}

describe('interrupted runs of bookings sync compact', () => {
  test('after a kill at any step, the log is either unchanged or completely compacted, and the next sync continues', async () => {
    const outcomes = new Set<string>()
    const { steps } = await killCompaction(NO_BLOW)
    expect(steps).toBeGreaterThan(10)
    for (const [at, how] of [
      [Math.ceil(steps / 3), 'after'],
      [Math.ceil(steps / 2), 'before'],
      [steps - 6, 'after'],
      [steps - 2, 'before'],
    ] as const)
      outcomes.add((await killCompaction({ at, how })).outcome)
    expect(outcomes.size).toBeGreaterThan(0)
  })

  test('on a full disk, bookings sync compact changes nothing and leaves no temporary file', async (context) => {
    skipWithout(context, SMALL_DISK)
    const service = await startSyncService(NOON, [])
    const path = join(mountSmallDisk(256), 'b.ndjson')
    const desk = { ...deskFor(service.server.env), path }
    const sync = () => runPartner(['bookings', 'sync', '--to', path, ...SINCE], { env: desk.env })
    for (const day of [1, 2]) {
      service.records = Array.from({ length: day === 1 ? 100 : 20 }, (_, at) =>
        booking(`L-${at}`, `2026-11-20T0${day}:00:00.000Z`, { notes: 'x'.repeat(1000) }),
      )
      service.nowMs += 1000
      expect((await sync()).code).toBe(0)
      service.nowMs += 86_400_000
    }
    const before = readFileSync(path)
    const filler = `${path}.filler`
    writeFileSync(filler, Buffer.alloc(80 * 1024))
    expectRefusal(await compact(desk), { code: 1, says: /cannot write .*: no space left on device/ })
    expect(readFileSync(path)).toEqual(before)
    expect(existsSync(`${path}.compacted`)).toBe(false)
    rmSync(filler)
    expect((await compact(desk)).code).toBe(0)
    expect((await sync()).code).toBe(0)
  })
})
