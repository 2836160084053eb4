import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Environment, freshDirectory, freshHome, type Run, runPartner } from '../../../support/partner.ts'
import { type Act, answers, freePort, type RawRequest, startRawServer } from '../../../support/raw-server.ts'
import { words } from '../../../support/words.ts'

/** A command that runs unattended, with a command line and its expected exit code. */
export interface Unattended {
  /** The command, such as `bookings sync`. */
  readonly id: string
  /** The arguments, separated by spaces. */
  readonly rest: string
  readonly code: number
}

export const SINCE = '--since 2026-11-20T10:00:00Z'
const DATE = { date: 'Fri, 20 Nov 2026 12:00:00 GMT' }
const BOOKING = { bookingId: 'BK-1', people: 2, lastModifiedDate: '2026-11-20T11:00:00.000Z' }
const SALE = {
  origin: { saleId: 'S-1', staffId: 'anna' },
  table: { seats: 2 },
  total: { amount: 500, currency: 'AUD' },
}

/** Every command that can send pings, as run from cron. Some of the runs fail, because failures send pings too. */
export const UNATTENDED: readonly Unattended[] = [
  { id: 'bookings sync', rest: `--to b.ndjson ${SINCE}`, code: 0 },
  { id: 'bookings sync', rest: `--to - ${SINCE} -v`, code: 0 },
  { id: 'bookings sync', rest: '--to b.ndjson --base-url http://example.com', code: 2 },
  { id: 'bookings sync verify', rest: '--to empty.ndjson', code: 2 },
  { id: 'customers sync', rest: `--to c.ndjson ${SINCE}`, code: 0 },
  { id: 'sales sync', rest: `--to s.ndjson ${SINCE}`, code: 0 },
  { id: 'giftcards sync', rest: '--to cards.db --source city', code: 0 },
  { id: 'sales import', rest: 'sales.ndjson', code: 11 },
  { id: 'sales reconcile', rest: 'closings.ndjson --date 2026-11-20', code: 11 },
  { id: 'webhooks gaps', rest: '--journal hooks.ndjson --copy copy.ndjson --since 2026-11-20', code: 11 },
  { id: 'webhooks work', rest: '--from postgres://nobody@127.0.0.1:1/venue --exec true', code: 8 },
  { id: 'webhooks listen', rest: '--port 0 --count 0', code: 2 },
  { id: 'report night', rest: '--copy copy.db --date 2026-11-20', code: 0 },
  { id: 'monitor', rest: 'checks.yaml --once --quiet', code: 11 },
  { id: 'certify', rest: '--only sale-409-accepted --run false', code: 11 },
]

function respond({ method, target }: RawRequest) {
  if (method === 'POST') return answers(400, { message: 'The sale has no table' }, DATE)
  if (target.startsWith('/Bookings')) return answers(200, { count: 1, bookings: [BOOKING] }, DATE)
  return answers(200, { from: 0, to: 0, length: 0, items: [] }, DATE)
}

/** A service and a set of input files, prepared for unattended commands. */
export interface Place {
  /** Runs a command with fresh copies of the files, so that runs do not affect each other. */
  run(given: Unattended, how: (args: readonly string[], at: PlaceOptions) => Promise<Run>): Promise<Run>
}

export interface PlaceOptions {
  readonly env: Environment
  readonly cwd: string
}

export async function openPlace(): Promise<Place> {
  const server = await startRawServer(respond)
  const files = freshDirectory()
  writeFileSync(join(files, 'checks.yaml'), "checks: [{ name: mine, command: 'false' }]\n")
  writeFileSync(join(files, 'sales.ndjson'), `${JSON.stringify(SALE)}\n`)
  writeFileSync(
    join(files, 'closings.ndjson'),
    `${JSON.stringify({ ...SALE, timeOpened: '2026-11-20T10:00:00Z', timeClosed: '2026-11-20T11:00:00Z' })}\n`,
  )
  writeFileSync(join(files, 'hooks.ndjson'), '')
  const env = { ...server.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
  const prepare = (line: string) => runPartner(line, { env: { ...freshHome(), ...env }, cwd: files })
  await prepare(`bookings sync --to copy.ndjson ${SINCE}`)
  await prepare(`bookings sync --to copy.db --source city ${SINCE}`)
  return {
    run: ({ id, rest }, how) => {
      const cwd = freshDirectory()
      cpSync(files, cwd, { recursive: true })
      return how(words(`${id} ${rest}`), { env: { ...freshHome(), ...env }, cwd })
    },
  }
}

/** Checks that a run has the expected outcome with each of the job monitors. */
export async function expectSame(
  expected: Run,
  monitors: Readonly<Record<string, () => Promise<string>>>,
  run: (url: string) => Promise<Run>,
): Promise<void> {
  const ended = Object.entries(monitors).map(async ([what, start]) => [what, outcomeOf(await run(await start()))])
  expect(await Promise.all(ended)).toEqual(Object.keys(monitors).map((what) => [what, outcomeOf(expected)]))
}

/** Returns the result of a run, without times, ports and random names, which differ between runs. */
function outcomeOf({ code, stdout, stderr }: Run): Run {
  const clean = (text: string) =>
    text
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'TIME')
      .replaceAll(/partner-test-\w+/g, 'DIRECTORY')
      .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, 'DURATION')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
  return { code, stdout: clean(stdout), stderr: clean(stderr) }
}

/** Broken job monitors, except for the {@link HANGING_MONITORS}. */
export const BAD_MONITORS: Readonly<Record<string, () => Promise<string>>> = {
  refuses: async () => `http://127.0.0.1:${await freePort()}/ping`,
  redirects: () =>
    monitor((socket) => socket.write('HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/\r\n\r\n')),
  'answers 500': () => monitor(answers(500, 'out of order')),
  'answers 404': () => monitor(answers(404, 'no such check')),
  'closes the connection': () => monitor((socket) => socket.end()),
  'resets the connection': () => monitor((socket) => socket.resetAndDestroy()),
  'does not speak HTTP': () => monitor((socket) => socket.end('SSH-2.0-monitor\r\n')),
  'sends an endless body': () =>
    monitor((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => socket.write('x'.repeat(65_536), (error) => void (error || setImmediate(more)))
      more()
    }),
  'never ends its body': () => monitor((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')),
  'does not resolve': async () => 'https://no-such-monitor.invalid/ping',
}

export const HANGING_MONITORS: Readonly<Record<string, () => Promise<string>>> = {
  'never answers': () => monitor(() => {}),
  'sends half of its headers': () => monitor((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-')),
}

async function monitor(act: Act): Promise<string> {
  return `${(await startRawServer([act])).baseUrl}/ping`
}
