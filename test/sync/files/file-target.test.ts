import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NOT_ROOT, needs } from '../../support/needs.ts'
import { runPartner } from '../../support/partner.ts'
import { answers } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'
import { booking, deskFor, startDesk, startSyncService } from '../service.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']
const A = booking('A', '2026-11-20T08:00:00.000Z')
const B = booking('B', '2026-11-20T12:03:00.000Z')

/** Creates a file that contains record A, and then adds record B to the service. */
async function startWithA(name = 'b.ndjson') {
  const { service, desk } = await startDesk(NOON, [A], name)
  expect((await desk.sync(...SINCE)).code).toBe(0)
  service.nowMs += 300_000
  service.records = [A, B]
  const state = `${desk.path}.state`
  return { service, desk, state, asked: service.server.requests.length }
}

describe('files changed by another program since the last sync', () => {
  test.each([
    ['edited', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('"A"', '"Z"'))],
    ['truncated', (path: string) => truncateSync(path, 20)],
    ['emptied', (path: string) => truncateSync(path, 0)],
  ])('sync exits with code 2, sends no request and keeps its file if the file was %s', async (_, spoil) => {
    const { desk, service, asked, state } = await startWithA()
    spoil(desk.path)
    const before = [readFileSync(desk.path, 'utf8'), readFileSync(state, 'utf8')]
    const done = await desk.sync()
    expectRefusal(done, {
      code: 2,
      says: /was changed by another program since the last sync\n.*run the sync with --reset --yes to empty/s,
    })
    expect(service.server.requests).toHaveLength(asked)
    expect([readFileSync(desk.path, 'utf8'), readFileSync(state, 'utf8')]).toEqual(before)
    expectRefusal(await desk.sync('--reset'), { code: 2, says: /needs confirmation.*\n.*--yes/s })
    expect((await desk.sync('--reset', '--yes', ...SINCE)).code).toBe(0)
    expect(desk.has()).toEqual(['A@08:00:00', 'B@12:03:00'])
  })

  test.each(['b.ndjson', 'b.csv'])(
    'sync moves text that was appended to %s to a separate file and continues',
    async (name) => {
      const { desk, service, state } = await startWithA(name)
      appendFileSync(desk.path, '{"by":"hand"}\n')
      const before = [readFileSync(desk.path, 'utf8'), readFileSync(state, 'utf8')]
      const status = ['bookings', 'sync', 'status', '--to', desk.path]
      expect(await runPartner(status, { env: desk.env })).toMatchObject({ code: 0, stderr: '' })
      expect([readFileSync(desk.path, 'utf8'), readFileSync(state, 'utf8')]).toEqual(before)
      const done = await desk.sync()
      expect(done.code, done.stderr).toBe(0)
      expect(done.stderr).toMatch(
        /^warning: another program appended 14 bytes to (\S+); they were moved to \1\.appended and .*\n.*1 new/,
      )
      expect(readFileSync(`${desk.path}.appended`, 'utf8')).toBe('{"by":"hand"}\n')
      expect(statSync(`${desk.path}.appended`).mode & 0o777).toBe(0o600)
      const kept = desk.lines().filter((line) => line.includes('2026-11-20'))
      expect(kept).toEqual([expect.stringMatching(/\bA\b/), expect.stringMatching(/\bB\b/)])
      // Sync must use the same file for text that is appended later.
      appendFileSync(desk.path, 'no line end')
      service.nowMs += 1000
      expect(await desk.sync()).toMatchObject({ code: 0 })
      expect(readFileSync(`${desk.path}.appended`, 'utf8')).toBe('{"by":"hand"}\nno line end')
      expect((await desk.sync()).stderr).not.toContain('warning')
    },
  )

  test('sync changes nothing if it cannot move appended text to a separate file', async () => {
    const { desk, service, asked } = await startWithA()
    appendFileSync(desk.path, '{"by":"hand"}\n')
    mkdirSync(`${desk.path}.appended`)
    const before = readFileSync(desk.path, 'utf8')
    expectRefusal(await desk.sync(), { code: 2, says: /\.appended/ })
    expect(service.server.requests).toHaveLength(asked)
    expect(readFileSync(desk.path, 'utf8')).toBe(before)
  })

  test('sync reports that its file was deleted and reads everything again', async () => {
    const { desk } = await startWithA()
    rmSync(desk.path)
    expect((await desk.sync(...SINCE)).stderr).toMatch(/^\S+b\.ndjson was deleted: reading everything again\n.*2 new/)
    expect(desk.has()).toEqual(['A@08:00:00', 'B@12:03:00'])
  })

  test('sync exits with code 2 and keeps a non-empty file whose state file is missing', async () => {
    const { desk, state } = await startWithA()
    rmSync(state)
    const says = /is not empty.*is missing\n.*--reset --yes/s
    expectRefusal(await desk.sync(), { code: 2, says })
    for (const command of ['status', 'verify'])
      expectRefusal(await runPartner(['bookings', 'sync', command, '--to', desk.path], { env: desk.env }), {
        ...{ code: 2, says },
      })
    expect(desk.has()).toEqual(['A@08:00:00'])
    writeFileSync(desk.path, '')
    expect((await desk.sync(...SINCE)).code).toBe(0)
    expect(desk.has()).toEqual(['A@08:00:00', 'B@12:03:00'])
  })

  test.each([
    ['garbage', 'not JSON', /is damaged, so the state of the copy is unknown\n.*--reset --yes/s],
    ['a truncated state', null, /is damaged/],
    ['a JSON array', '[1,2]', /is damaged/],
    ['nothing', '', /is damaged/],
    ['a newer format', '{"format":99,"cursor":"x"}', /newer version of partner\n.*update partner/s],
  ])('sync exits with code 2 and keeps both files if the state file contains %s', async (_, text, says) => {
    const { desk, state } = await startWithA()
    const spoilt = text ?? readFileSync(state, 'utf8').slice(0, 100)
    writeFileSync(state, spoilt)
    expectRefusal(await desk.sync(), { code: 2, says })
    expect(readFileSync(state, 'utf8')).toBe(spoilt)
    expect(desk.has()).toEqual(['A@08:00:00'])
  })

  test('sync --reset refuses a copy of another source or resource and a state file from a newer version of partner', async () => {
    const { desk, state } = await startWithA()
    const before = readFileSync(state, 'utf8')
    const other = { code: 2, says: /contains the bookings of http\S+, not the bookings of other/ }
    expectRefusal(await desk.sync('--source', 'other', '--reset', '--yes'), other)
    const customers = await runPartner(['customers', 'sync', '--to', desk.path, '--reset', '--yes'], { env: desk.env })
    expectRefusal(customers, { code: 2, says: /not the customers of/ })
    writeFileSync(state, '{"format":2}')
    expectRefusal(await desk.sync('--reset', '--yes'), { code: 2, says: /newer version/ })
    writeFileSync(state, before)
    expect((await desk.sync()).code).toBe(0)
    expect(desk.has()).toEqual(['A@08:00:00', 'B@12:03:00'])
  })

  test('sync does not append to a CSV file with different columns', async () => {
    const { desk, state } = await startWithA('b.csv')
    const other = readFileSync(desk.path, 'utf8').replace('bookingTime', 'bookingTome')
    writeFileSync(desk.path, other)
    // Only the header differs. The hash covers only the end of the file, which is unchanged.
    expect(await desk.sync()).toMatchObject({ code: 2 })
    expect(readFileSync(desk.path, 'utf8')).toBe(other)
    expect(existsSync(state)).toBe(true)
  })
})

describe('files that sync creates and extends', () => {
  test('sync writes the same CSV as bookings list -o csv, with each version of a booking only once', async () => {
    const odd = { people: 4, notes: 'two\nlines, "quoted"', lastModifiedDate: '2026-11-20T09:00:00.000Z' }
    const formula = booking('=1+1', '2026-11-20T10:00:00.000Z')
    const { service, desk } = await startWithA('b.csv')
    service.records = [A, odd, formula, B]
    expect((await desk.sync('--overlap', '1d')).stderr).toMatch(/3 new, 0 changed, 1 unchanged/)
    expect((await desk.sync('--overlap', '2d')).stderr).toMatch(/0 new, 0 changed, 4 unchanged/)
    const range = ['--updated-from', '2026-11-20T00:00:00Z', '--updated-to', '2026-11-21T00:00:00Z']
    const listed = await runPartner(['bookings', 'list', ...range, '-o', 'csv'], { env: desk.env })
    expect(readFileSync(desk.path, 'utf8')).toBe(listed.stdout)
    // The state file no longer contains these versions, so sync has to find them in the data file.
    service.nowMs += 86_400_000 * 9
    await desk.sync()
    service.records = [A, odd, formula, B, { ...formula, lastModifiedDate: '2026-11-29T12:00:00.000Z' }]
    expect((await desk.sync('--overlap', '20d')).stderr).toMatch(/0 new, 1 changed, 4 unchanged/)
  })

  test('a first sync that finds no records creates an empty NDJSON file or a CSV file with only a header', async () => {
    const service = await startSyncService(NOON)
    const [ndjson, csv] = [deskFor(service.server.env), deskFor(service.server.env, 'b.csv')]
    await ndjson.sync(...SINCE)
    await csv.sync(...SINCE)
    expect(readFileSync(ndjson.path, 'utf8')).toBe('')
    expect(readFileSync(csv.path, 'utf8')).toMatch(/^bookingId,bookingTime,.*\n$/)
    expect((await csv.sync()).code).toBe(0)
  })

  test('sync creates a file that only its owner can read, along with a state file and a lock file', async () => {
    const { desk } = await startWithA()
    expect(statSync(desk.path).mode & 0o777).toBe(0o600)
    expect(readdirSync(desk.directory).sort()).toEqual(['b.ndjson', 'b.ndjson.lock', 'b.ndjson.state'])
  })

  test('sync continues a copy that was moved together with its state file', async () => {
    const { desk } = await startWithA()
    const moved = join(desk.directory, 'moved.ndjson')
    renameSync(desk.path, moved)
    renameSync(`${desk.path}.state`, `${moved}.state`)
    const done = await runPartner(['bookings', 'sync', '--to', moved], { env: desk.env })
    expect(done.stderr).toMatch(/1 new, 0 changed, 0 unchanged/)
  })
})

describe('files and paths that sync cannot write to', () => {
  test.each([
    ['a file in a missing directory', 'no/such/b.ndjson', /the directory \S+\/no\/such does not exist\n/],
    ['a directory', 'dir.ndjson', /dir\.ndjson is a directory/],
    ['a symbolic link', 'link.ndjson', /is a symbolic link/],
    ['a path below a file', 'file/b.csv', /does not exist|not a directory/],
    ['a file whose state file is a directory', 'odd.ndjson', /odd\.ndjson\.state is a directory/],
    ['a file with an unknown extension', 'b.txt', /--to must end in \.ndjson, \.csv or \.db/],
    ['an empty name', '', /--to must end in/],
  ])('sync refuses %s as its target before it sends any request', async (_, name, says) => {
    const { service, desk } = await startDesk(NOON, [A])
    mkdirSync(join(desk.directory, 'dir.ndjson'))
    mkdirSync(join(desk.directory, 'odd.ndjson.state'))
    writeFileSync(join(desk.directory, 'file'), '')
    symlinkSync(join(desk.directory, 'elsewhere'), join(desk.directory, 'link.ndjson'))
    const to = name === '' ? '' : join(desk.directory, name)
    expectRefusal(await runPartner(['bookings', 'sync', '--to', to], { env: desk.env }), { code: 2, says })
    expect(service.server.requests).toHaveLength(0)
  })

  describe('read-only files and directories', () => {
    needs(NOT_ROOT)
    test('sync refuses a read-only file or directory before it sends any request', async () => {
      const { desk, service, asked } = await startWithA()
      for (const path of [desk.path, desk.directory]) {
        chmodSync(path, 0o500)
        expectRefusal(await desk.sync(), { code: 2, says: /is not writable/ })
        chmodSync(path, 0o700)
      }
      expect(service.server.requests).toHaveLength(asked)
    })

    test('sync status and sync verify work on a read-only copy', async () => {
      const { desk } = await startWithA()
      chmodSync(desk.path, 0o400)
      chmodSync(desk.directory, 0o500)
      for (const command of ['status', 'verify'])
        expect(await runPartner(['bookings', 'sync', command, '--to', desk.path], { env: desk.env })).toMatchObject({
          code: 0,
        })
      expectRefusal(
        await runPartner(['bookings', 'sync', 'verify', '--to', desk.path, '--repair'], { env: desk.env }),
        {
          ...{ code: 2, says: /is not writable/ },
        },
      )
      chmodSync(desk.directory, 0o700)
    })
  })
})

describe('sync to a full disk', () => {
  needs(SMALL_DISK)

  test('sync exits with code 1 on a full disk, restores the last commit, and can continue later', async () => {
    const service = await startSyncService(NOON, [A])
    const path = join(mountSmallDisk(256), 'b.ndjson')
    const desk = deskFor(service.server.env)
    const sync = (...flags: readonly string[]) =>
      runPartner(['bookings', 'sync', '--to', path, ...flags], { env: desk.env })
    expect((await sync(...SINCE)).code).toBe(0)
    const before = readFileSync(path, 'utf8')
    service.nowMs += 300_000
    service.records = Array.from({ length: 400 }, (_, at) =>
      booking(`L-${at}`, '2026-11-20T12:01:00.000Z', { notes: 'x'.repeat(1000) }),
    )
    expectRefusal(await sync(), { code: 1, says: /cannot write \S+b\.ndjson: no space left.*\n.*free some space/s })
    expect(readFileSync(path, 'utf8')).toBe(before)
    service.records.length = 50
    expect((await sync()).stderr).toMatch(/50 new/)
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(52)
  })
})

describe('files that change during a sync', () => {
  test('sync --every reports one failure and reads everything again if its file is deleted between runs', async () => {
    const { service, desk } = await startWithA()
    const running = startPartner(['bookings', 'sync', '--to', desk.path, '--every', '1s'], { env: desk.env })
    await until(() => running.said.stderr.includes('1 new'))
    rmSync(desk.path)
    await until(() => desk.has().length === 2)
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(running.said.stderr).toMatch(
      /was deleted during the sync.*; retrying in 1 s\n.*was deleted: reading everything again/s,
    )
    expect(desk.has()).toEqual(['A@08:00:00', 'B@12:03:00'])
    expect(service.server.requests.length).toBeGreaterThan(2)
  })

  test('sync stores nothing from a run if another program writes to the file during the run', async () => {
    const { service, desk } = await startWithA()
    const before = readFileSync(desk.path, 'utf8')
    service.lie = () => {
      service.lie = null
      appendFileSync(desk.path, 'from elsewhere\n')
      return answers(200, { bookings: [A, B] })
    }
    expect(await desk.sync()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/was changed by another program/),
    })
    expect(readFileSync(desk.path, 'utf8').startsWith(before)).toBe(true)
    const next = await desk.sync()
    expect(next.code, next.stderr).toBe(0)
    expect(readFileSync(`${desk.path}.appended`, 'utf8')).toBe('from elsewhere\n')
    expect(desk.has()).toEqual(['A@08:00:00', 'B@12:03:00'])
  })
})
