import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../../src/studio/start.ts'
import { freshDirectory } from '../../../support/partner.ts'
import { type Act, answers, freePort, startRawServer } from '../../../support/raw-server.ts'
import { configureVenues, jsonLines, type TestVenue } from '../../../support/venues.ts'
import { words } from '../../../support/words.ts'

const sandboxes: Sandbox[] = []
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())))

const venue = (name: string, { baseUrl }: Pick<TestVenue, 'baseUrl'>, more: Partial<TestVenue> = {}): TestVenue => ({
  ...{ name, baseUrl },
  ...more,
})

const STATUSES = [{ code: 'CONFIRMED', name: 'Confirmed', statusType: 'standard' }]

test('--profiles prints the records of 27 venues and names 3 broken venues with their exit codes', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `venue-${String(at).padStart(2, '0')}`)
  for (const _ of names) sandboxes.push(await startSandbox({ data: ':memory:', har: '' }))
  const broken = await startRawServer([answers(500, 'the database is gone')])
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const venues = names.map((name, at) => {
    const { baseUrl = '', apiKey = '' } = sandboxes[at] ?? {}
    if (at === 4) return { name, baseUrl, key: 'a-key-that-was-replaced' }
    if (at === 11) return { name, baseUrl: nowhere, key: apiKey }
    return { name, baseUrl: at === 23 ? broken.baseUrl : baseUrl, key: apiKey }
  })
  const { run } = configureVenues(venues)
  const { code, stdout, stderr } = await run(words('bookings statuses --profiles all --jobs 10 --retries 0 --json'))
  expect(code).toBe(11)
  const records = JSON.parse(stdout) as { _profile: string; code: string }[]
  const whole = names.filter((_, at) => ![4, 11, 23].includes(at))
  expect([...new Set(records.map(({ _profile }) => _profile))]).toEqual(whole)
  expect(records).toHaveLength(27 * 8)
  const said = jsonLines(stderr).map(({ error }) => error)
  const failures = ['venue-04: UNAUTHORIZED (4)', 'venue-11: NETWORK_ERROR (8)', 'venue-23: SERVICE_ERROR (8)']
  expect(said.slice(0, -1).map(({ profile, exitCode, code }) => `${profile}: ${code} (${exitCode})`)).toEqual(
    expect.arrayContaining(failures),
  )
  expect(said.at(-1)).toMatchObject({
    code: 'PARTIAL_FAILURE',
    message: '3 of 30 profiles failed: venue-04 (exit 4), venue-11 (exit 8), venue-23 (exit 8)',
    details: { profiles: 30, failed: [{ profile: 'venue-04' }, { profile: 'venue-11' }, { profile: 'venue-23' }] },
  })
})

/** Starts a service that holds all responses until it has received `count` requests. */
function holdsUntil(count: number) {
  const held: (() => void)[] = []
  return startRawServer(() => (socket, request) => {
    held.push(() => answers(200, STATUSES)(socket, request))
    if (held.length >= count) for (const answer of held.splice(0)) answer()
  })
}

test('--profiles reads four venues at the same time by default, and ten with --jobs 10', async () => {
  const server = await holdsUntil(10)
  const venues = Array.from({ length: 20 }, (_, at) => venue(`v${at}`, server))
  const ten = await configureVenues(venues).run(['bookings', 'statuses', '--profiles', 'all', '--jobs', '10', '--json'])
  expect(ten).toMatchObject({ code: 0 })
  expect(JSON.parse(ten.stdout)).toHaveLength(20)
  const four = await holdsUntil(4)
  const eight = Array.from({ length: 8 }, (_, at) => venue(`v${at}`, four))
  expect(await configureVenues(eight).run(['bookings', 'statuses', '--profiles', 'all'])).toMatchObject({ code: 0 })
})

test('with --jobs 2, at most two requests are pending at the same time', async () => {
  let underWay = 0
  let most = 0
  const server = await startRawServer(() => (socket, request) => {
    most = Math.max(most, ++underWay)
    setImmediate(() => {
      underWay--
      answers(200, STATUSES)(socket, request)
    })
  })
  const venues = Array.from({ length: 9 }, (_, at) => venue(`v${at}`, server))
  await configureVenues(venues).run(['bookings', 'statuses', '--profiles', 'all', '--jobs', '2'])
  expect(server.requests).toHaveLength(9)
  expect(most).toBeLessThanOrEqual(2)
})

describe('errors in command lines with --profiles', () => {
  const cases: readonly (readonly [line: string, code: number, says: string])[] = [
    ['bookings list --profiles a,zz', 4, 'there is no profile "zz" (from --profiles)'],
    ['bookings list --profiles north', 4, 'north is a tag, so use --profiles tag:north'],
    ['bookings list --profiles tag:nort', 2, 'no profile has the tag "nort"'],
    ['bookings list --profiles a,,b', 2, '--profiles must not contain an empty name'],
    ['bookings list --profiles all -p a', 2, '--profile and --profiles cannot be used together'],
    ['bookings list --profiles all --base-url http://127.0.0.1:9', 2, '--base-url cannot be used with --profiles'],
    ['bookings list --profiles all --jobs 0', 2, '--jobs must be a whole number from 1 to 100'],
    ['bookings list --jobs 4', 2, '--jobs needs --profiles'],
    ['bookings list --profiles all --from soonish', 2, '"soonish" is not a time'],
    ['bookings list --profiles all --limit none', 2, '--limit must be a whole number'],
    ['profiles check a --profiles all', 2, 'NAME and --profiles cannot be used together'],
    ['reservations explain --profiles all --data -', 2, 'standard input can be read only once, so --data -'],
    ['drift --har x.har --profiles all', 2, 'a HAR file contains the traffic of one service'],
    ['bookings sync --profiles all --to x.ndjson', 2, 'use a database'],
    ['bookings sync --profiles all --to -', 2, 'use a database'],
    ['bookings sync --profiles all --to x.db --source here', 2, 'each profile is its own source'],
    ['bookings sync status --profiles all --to x.db --prom x.txt', 2, '--prom must name a file that ends in .prom'],
    ['bookings sync verify --profiles all --to x.db --source here', 2, 'each profile is its own source'],
  ]
  test.each(cases)(
    'an error that all venues share is reported only once and before any request: %s',
    async (line, code, says) => {
      const server = await startRawServer([answers(200, [])])
      const { run } = configureVenues([venue('a', server, { tags: ['north'] }), venue('b', server)])
      const done = await run(line.split(' '))
      expect(done).toMatchObject({ code, stdout: '' })
      expect(done.stderr).toContain(says)
      expect(done.stderr.match(/^error: /gm)).toHaveLength(1)
      expect(server.requests).toEqual([])
    },
  )

  test('--profiles all is a usage error if no profiles are stored', async () => {
    const done = await configureVenues([]).run(['bookings', 'list', '--profiles', 'all'])
    expect(done).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('you have no profiles') })
  })
})

test('--profiles overrides all environment variables, as --profile does', async () => {
  const [own, other] = [await startRawServer([answers(200, STATUSES)]), await startRawServer([answers(200, STATUSES)])]
  const { run } = configureVenues([{ name: 'a', baseUrl: own.baseUrl, key: 'own-key' }])
  const env = { ...other.env, PARTNER_PROFILE: 'nobody', PARTNER_TIMEZONE: 'Nowhere/At-all' }
  expect(await run(['bookings', 'statuses', '--profiles', 'a'], { env })).toMatchObject({ code: 0 })
  expect(other.requests).toEqual([])
  expect(own.requests[0]?.headers['x-api-key']).toBe('own-key')
})

test('a usage error for one venue does not stop the other venues', async () => {
  const server = await startRawServer([answers(200, STATUSES)])
  const { run } = configureVenues([venue('odd', { baseUrl: 'ftp://odd.example' }), venue('well', server)])
  const done = await run(['bookings', 'statuses', '--profiles', 'odd,well', '--json'])
  expect(done.code).toBe(11)
  expect(JSON.parse(done.stdout)).toEqual([{ _profile: 'well', ...STATUSES[0] }])
  expect(jsonLines(done.stderr)[0].error).toMatchObject({ profile: 'odd', exitCode: 2 })
})

test("the output never contains a venue's key, even if another venue's service repeats it", async () => {
  const [one, other] = ['key-of-one-4711', 'key-of-other-4712']
  const says = await startRawServer([answers(400, { message: `not ${one}, nor ${other}` })])
  const { run } = configureVenues([venue('one', says, { key: one }), venue('other', says, { key: other })])
  for (const flags of [[], ['--json'], ['--verbose']]) {
    const { code, stdout, stderr } = await run(['bookings', 'statuses', '--profiles', 'all', '--jobs', '1', ...flags])
    expect(code).toBe(11)
    expect(stdout + stderr).toContain('not ••••')
    expect((stdout + stderr).split('\n').filter((line) => line.includes(one))).toEqual([])
  }
})

test('--quiet with --profiles prints nothing but failures on stderr', async () => {
  const server = await startRawServer([answers(200, STATUSES)])
  const ill = await startRawServer([answers(401, { message: 'Unauthorized' })])
  const { run } = configureVenues([venue('ill', ill), venue('well', server)])
  expect(await run(['profiles', 'check', '--profiles', 'well', '--quiet'])).toMatchObject({ code: 0, stderr: '' })
  const { stderr } = await run(['bookings', 'statuses', '--profiles', 'all', '--quiet'])
  const said = ['error: ill (exit 4): Unauthorized', 'error: 1 of 2 profiles failed: ill (exit 4)']
  expect(stderr.match(/^error: .*/gm)).toEqual(said)
})

test('if all venues fail, stderr names each of them and stdout is empty', async () => {
  const server = await startRawServer([answers(401, { message: 'Unauthorized' })])
  const { run } = configureVenues(['a', 'b'].map((name) => venue(name, server)))
  const done = await run(['bookings', 'statuses', '--profiles', 'b,a'])
  expect(done).toMatchObject({ code: 11, stdout: '' })
  expect(done.stderr).toContain('error: a (exit 4): Unauthorized')
  expect(done.stderr).toContain('error: b (exit 4): Unauthorized')
  expect(done.stderr).toContain('partner doctor --profile a')
  expect(done.stderr).toContain('2 of 2 profiles failed: b (exit 4), a (exit 4)')
  expect(done.stderr).toContain('--profiles b,a')
})

test('doctor --profiles prints one row per venue, or all checks with -v', async () => {
  const ill: Act = answers(401, { message: 'Unauthorized' })
  const [bad, good] = [await startRawServer([ill]), await startSandbox({ data: ':memory:', har: '' })]
  sandboxes.push(good)
  const { run } = configureVenues([venue('ill', bad), venue('well', good, { key: good.apiKey })])
  const done = await run(['doctor', '--profiles', 'ill,well', '--json'])
  expect(done.code).toBe(11)
  const found = JSON.parse(done.stdout) as { _profile: string; rows: { name: string; status: string }[] }[]
  expect(found.map(({ _profile }) => _profile)).toEqual(['ill', 'well'])
  expect(found.map(({ rows }) => rows.find(({ name }) => name === 'key')?.status)).toEqual(['fail', 'ok'])
  expect(done.stderr).toContain('1 of 2 profiles failed: ill (exit 1)')
  const text = await run(['doctor', '--profiles', 'ill,well'])
  expect(text.stdout.split('\n')).toEqual([
    expect.stringMatching(/^PROFILE +STATUS +START WITH +MESSAGE +NEXT +CHECKS$/),
    expect.stringMatching(/^ill +fail +key .* partner config --profile ill .* \d+ ok, .*1 failed, \d+ skipped$/),
    expect.stringMatching(/^well +(?:ok|warn) .* \d+ ok, .*\d+ skipped$/),
    '',
  ])
  expect(text.stderr).not.toContain(' ok, ')
  const verbose = await run(['doctor', '--profiles', 'ill,well', '-v'])
  expect(verbose.stdout).toMatch(/^PROFILE .*\nill .*\nwell .*\n\nill\nok +node[\s\S]*\n\nwell\nok +node/)
})

test('a single HAR file contains the traffic of all venues', async () => {
  const servers = [await startRawServer([answers(200, STATUSES)]), await startRawServer([answers(200, STATUSES)])]
  const { run } = configureVenues(servers.map(({ baseUrl }, at) => ({ name: `v${at}`, baseUrl })))
  const file = join(freshDirectory(), 'traffic.har')
  expect(await run(['bookings', 'statuses', '--profiles', 'all', '--har', file])).toMatchObject({ code: 0 })
  const { entries } = JSON.parse(readFileSync(file, 'utf8')).log
  const hosts = entries.map(({ request }: { request: { url: string } }) => new URL(request.url).origin)
  expect(hosts.sort()).toEqual(servers.map(({ baseUrl }) => baseUrl).sort())
})
