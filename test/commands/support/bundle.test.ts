import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, freePort, hangs, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'
import { expectPrivate, IS_WINDOWS, toolPath } from '../../support/windows.ts'

const SIGNING_SECRET = 'signing-secret-of-this-test'

function setUp(env: Readonly<Record<string, string>> = {}) {
  const cwd = freshDirectory()
  const home = freshHome()
  const bundle = (...args: readonly string[]) =>
    runPartner(['support', 'bundle', ...args], { env: { ...home, ...env }, cwd })
  const file = (name: string) => join(cwd, name)
  const made = async (...args: readonly string[]) => {
    const run = await bundle('--out', 'b.zip', ...args)
    expect(run.code, run.stderr).toBe(0)
    const files = unzipped(file('b.zip'))
    return { run, files, all: Object.values(files).join('') }
  }
  return { cwd, home, bundle, file, made }
}

function unzipped(path: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(unzipSync(readFileSync(path))).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  )
}

const BOOKING = { bookingId: 'BK-7', serviceName: 'Dinner', customer: { firstName: 'Xanthippe' }, notes: 'window' }

function exchange(startedDateTime: string, body: unknown = BOOKING) {
  return {
    startedDateTime,
    request: { method: 'GET', url: 'https://api.example/Bookings/BK-7', headers: [] },
    response: { status: 200, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(body) } },
  }
}

function writeHar(path: string, entries: readonly unknown[]): string {
  writeFileSync(path, JSON.stringify({ log: { version: '1.2', entries } }))
  return path
}

const MADE = ['README.txt', 'versions.json', 'settings.json', 'operations.json', 'doctor.json', 'traffic.har']

describe('support bundle', () => {
  test('support bundle writes a private zip named after the current time and asks the user to review it', async () => {
    const { cwd, bundle } = setUp()
    const run = await bundle('--profile', 'sandbox', '--json')
    expect(run.code, run.stderr).toBe(0)
    const [name = '', ...others] = readdirSync(cwd)
    expect(name).toMatch(/^partner-support-\d{8}-\d{6}\.zip$/)
    expect(others).toEqual([])
    const path = join(cwd, name)
    expectPrivate(path)
    const { file, bytes, parts, missing } = JSON.parse(run.stdout)
    expect({ file, bytes, missing }).toEqual({ file: toolPath(path), bytes: statSync(path).size, missing: [] })
    const files = unzipped(path)
    expect(parts.map((part: { name: string }) => part.name)).toEqual(Object.keys(files))
    expect(Object.keys(files)).toEqual(expect.arrayContaining([...MADE, 'profile.json', 'drift.json']))
    for (const part of parts) expect(Buffer.byteLength(files[part.name] ?? '')).toBe(part.bytes)
    expect(JSON.parse(files['profile.json'] ?? '')).toMatchObject({ name: 'sandbox', builtIn: true })
    const { rows } = JSON.parse(files['doctor.json'] ?? '') as { rows: { name: string; status: string }[] }
    expect(rows.length).toBeGreaterThan(15)
    expect(rows.filter(({ status }) => status === 'fail')).toEqual([])
    const { entries } = JSON.parse(files['drift.json'] ?? '') as { entries: { verdict: string }[] }
    expect(entries.filter(({ verdict }) => verdict === 'confirmed').length).toBeGreaterThan(50)
    const paths = JSON.parse(files['traffic.har'] ?? '').log.entries.map(
      (entry: { request: { url: string } }) => new URL(entry.request.url).pathname,
    )
    // `doctor` sends the first of these requests, and `drift` the others.
    const read = ['/partners/sandbox-pos/giftcards/balance', '/Bookings', '/Customers']
    expect(paths).toEqual(expect.arrayContaining(read))
    expect(run.stderr).toContain('look through the file')
  })

  test('support bundle includes the profile and the settings but not their secrets', async () => {
    const { home, cwd, made } = setUp()
    const key = 'stored-key-of-this-test-4711'
    const add = ['profiles', 'add', 'till', '--base-url', 'https://127.0.0.1:1', '--api-key-stdin']
    expect(await runPartner(add, { env: home, cwd, input: key })).toMatchObject({ code: 0 })
    const { files, all } = await made('-p', 'till', '--retries', '0')
    expect(JSON.parse(files['profile.json'] ?? '')).toMatchObject({ name: 'till', apiKey: '••••4711 (stored)' })
    expect(all).not.toContain(key)
  })

  test('support bundle works if the service is down or the configuration is broken, and names the missing parts', async () => {
    const down = setUp({ PARTNER_BASE_URL: `http://127.0.0.1:${await freePort()}`, PARTNER_API_KEY: RAW_KEY })
    const { files } = await down.made('--retries', '0')
    expect(Object.keys(files).toSorted()).toEqual(MADE.toSorted())
    const { rows } = JSON.parse(files['doctor.json'] ?? '') as { rows: { name: string; status: string }[] }
    expect(rows.find(({ status }) => status === 'fail')).toMatchObject({ name: 'tcp' })
    const lack = /^Could not be collected:\n {2}drift\.json +no request was sent[^\n]*: tcp failed$/m
    expect(files['README.txt']).toMatch(lack)
    const broken = setUp()
    mkdirSync(broken.home.PARTNER_CONFIG_DIR, { recursive: true })
    writeFileSync(join(broken.home.PARTNER_CONFIG_DIR, 'profiles.json'), '{"profiles":', { mode: 0o600 })
    const half = await broken.made('--json')
    expect(JSON.parse(half.run.stdout).missing.map(({ name }: { name: string }) => name)).toContain('settings.json')
    expect(half.files['README.txt']).toMatch(/^Could not be collected:\n {2}settings\.json /m)
  })

  test('support bundle --out - writes only the zip to stdout', async () => {
    const { cwd, home } = setUp()
    const { runShell } = await import('../../support/partner.ts')
    const line = 'partner support bundle --profile sandbox --out - > b.zip'
    expect(await runShell(line, { env: home, cwd })).toMatchObject({ code: 0, stdout: '' })
    expect(Object.keys(unzipped(join(cwd, 'b.zip')))).toContain('README.txt')
  })
})

describe('recorded traffic in a support bundle', () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const bodyOf = (text: string | undefined, at: number) =>
    JSON.parse(JSON.parse(text ?? '').log.entries[at].response.content.text)
  const journal = (path: string, ...minutes: readonly number[]) => {
    const body = Buffer.from('{"eventType":"BOOKING_CREATED","data":{"bookingId":"BK-7"}}')
    const lines = minutes.map((one) =>
      deliveryLine({ timeMs: Date.parse(ago(one)), headers: {}, body, verdict: 'new' }),
    )
    writeFileSync(path, lines.join(''))
    return path
  }

  test('support bundle includes every --har and --journal file without guest data', async () => {
    const { made, file } = setUp()
    const first = writeHar(file('a.har'), [exchange(ago(5))])
    const second = writeHar(file('b.har'), [exchange(ago(9))])
    const journals = [journal(file('a.ndjson'), 3), journal(file('b.ndjson'), 4, 5)]
    const given = [...[first, second].map((har) => `--har=${har}`), ...journals.map((one) => `--journal=${one}`)]
    const { files, all } = await made('--profile', 'sandbox', ...given)
    expect(bodyOf(files['traffic.har'], 0)).toEqual({
      ...{ bookingId: 'BK-7', serviceName: 'Dinner', notes: '[dropped: 6 characters]' },
      customer: { firstName: expect.stringMatching(/^name-\w{12}$/) },
    })
    expect(JSON.parse(files['traffic.har'] ?? '').log.entries[0].startedDateTime < ago(7)).toBe(true)
    expect(files['journal.ndjson']?.trimEnd().split('\n')).toHaveLength(1)
    expect(files['journal-2.ndjson']?.trimEnd().split('\n')).toHaveLength(2)
    expect(all).not.toContain('Xanthippe')
  })

  test('support bundle --last omits older traffic and deliveries', async () => {
    const { made, file } = setUp()
    const har = writeHar(file('a.har'), [exchange(ago(200)), exchange(ago(30)), exchange('yesterday')])
    const deliveries = journal(file('a.ndjson'), 200, 30)
    const { files } = await made('--profile', 'sandbox', '--last', '1h', '--har', har, '--journal', deliveries)
    const of7 = JSON.parse(files['traffic.har'] ?? '').log.entries.filter((entry: { request: { url: string } }) =>
      entry.request.url.endsWith('/Bookings/BK-7'),
    )
    expect(of7).toHaveLength(1)
    expect(files['journal.ndjson']?.trimEnd().split('\n')).toHaveLength(1)
    expect(files['README.txt']).toContain('the last 1h')
  })

  test('support bundle accepts a truncated HAR file from a partner command that was killed', async () => {
    const { made, file } = setUp()
    const begun = '{"log":{"version":"1.2","creator":{"name":"partner","version":"0.1.0"},"entries":['
    const half = JSON.stringify(exchange(ago(1))).slice(0, 70)
    writeFileSync(file('a.har'), `${begun}\n${JSON.stringify(exchange(ago(2)))},\n${half}`)
    const { files } = await made('--profile', 'sandbox', '--har', file('a.har'))
    expect(bodyOf(files['traffic.har'], 0)).toMatchObject({ bookingId: 'BK-7' })
  })
})

test('support bundle --list lists the files that it would include, without sending or writing anything', async () => {
  const server = await startRawServer([answers(500)])
  const { cwd, bundle, file } = setUp({ ...(server.env as Record<string, string>) })
  const har = writeHar(file('a.har'), [exchange(new Date().toISOString())])
  const run = await bundle('--list', '--har', har, '--json')
  expect(run).toMatchObject({ code: 0 })
  expect(JSON.parse(run.stdout).map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(MADE))
  expect((await bundle('--list', '--har', har)).stdout).toMatch(/^traffic\.har .*and 1 more from --har/m)
  expect(server.connections).toBe(0)
  expect(readdirSync(cwd)).toEqual(['a.har'])
})

describe('support bundle with errors', () => {
  test('support bundle reports all unreadable files and invalid flags together without sending anything', async () => {
    const server = await startRawServer([answers(500)])
    const { cwd, bundle, file } = setUp({ ...(server.env as Record<string, string>) })
    writeFileSync(file('a.har'), '{"log":\n{"entries":[}')
    writeHar(file('b.har'), [exchange('2026-11-22T10:00:00Z'), { startedDateTime: 'x', request: { method: 'GET' } }])
    writeFileSync(file('c.har'), '[]')
    writeFileSync(file('a.ndjson'), '{"a":1}\n')
    const before = readdirSync(cwd)
    const given = ['a.har', 'b.har', 'c.har', 'none.har'].flatMap((name) => ['--har', name])
    const run = await bundle(...given, '--journal', 'a.ndjson', '--last', 'soon', '--out', 'no/b.zip')
    expectRefusal(run, { code: 2, says: /7 problems/, next: /nothing was sent/ })
    for (const line of [
      'a.har is not a HAR file: it is not valid JSON at line 2, column 13',
      'b.har is not a HAR file: entry 2 has no request.url',
      'c.har is not a HAR file: it has no log.entries list',
      'cannot read none.har: ',
      'a.ndjson: line 1 is not a delivery',
      '--last: "soon" is not a duration',
      '--out: b.zip cannot be written to no: ',
    ])
      expect(run.stderr).toContain(line)
    expect(server.connections).toBe(0)
    expect(readdirSync(cwd)).toEqual(before)
  })

  test.each<readonly [string, (path: string) => void, RegExp]>([
    ['a file', (path) => writeFileSync(path, 'mine'), /already exists/],
    ['a directory', (path) => mkdirSync(path), /is a directory/],
    // Under Wine, a program sees the target of a Linux symbolic link instead of the link itself.
    ['a link', (path) => symlinkSync('/dev/null', path), IS_WINDOWS ? /is a device/ : /is a symbolic link/],
  ])('support bundle refuses to overwrite %s', async (_what, put, says) => {
    const { bundle, file } = setUp()
    put(file('b.zip'))
    expectRefusal(await bundle('--profile', 'sandbox', '--out', 'b.zip'), {
      code: 2,
      says,
      next: /another|does not exist/,
    })
    expect(statSync(file('b.zip')).size).not.toBeGreaterThan(4096)
  })

  test('support bundle --yes replaces an existing file', async () => {
    const { made, file } = setUp()
    writeFileSync(file('b.zip'), 'mine', { mode: 0o644 })
    expect(Object.keys((await made('--profile', 'sandbox', '--yes')).files)).toContain('README.txt')
    expectPrivate(file('b.zip'))
  })

  test('support bundle writes nothing if the profile does not exist', async () => {
    const { cwd, bundle } = setUp()
    expectRefusal(await bundle('-p', 'nobody'), { code: 4, says: 'nobody' })
    expect(readdirSync(cwd)).toEqual([])
  })

  test('support bundle leaves no file behind if it is interrupted during a request', async () => {
    const server = await startRawServer([hangs])
    const { cwd, home } = setUp()
    const running = startPartner(['support', 'bundle', '--out', 'b.zip'], { env: { ...home, ...server.env }, cwd })
    await until(() => server.requests.length > 0)
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' })
    expect(readdirSync(cwd)).toEqual([])
  })

  test('support bundle leaves no file behind if the disk is full', async (context) => {
    skipWithout(context, SMALL_DISK)
    const disk = mountSmallDisk(8)
    const run = await setUp().bundle('--profile', 'sandbox', '--out', join(disk, 'b.zip'))
    expectRefusal(run, { code: 1, says: /cannot write .*b\.zip: .*ENOSPC/, next: /free some space/ })
    expect(readdirSync(disk)).toEqual([])
  })

  test('support bundle writes nothing if the zip would contain a secret, and says where without printing the secret', async () => {
    // Use the name of a documented member as the secret, because member names are never replaced.
    const { cwd, bundle, file } = setUp({ PARTNER_SIGNING_SECRET: 'bookingId' })
    const har = writeHar(file('a.har'), [exchange('2026-11-22T10:00:00Z')])
    const says = /the bundle was not written[^\n]*\n {2}traffic\.har still contains a secret in use/
    const refused = await bundle('--har', har, '--out', 'b.zip', '--retries', '0')
    expectRefusal(refused, { code: 1, says, next: /nothing was written/, secrets: ['bookingId'] })
    expect(readdirSync(cwd)).toEqual(['a.har'])
    const asJson = await bundle('--har', har, '--out', 'b.zip', '--retries', '0', '--json')
    const expected = { findings: [{ part: 'traffic.har', kind: 'a secret in use' }] }
    expect(reportedError(asJson).details).toMatchObject(expected)
    expect(existsSync(file('b.zip'))).toBe(false)
  })
})

test("a support bundle contains no secrets or names from the service's error messages", async () => {
  const server = await startRawServer(({ headers }) => {
    const body = { message: `Zacharias sent ${JSON.stringify(headers)}`, title: 'Zacharias' }
    return answers(400, body, { 'x-debug': RAW_KEY })
  })
  const { made } = setUp({ ...(server.env as Record<string, string>), PARTNER_SIGNING_SECRET: SIGNING_SECRET })
  const { files, all } = await made('--retries', '0')
  expect(server.requests.length).toBeGreaterThan(1)
  expect(JSON.parse(files['traffic.har'] ?? '').log.entries.length).toBe(server.requests.length)
  for (const hidden of [RAW_KEY, SIGNING_SECRET, 'Zacharias', 'x-api-key\\']) expect(all, hidden).not.toContain(hidden)
})

test('a support bundle does not contain the API key or the signing secret, wherever they occur in the traffic', async () => {
  const said = { message: `You sent ${RAW_KEY}`, serviceName: RAW_KEY, bookingId: RAW_KEY, [RAW_KEY]: SIGNING_SECRET }
  const { made, file } = setUp({
    ...{ PARTNER_BASE_URL: 'http://127.0.0.1:1', PARTNER_API_KEY: RAW_KEY },
    PARTNER_SIGNING_SECRET: SIGNING_SECRET,
  })
  const har = writeHar(file('a.har'), [exchange('2026-11-22T10:00:00Z', said)])
  const { all } = await made('--har', har, '--retries', '0')
  for (const secret of [RAW_KEY, SIGNING_SECRET]) expect(all).not.toContain(secret)
})
