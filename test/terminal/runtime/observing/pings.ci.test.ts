import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deliveryLine } from '../../../../src/webhooks/events/journal/entry.ts'
import { freshDirectory, freshHome, runPartner } from '../../../support/partner.ts'
import { type Act, answers, RAW_KEY, startRawServer } from '../../../support/raw-server.ts'
import { expectRefusal } from '../../../support/refusal.ts'
import { sendSignalsTogether, startPartner } from '../../../support/running.ts'
import { until } from '../../../support/until.ts'
import { configureVenues, jsonLines } from '../../../support/venues.ts'
import { words } from '../../../support/words.ts'
import { booking, startSyncService } from '../../../sync/service.ts'

const ID = '5f1d7a3e-9b2c-4d00-12ab-34cd56ef7890'
const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T10:00:00Z']
/** A response that has no records and always has the same Date header. */
const NOTHING = answers(200, [], { date: new Date(NOON).toUTCString() })

/** Starts a job monitor that responds to each ping with `act`. */
async function startMonitor(act: Act = answers(200, 'OK')) {
  const server = await startRawServer(() => act)
  return {
    url: `${server.baseUrl}/ping/${ID}`,
    requests: server.requests,
    /** Returns the pings received so far, such as `start` and `0`. */
    heard: () => server.requests.map(({ method, target }) => `${method} ${target.replace(`/ping/${ID}`, '')}`),
  }
}

/** Starts a service without records. Returns the arguments and environment variables for a sync from this service. */
async function emptySync(act: Act = NOTHING) {
  const service = await startRawServer(() => act)
  return { service, args: ['bookings', 'sync', '--to', '-', ...SINCE], env: { ...freshHome(), ...service.env } }
}

describe('pings for a single run', () => {
  test("--ping posts to URL/start first and posts the command's stderr to URL/0 at the end", async () => {
    const { args, env } = await emptySync()
    const monitor = await startMonitor()
    const run = await runPartner([...args, '--ping', monitor.url], { env })
    expect(run.code).toBe(0)
    expect(monitor.heard()).toEqual(['POST /start', 'POST /0'])
    const [start, end] = monitor.requests
    expect(start).toMatchObject({ body: '', headers: { 'content-length': '0' } })
    expect(end?.body).toBe(run.stderr)
    expect(end?.body).toMatch(/^bookings: 0 new/)
    expect(end?.headers['content-type']).toBe('text/plain; charset=utf-8')
    for (const { headers } of monitor.requests) expect(Object.keys(headers)).not.toContain('x-api-key')
  })

  test('PARTNER_PING_URL has the same effect as --ping, but --ping takes precedence', async () => {
    const { args, env } = await emptySync()
    const [one, other] = [await startMonitor(), await startMonitor()]
    const all = { ...env, PARTNER_PING_URL: one.url }
    await runPartner(args, { env: all })
    expect(one.heard()).toEqual(['POST /start', 'POST /0'])
    await runPartner([...args, `--ping=${other.url}`], { env: all })
    expect(one.heard()).toHaveLength(2)
    expect(other.heard()).toEqual(['POST /start', 'POST /0'])
  })

  test('a failed run pings URL/EXIT-CODE with its error', async () => {
    const { args, env } = await emptySync(answers(401, { message: 'Invalid API key' }))
    const monitor = await startMonitor()
    const run = await runPartner([...args, '--ping', monitor.url], { env })
    expect(run.code).toBe(4)
    expect(monitor.heard()).toEqual(['POST /start', 'POST /4'])
    expect(monitor.requests[1]?.body).toBe(run.stderr)
  })

  test.each([
    ['an unknown flag', ['bookings', 'sync', '--too', 'b.ndjson'], 'unknown flag --too'],
    ['a missing flag', ['bookings', 'sync'], '--to'],
    ['an invalid value', ['bookings', 'sync', '--to', 'b.ndjson', '--every', 'often'], '--every'],
    ['an unknown command', ['bookings', 'snyc', '--to', 'b.ndjson'], 'unknown command'],
    ['a command that has no --ping', ['bookings', 'list'], 'unknown flag --ping'],
  ])('%s on the command line is reported to the monitor with exit code 2', async (_what, args, says) => {
    const monitor = await startMonitor()
    const run = await runPartner([...args, '--ping', monitor.url], { env: freshHome() })
    expectRefusal(run, { code: 2, says, secrets: [ID] })
    expect(monitor.heard()).toEqual(['POST /start', 'POST /2'])
    expect(monitor.requests[1]?.body).toBe(run.stderr)
  })

  test('a command that has no --ping flag ignores PARTNER_PING_URL, even if the command fails or the variable is invalid', async () => {
    const { env } = await emptySync()
    const monitor = await startMonitor()
    for (const line of ['bookings list --from today', 'bookings list --no-such-flag', 'bookigns list'])
      await runPartner(line, { env: { ...env, PARTNER_PING_URL: monitor.url } })
    expect(monitor.heard()).toEqual([])
    const list = { env: { ...env, PARTNER_PING_URL: 'command:false' } }
    expect((await runPartner('bookings list --from today --json', list)).stdout).toBe('[]\n')
  })

  test('--dry-run, --list and --help send no pings', async () => {
    const { args, env } = await emptySync()
    const monitor = await startMonitor()
    for (const more of [
      [...args, '--dry-run'],
      [...args, '--help'],
      ['certify', '--list'],
    ])
      expect(await runPartner([...more, '--ping', monitor.url], { env })).toMatchObject({ code: 0 })
    expect(monitor.heard()).toEqual([])
  })

  test("a ping's path is inserted before the URL's query, without a duplicate slash", async () => {
    const { args, env } = await emptySync()
    const monitor = await startMonitor()
    await runPartner([...args, '--ping', `${monitor.url}/?create=1`], { env })
    expect(monitor.heard()).toEqual(['POST /start?create=1', 'POST /0?create=1'])
  })

  test('the final ping is sent only after the monitor has responded to the start ping', async () => {
    const { args, env } = await emptySync()
    let answered = 0
    const before: number[] = []
    const monitor = await startMonitor((socket, request) => {
      before.push(answered)
      setTimeout(() => {
        answered++
        answers(200)(socket, request)
      }, 300)
    })
    expect(await runPartner([...args, '--ping', monitor.url], { env })).toMatchObject({ code: 0 })
    expect(monitor.heard()).toEqual(['POST /start', 'POST /0'])
    expect(before).toEqual([0, 1])
  })

  test('a failed ping is retried only once', async () => {
    const { args, env } = await emptySync()
    const monitor = await startMonitor(answers(503))
    expect(await runPartner([...args, '--ping', monitor.url], { env })).toMatchObject({ code: 0 })
    expect(monitor.heard()).toEqual(['POST /start', 'POST /start', 'POST /0', 'POST /0'])
  })
})

describe('ping body', () => {
  test('a ping contains the last 10 KB of stderr and never starts in the middle of a character', async () => {
    const { env } = await emptySync()
    const monitor = await startMonitor()
    const file = join(freshDirectory(), 'sales.ndjson')
    writeFileSync(file, Array.from({ length: 900 }, (_, line) => `{"€€€${line}`).join('\n'))
    // The flags contain a three-byte character, which would be split if stderr were cut at an arbitrary byte.
    const args = ['webhooks', 'gaps', '--journal', 'x', '--copy', 'y.ndjson', ...flags(400), '--ping', monitor.url]
    const run = await runPartner(args, { env })
    expect(run.code).toBe(2)
    expect(Buffer.byteLength(run.stderr)).toBeGreaterThan(12_000)
    const body = monitor.requests[1]?.body ?? ''
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(10_000)
    expect(Buffer.byteLength(body)).toBeGreaterThan(9_990)
    expect(run.stderr.endsWith(body)).toBe(true)
  })

  test('pings, output and recorded traffic contain neither the key nor the ping URL', async () => {
    const monitor = await startMonitor()
    const message = `key ${RAW_KEY} is not valid; see ${monitor.url}/start`
    const { args, env } = await emptySync(answers(400, { message }))
    const har = join(freshDirectory(), 'traffic.har')
    const run = await runPartner([...args, '--ping', monitor.url, '-v', '--har', har], { env })
    expect(run.code).toBe(5)
    expect(monitor.requests[1]?.body).toContain('key •••• is not valid; see ••••')
    for (const text of [run.stderr, monitor.requests[1]?.body, readFileSync(har, 'utf8')]) {
      expect(text).not.toContain(ID)
      expect(text).not.toContain(RAW_KEY)
    }
  })

  test('with --quiet, a ping contains only errors, as stderr does', async () => {
    const { args, env } = await emptySync()
    const monitor = await startMonitor()
    await runPartner([...args, '--quiet', '--ping', monitor.url], { env })
    expect(monitor.requests[1]?.body).toBe('')
  })
})

/** Returns flags with long invalid values. Each of them adds one line to stderr. */
function flags(count: number): string[] {
  return Array.from({ length: count }, (_, at) => ['--event', `€_UNKNOWN_EVENT_${at}`]).flat()
}

describe('ping URLs', () => {
  test('the ping URL can be a reference to a variable, a file or a command', async () => {
    const monitor = await startMonitor()
    const { args, env } = await emptySync()
    const file = join(freshDirectory(), 'ping-url')
    writeFileSync(file, `${monitor.url}\n`, { mode: 0o600 })
    for (const reference of ['env:HC_URL', `file:${file}`, `command:cat '${file}'`])
      expect(await runPartner([...args, '--ping', reference], { env: { ...env, HC_URL: monitor.url } })).toMatchObject({
        code: 0,
      })
    expect(monitor.heard()).toEqual(Array(3).fill(['POST /start', 'POST /0']).flat())
  })

  test.each([
    ['hc.example/ping/x-secret', 'must be an https URL'],
    ['', 'must be an https URL'],
    ['ftp://hc.example/x-secret', 'must be an https URL'],
    ['http://hc.example/x-secret', 'must use https'],
    ['https://anna:x-secret@hc.example/', 'must not contain a user name'],
    ['https://hc.example/x-secret#top', 'must not contain a user name, a password or a fragment'],
    ['https://hc.example/x-secret/{profile}', '{profile}, which works only with --profiles'],
  ])(
    'an invalid ping URL is refused before any request is sent, and the error does not repeat the URL: %j',
    async (url, says) => {
      const { service, args, env } = await emptySync()
      expectRefusal(await runPartner([...args, '--ping', url], { env }), { code: 2, says, secrets: ['x-secret'] })
      const variable = await runPartner(args, { env: { ...env, PARTNER_PING_URL: url } })
      if (url !== '') expectRefusal(variable, { code: 2, says: 'PARTNER_PING_URL', secrets: ['x-secret'] })
      expect(service.connections).toBe(url === '' ? 1 : 0)
    },
  )

  test.each([
    ['env:NOT_SET', 'should come from the variable NOT_SET, which is not set'],
    ['file:/no/such/x-file', 'cannot read the ping URL from /no/such/x-file'],
    ['command:exit 3', 'the command that prints the ping URL failed with exit code 3'],
  ])('if the reference %j cannot be read, the run continues with a warning', async (reference, says) => {
    const { service, args, env } = await emptySync()
    const { code, stderr } = await runPartner([...args, '--quiet', '--ping', reference], { env })
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(says) })
    expect(stderr).toMatch(/^warning: no pings will be sent for this run: /)
    expect(service.connections).toBe(1)
  })

  test('partner config shows only the host of the ping URL', async () => {
    const shown = async (url: string) => {
      const run = await runPartner(['config', '--json'], { env: { ...freshHome(), PARTNER_PING_URL: url } })
      expect(run.stdout + run.stderr).not.toContain(ID)
      return JSON.parse(run.stdout).find(({ setting }: { setting: string }) => setting === 'pingUrl')
    }
    expect(await shown(`https://hc.example/ping/${ID}`)).toEqual({
      ...{ setting: 'pingUrl', value: 'https://hc.example/••••' },
      ...{ source: 'variable', from: 'PARTNER_PING_URL' },
    })
    expect(await shown('file:/etc/partner/ping')).toMatchObject({ value: 'file:/etc/partner/ping' })
    expect(await shown('')).toMatchObject({ value: null, source: null })
  })

  test('programs that a command starts receive no environment variable that contains the ping URL', async () => {
    const monitor = await startMonitor()
    const out = join(freshDirectory(), 'env.txt')
    const env = { ...freshHome(), PARTNER_PING_URL: `env:HC_URL`, HC_URL: monitor.url, OTHER: `see ${monitor.url}` }
    const run = ['--run', `env > '${out}'; false`, '--only', 'sale-409-accepted']
    expect((await runPartner(['certify', ...run], { env })).code).toBe(11)
    expect(readFileSync(out, 'utf8')).not.toMatch(/PARTNER_PING_URL|HC_URL|OTHER=/)
    expect(readFileSync(out, 'utf8')).not.toContain(ID)
    expect(monitor.heard()).toEqual(['POST /start', 'POST /11'])
  })
})

describe('pings for a stopped run', () => {
  test.each([
    ['SIGTERM', 130],
    ['SIGINT', 130],
    ['SIGHUP', 130],
  ] as const)('a run that is stopped by %s still sends a ping with exit code %i', async (signal, code) => {
    const { service, args, env } = await emptySync(() => {})
    const monitor = await startMonitor()
    const running = startPartner([...args, '--ping', monitor.url], { env })
    await until(() => service.requests.length > 0 && monitor.heard().length > 0)
    running.process.kill(signal)
    expect(await running.ended).toMatchObject({ code })
    expect(monitor.heard()).toEqual(['POST /start', `POST /${code}`])
    expect(monitor.requests[1]?.body).toContain('stopped by')
  })

  test('a run that is killed with SIGKILL sends no final ping', async () => {
    const { service, args, env } = await emptySync(() => {})
    const monitor = await startMonitor()
    const running = startPartner([...args, '--ping', monitor.url], { env })
    await until(() => service.requests.length > 0 && monitor.heard().length > 0)
    running.process.kill('SIGKILL')
    await running.ended
    expect(monitor.heard()).toEqual(['POST /start'])
  })

  test('a listener that is stopped sends a final ping with exit code 0', async () => {
    const monitor = await startMonitor()
    const running = startPartner(['webhooks', 'listen', '--ping', monitor.url], { env: freshHome() })
    await until(() => running.said.stderr.includes('listening on') && monitor.heard().length > 0)
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0 })
    expect(monitor.heard()).toEqual(['POST /start', 'POST /0'])
  })

  test('a second signal ends the process immediately, even while a ping hangs', async () => {
    const { service, args, env } = await emptySync(() => {})
    const monitor = await startMonitor(() => {})
    const running = startPartner([...args, '--ping', monitor.url], { env })
    await until(() => service.requests.length > 0 && monitor.heard().length > 0)
    running.process.kill('SIGTERM')
    await until(() => running.said.stderr.includes('stopped by'))
    sendSignalsTogether(running, 'SIGTERM')
    expect(await running.ended).toMatchObject({ code: 130 })
  })
})

describe('pings for sync --every', () => {
  test('each run sends a ping when it starts, and another with its exit code and stderr when it ends', async () => {
    const acts = [NOTHING, answers(400, { message: 'no such day' }), NOTHING]
    const service = await startRawServer(acts)
    const monitor = await startMonitor()
    const args = words(`bookings sync --to - --every 1s --retries 0 --ping ${monitor.url}`)
    const running = startPartner([...args, ...SINCE], { env: { ...freshHome(), ...service.env } })
    await until(() => monitor.heard().length >= 6)
    running.process.kill('SIGTERM')
    await running.ended
    const pings = monitor.heard().slice(0, 6)
    expect(pings).toEqual(['start', '0', 'start', '5', 'start', '0'].map((path) => `POST /${path}`))
    const bodies = monitor.requests.map(({ body }) => body)
    expect(bodies[1]).toMatch(/^bookings: 0 new.*\n$/)
    expect(bodies[3]).toMatch(/^bookings: .*no such day.*; retrying in 1 s\n$/)
    expect(bodies[5]).toMatch(/^bookings: 0 new.*\n$/)
  })

  test('a run started by an event sends a ping only if its exit code differs from that of the previous run', async () => {
    const journal = join(freshDirectory(), 'hooks.ndjson')
    writeFileSync(journal, '')
    let act = NOTHING
    const service = await startRawServer(() => act)
    const monitor = await startMonitor()
    const args = words(`bookings sync --to - --every 1h --retries 0 --wake ${journal} --ping ${monitor.url}`)
    const running = startPartner([...args, ...SINCE], { env: { ...freshHome(), ...service.env } })
    const wake = async (says: string) => {
      const before = running.said.stderr.split(says).length
      const body = Buffer.from('{"eventType":"BOOKING_UPDATED","data":{}}')
      appendFileSync(journal, deliveryLine({ timeMs: 0, headers: {}, body, verdict: 'new' }))
      await until(() => running.said.stderr.split(says).length > before)
    }
    await until(() => monitor.heard().length === 2)
    await wake('woken by 1 event')
    act = answers(400, { message: 'no such day' })
    await wake('retrying in 5 s')
    await until(() => running.said.stderr.includes('retrying in 10 s'))
    act = NOTHING
    await wake('; woken by')
    await until(() => monitor.heard().length >= 4)
    await wake('; woken by')
    running.process.kill('SIGTERM')
    await running.ended
    expect(monitor.heard()).toEqual(['POST /start', 'POST /0', 'POST /5', 'POST /0'])
    expect(monitor.requests.map(({ body }) => body)).toEqual([
      ...['', expect.stringMatching(/^bookings: 0 new/), expect.stringMatching(/^bookings: .*retrying in 5 s\n$/)],
      expect.stringMatching(/^bookings: 0 new.*; woken by 2 events\n$/),
    ])
  })

  test('a hanging monitor does not delay the next runs', async () => {
    const { service, args, env } = await emptySync()
    const monitor = await startMonitor(() => {})
    const running = startPartner([...args, '--every', '1s', '--ping', monitor.url], { env })
    // Four runs would take longer than the time limit if each of them waited for its pings.
    await until(() => service.requests.length >= 4)
    expect(monitor.heard()[0]).toBe('POST /start')
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 130 })
  })

  test('no ping is sent when a sync is stopped between two runs', async () => {
    const { args, env } = await emptySync()
    const monitor = await startMonitor()
    const running = startPartner([...args, '--every', '1h', '--ping', monitor.url], { env })
    await until(() => monitor.heard().length === 2)
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(monitor.heard()).toEqual(['POST /start', 'POST /0'])
  })

  test('an error before the first run is reported with a ping', async () => {
    const monitor = await startMonitor()
    const args = ['bookings', 'sync', '--to', 'b.txt', '--every', '1h', '--ping', monitor.url]
    expect((await runPartner(args, { env: freshHome() })).code).toBe(2)
    expect(monitor.heard()).toEqual(['POST /start', 'POST /2'])
  })
})

describe('pings with --profiles', () => {
  async function twoVenues() {
    const { server } = await startSyncService(NOON, [booking('A', '2026-11-20T11:00:00.000Z')])
    const broken = await startRawServer([answers(401, { message: 'Invalid API key' })])
    const { env } = configureVenues([
      { name: 'good', baseUrl: server.baseUrl },
      { name: 'bad', baseUrl: broken.baseUrl },
    ])
    const to = join(freshDirectory(), 'venues.db')
    return { env, args: ['bookings', 'sync', '--profiles', 'all', '--to', to, ...SINCE] }
  }

  test('with {profile} in the URL, each venue has its own pings, with its own exit code and error', async () => {
    const { env, args } = await twoVenues()
    const monitor = await startMonitor()
    const run = await runPartner([...args, '--json', '--ping', `${monitor.url}-{profile}`], { env })
    expect(run.code).toBe(11)
    expect(jsonLines(run.stderr)).toHaveLength(2)
    expect(monitor.heard().sort()).toEqual(['POST -bad/4', 'POST -bad/start', 'POST -good/0', 'POST -good/start'])
    const bodyOf = (path: string) => monitor.requests.find(({ target }) => target.endsWith(path))?.body
    expect(bodyOf('-bad/4')).toBe('error: Invalid API key\n')
    expect(bodyOf('-good/0')).toBe('')
  })

  test('without {profile} in the URL, all venues share one start ping and one final ping', async () => {
    const { env, args } = await twoVenues()
    const monitor = await startMonitor()
    expect((await runPartner([...args, '--ping', monitor.url], { env })).code).toBe(11)
    expect(monitor.heard()).toEqual(['POST /start', 'POST /11'])
    expect(monitor.requests[1]?.body).toContain('1 of 2 profiles failed: bad (exit 4)')
  })

  test('--every refuses a URL without {profile}, because the pings of a working venue would hide a failing one', async () => {
    const { env, args } = await twoVenues()
    const monitor = await startMonitor()
    const run = await runPartner([...args, '--every', '1h', '--ping', monitor.url], { env })
    expectRefusal(run, { code: 2, says: 'each venue needs its own URL to ping', secrets: [ID] })
  })
})
