import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXIT_CODES } from '../../src/base/failure/exit-codes.ts'
import { skipWithout } from '../support/needs.ts'
import { filesOn } from '../support/page-session.ts'
import {
  freshDirectory,
  freshHome,
  ROOT,
  runPartner,
  runProgram,
  startProgram,
  TOOL_IN_SHELL,
} from '../support/partner.ts'
import { type Act, answers, hangs, redirectsTo, startRawServer, truncated } from '../support/raw-server.ts'
import { startPartner } from '../support/running.ts'
import { mountSmallDisk, SMALL_DISK } from '../support/small-disk.ts'
import { until } from '../support/until.ts'
import { samplesOf } from '../sync/watching/text-format.ts'

const PAGE = readFileSync(join(ROOT, 'docs', 'cron.md'), 'utf8')
const SCRIPT = filesOn(PAGE).find(({ name }) => name === 'nightly.sh')?.text ?? ''
const CASES = [...SCRIPT.matchAll(/^ {2}(\d+)\) echo "([^"]*)"/gm)]
/** The script's messages by exit code. */
const SAYS = new Map(CASES.map(([, code, words]) => [Number(code), words]))

const RECORDS = JSON.stringify({
  bookings: [
    { bookingId: 'A', lastModifiedDate: '2026-01-01T10:00:00Z' },
    { bookingId: 'B', lastModifiedDate: '2026-01-02T10:00:00Z' },
  ],
})

/** Sets up a directory with the page's script and with partner on the PATH. The service handles requests with `act`. */
async function machine(act: Act) {
  const cwd = freshDirectory()
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin', 'partner'), `#!/bin/sh\nexec ${TOOL_IN_SHELL} "$@"\n`, { mode: 0o755 })
  writeFileSync(join(cwd, 'nightly.sh'), SCRIPT)
  const server = await startRawServer(() => act)
  const env = { ...freshHome(), ...server.env, PARTNER_RETRIES: '0' }
  const path = `${join(cwd, 'bin')}:${process.env['PATH']}`
  const start = (...args: readonly string[]) =>
    startProgram('sh', ['nightly.sh', ...args], { cwd, env: { ...env, PATH: path } })
  const run = (...args: readonly string[]) => start(...args).ended
  return { cwd, env, path, run, start, server }
}

const EMPTY = answers(200, { count: 0, bookings: [] })

describe('the script in docs/cron.md', () => {
  test('the cron script has separate messages for exit codes 0, 2, 4, 5, 7, 8, 12, 13 and 130', () => {
    const ours = new Set<number>(Object.values(EXIT_CODES))
    expect([...SAYS.keys()]).toEqual([0, 2, 4, 5, 7, 8, 12, 13, 130])
    for (const code of SAYS.keys()) expect(code === 0 || ours.has(code)).toBe(true)
  })

  test.each<[number, string, Act]>([
    [0, 'a successful response', EMPTY],
    [4, 'a rejected key', answers(401, { message: 'Authorization has been denied for this request.' })],
    [5, 'a redirect to another origin', redirectsTo('https://elsewhere.example/')],
    [7, 'a rate limit', answers(429, '', { 'retry-after': '3600' })],
    [8, 'a service that is down', answers(503, 'down for maintenance')],
    [13, 'a truncated response', truncated(RECORDS, RECORDS.length - 20)],
  ])('the cron script explains exit code %i after %s', async (code, _what, act) => {
    expect(await (await machine(act)).run('b.ndjson')).toMatchObject({ code, stdout: `${SAYS.get(code)}\n` })
  })

  test('the cron script explains exit code 2 and sends no requests if the file was not written by sync', async () => {
    const { run, server, cwd } = await machine(EMPTY)
    writeFileSync(join(cwd, 'b.ndjson'), 'mine\n')
    expect(await run('b.ndjson')).toMatchObject({ code: 2, stdout: `${SAYS.get(2)}\n` })
    expect(server.requests).toEqual([])
    expect(readFileSync(join(cwd, 'b.ndjson'), 'utf8')).toBe('mine\n')
  })

  test('the cron script counts a run as a success if another run is already in progress', async () => {
    const { run, env, cwd } = await machine(EMPTY)
    const first = startPartner(['bookings', 'sync', '--to', 'b.ndjson', '--every', '1h'], { env, cwd, isService: true })
    await until(() => first.said.stderr.includes('unchanged'))
    expect(await run('b.ndjson')).toMatchObject({ code: 0, stdout: `${SAYS.get(12)}\n` })
    first.process.kill('SIGINT')
    await first.ended
  })

  test('the cron script treats an interrupted run as a success', async () => {
    const { start, server } = await machine(hangs)
    const script = start('b.ndjson')
    await until(() => server.requests.length > 0)
    process.kill(Number((await runProgram('pgrep', ['-P', String(script.process.pid)])).stdout), 'SIGTERM')
    expect(await script.ended).toMatchObject({ code: 0, stdout: `${SAYS.get(130)}\n` })
  })

  test('the cron script notifies the user of an unexpected error such as a full disk', async (context) => {
    skipWithout(context, SMALL_DISK)
    const bookings = [{ bookingId: 'A', lastModifiedDate: '2026-01-01T10:00:00Z', notes: 'x'.repeat(500_000) }]
    const done = await (await machine(answers(200, { bookings }))).run(join(mountSmallDisk(256), 'b.ndjson'))
    expect(done.code).toBe(1)
    expect(done.stdout).toContain('page: exit 1')
    expect(done.stderr).toContain('free some space')
  })
})

describe('the metrics table in docs/cron.md', () => {
  test.each([
    ['a successful run', EMPTY, 0],
    ['a failed run', answers(503, 'down'), 8],
  ])("the dead man's switch in docs/cron.md reports the beginning and the end of %s", async (_what, act, code) => {
    const { cwd, env, path } = await machine(act)
    const switchboard = await startRawServer(() => answers(200, 'OK'))
    const [line = ''] = /^partner .*hc\.example.*$/m.exec(PAGE) ?? []
    const here = line.replace('https://hc.example', switchboard.baseUrl).replace('--profile sandbox', '--source city')
    await runProgram('sh', ['-c', here], { cwd, env: { ...env, PATH: path } })
    const pings = switchboard.requests.map(({ method, target }) => `${method} ${target}`)
    expect(pings).toEqual(['POST /ping/YOUR-ID/start', `POST /ping/YOUR-ID/${code}`])
  })

  test('docs/cron.md lists exactly the metrics that sync status writes and uses no others in its alert rules', async () => {
    const { cwd, env } = await machine(EMPTY)
    await runPartner(['bookings', 'sync', '--to', 'b.ndjson'], { env, cwd })
    await runPartner(['bookings', 'sync', 'status', '--to', 'b.ndjson', '--prom', 'x.prom'], { env, cwd })
    const written = new Set(samplesOf(readFileSync(join(cwd, 'x.prom'), 'utf8')).map(({ name }) => name))
    expect(new Set([...PAGE.matchAll(/^\| `(partner_sync_\w+)/gm)].map(([, name]) => name))).toEqual(written)
    const used = [...PAGE.matchAll(/\bpartner_sync_\w+/g)].map(([name]) => name)
    expect(used.filter((name) => !written.has(name))).toEqual([])
  })
})
