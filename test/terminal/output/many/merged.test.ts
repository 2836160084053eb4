import { describe, expect, test } from 'vitest'
import { type Act, answers, hangs, startRawServer, truncated } from '../../../support/raw-server.ts'
import { signalGroup, startPartner } from '../../../support/running.ts'
import { until } from '../../../support/until.ts'
import { configureVenues, jsonLines, type TestVenue } from '../../../support/venues.ts'

const statusesOf = (...codes: readonly string[]) => codes.map((code) => ({ code, name: code, statusType: 'standard' }))

/** Starts three venues that each receive one request and respond in reverse order. */
async function answeredBackwards(): Promise<TestVenue[]> {
  const waiting: (() => void)[] = []
  const served = ['A', 'B', 'C'].map(async (code) => {
    const { baseUrl } = await startRawServer(() => (socket, request) => {
      waiting.push(() => answers(200, statusesOf(`${code}1`, `${code}2`))(socket, request))
      if (waiting.length === 3) for (const answer of waiting.reverse()) answer()
    })
    return { name: code.toLowerCase(), baseUrl }
  })
  return Promise.all(served)
}

const READ = ['bookings', 'statuses', '--profiles']

describe('order of records from several venues', () => {
  test.each([
    ['all', 'a a b b c c'],
    ['c,a,b', 'c c a a b b'],
    ['b,all', 'b b a a c c'],
  ])('records are in the order of --profiles %s, not in the order of the responses', async (choice, order) => {
    const { run } = configureVenues(await answeredBackwards())
    const { stdout } = await run([...READ, choice, '--json'])
    const records = JSON.parse(stdout) as { readonly _profile: string }[]
    expect(records.map(({ _profile }) => _profile).join(' ')).toBe(order)
  })

  test.each(['csv', 'tsv', 'table'])('--profiles with -o %s adds the profile as the first column', async (format) => {
    const { run } = configureVenues(await answeredBackwards())
    const { stdout } = await run([...READ, 'b,a,c', '-o', format, '--columns', 'code'])
    const rows = stdout.trimEnd().split('\n')
    const firsts = rows.map((line) => /^(\w+)(?:[,\t]| {2,})(\w+)/.exec(line)?.slice(1).join(' '))
    expect(firsts).toEqual(['_profile code', 'b B1', 'b B2', 'a A1', 'a A2', 'c C1', 'c C2'])
  })
})

const NORTH_AND_SOUTH = ['north,2026-11-20 18:30', 'south,2026-11-20 18:30']

test("a table with several venues shows each time in the venue's own zone", async () => {
  const booking = { bookingId: 'B-1', bookingTime: '2026-11-20T18:30:00', bookedAt: '2026-11-01T00:00:00Z', people: 2 }
  const server = await startRawServer([answers(200, { count: 1, bookings: [booking] })])
  const zones = { north: 'Australia/Sydney', south: 'Europe/London' }
  const { baseUrl } = server
  const { run } = configureVenues(Object.entries(zones).map(([name, timezone]) => ({ name, timezone, baseUrl })))
  const done = await run(['bookings', 'list', '--date', '2026-11-20', '--profiles', 'all'])
  expect(done.code).toBe(0)
  const [head, ...rows] = done.stdout.trimEnd().split('\n')
  expect(head).toMatch(/^PROFILE +TIME /)
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 2).join())).toEqual(NORTH_AND_SOUTH)
  expect(done.stderr).toContain('2 bookings on Fri 2026-11-20')
  expect(done.stderr).not.toContain('Sydney')
  const dates = server.requests.map(({ target }) => new URL(target, server.baseUrl).searchParams.get('StartDate'))
  expect(dates.sort()).toEqual(['2026-11-19T13:00:00.000Z', '2026-11-20T00:00:00.000Z'])
})

test('the footer for several venues ignores venues that failed', async () => {
  const server = await startRawServer([answers(200, { count: 1, bookings: [{ bookingId: 'B-1', people: 2 }] })])
  const ill = await startRawServer([answers(401, { message: 'Unauthorized' })])
  const { run } = configureVenues([
    { name: 'a', baseUrl: ill.baseUrl },
    { name: 'b', baseUrl: server.baseUrl, timezone: 'Australia/Sydney' },
    { name: 'c', baseUrl: server.baseUrl, timezone: 'Australia/Sydney' },
  ])
  const done = await run(['bookings', 'list', '--date', '2026-11-20', '--profiles', 'all'])
  expect(done.code).toBe(11)
  expect(done.stderr).toContain('2 bookings on Fri 2026-11-20 (Australia/Sydney)\n')
})

test('with --profiles, a command that normally prints one object prints a list with one object per venue', async () => {
  const text = '{ "bookingId": "B-1", "people": 2, "amount": 25.00, "big": 12345678901234567890 }'
  const server = await startRawServer([answers(200, text, { 'content-type': 'application/json' })])
  const { run } = configureVenues(['a', 'b'].map((name) => ({ name, baseUrl: server.baseUrl })))
  const { stdout } = await run(['bookings', 'get', 'B-1', '--profiles', 'b,a', '--json'])
  const rest = text.slice(1)
  expect(stdout).toBe(`[\n{"_profile":"b",${rest},\n{"_profile":"a",${rest}\n]\n`)
  const table = await run(['bookings', 'get', 'B-1', '--profiles', 'b,a', '--columns', 'bookingId'])
  expect(table.stdout.replaceAll(/ {2,}/g, '|')).toBe('_profile|bookingId\nb|B-1\na|B-1\n')
})

test('--query applies to the records of all venues together, but --limit applies to each venue', async () => {
  const { run } = configureVenues(await answeredBackwards())
  expect(await run([...READ, 'all', '--query', 'length(@)'])).toMatchObject({ code: 0, stdout: '6\n' })
  const server = await startRawServer([answers(200, { count: 3, bookings: [1, 2, 3].map((people) => ({ people })) })])
  const two = configureVenues(['a', 'b'].map((name) => ({ name, baseUrl: server.baseUrl })))
  const list = ['bookings', 'list', '--date', '2026-11-20', '--profiles', 'all', '--limit', '2']
  const { stdout } = await two.run([...list, '--query', '[].[_profile, people]', '-o', 'csv', '--no-header'])
  expect(stdout).toBe('a,1\na,2\nb,1\nb,2\n')
})

describe('--profiles with a truncated list', () => {
  const body = JSON.stringify(statusesOf(...Array.from({ length: 2000 }, (_, at) => `LONG-${at}`)))
  const venues = async () => {
    const broken = await startRawServer([truncated(body, body.length - 10)])
    const whole = await startRawServer([answers(200, statusesOf('ONE'))])
    return configureVenues(Object.entries({ broken, whole }).map(([name, { baseUrl }]) => ({ name, baseUrl })))
  }

  test('--profiles --json exits with code 11 and omits a venue whose list is truncated', async () => {
    const done = await (await venues()).run([...READ, 'all', '--json'])
    expect(done.code).toBe(11)
    expect(JSON.parse(done.stdout)).toEqual([{ _profile: 'whole', ...statusesOf('ONE')[0] }])
    expect(jsonLines(done.stderr)[0].error).toMatchObject({ profile: 'broken', exitCode: 13, code: 'INCOMPLETE' })
  })

  test('--profiles -o ndjson exits with code 11 and prints the complete records of a truncated list', async () => {
    const done = await (await venues()).run([...READ, 'all', '-o', 'ndjson'])
    expect(done.code).toBe(11)
    const records = jsonLines(done.stdout)
    expect(records).toHaveLength(done.stdout.trimEnd().split('\n').length)
    expect(new Set(records.map(({ _profile }) => _profile))).toEqual(new Set(['broken', 'whole']))
  })
})

test('--profiles prints all records of a long list whose output had to wait for another venue', async () => {
  const codes = Array.from({ length: 30_000 }, (_, at) => `a code that is long enough to fill the memory ${at}`)
  const held: (() => void)[] = []
  const a = await startRawServer(() => (socket, request) => {
    held.push(() => answers(200, statusesOf('FIRST'))(socket, request))
  })
  const act: Act = (socket, request) => {
    answers(200, statusesOf(...codes))(socket, request)
    socket.once('drain', () => void until(() => held.length > 0).then(() => held[0]?.()))
  }
  const b = await startRawServer(() => act)
  const { run } = configureVenues(Object.entries({ a, b }).map(([name, { baseUrl }]) => ({ name, baseUrl })))
  const { code, stdout } = await run([...READ, 'all', '--query', '[].code', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(['FIRST', ...codes])
})

describe('--profiles with a venue that never responds', () => {
  const started = async (...flags: readonly string[]) => {
    const [hanging, well] = [await startRawServer([hangs]), await startRawServer([answers(200, statusesOf('X', 'Y'))])]
    const { env } = configureVenues([
      { name: 'hanging', baseUrl: hanging.baseUrl },
      ...['b', 'c', 'd'].map((name) => ({ name, baseUrl: well.baseUrl })),
    ])
    const running = startPartner([...READ, 'all', '--jobs', '2', ...flags], { env, isService: true })
    await until(() => hanging.requests.length === 1 && well.requests.length === 3)
    return running
  }

  test('--profiles -o ndjson prints the records of other venues while one venue hangs, and ends with a complete line', async () => {
    const running = await started('-o', 'ndjson')
    await until(() => running.said.stdout.split('\n').length === 7)
    signalGroup(running, 'SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(130)
    expect(jsonLines(stdout)).toHaveLength(6)
    expect(jsonLines(stderr).at(-1).error).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    expect(stderr).toContain('3 of 4 profiles had finished')
  })

  test('--profiles --json leaves its JSON array incomplete if a signal arrives while a venue hangs', async () => {
    const running = await started('--json')
    signalGroup(running, 'SIGTERM')
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(() => JSON.parse(stdout)).toThrow()
  })
})
