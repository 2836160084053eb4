import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DIST } from '../support/distribution.ts'
import { REAL_CLOCK, skipWithout } from '../support/needs.ts'
import {
  cleanEnvironment,
  type Environment,
  freshDirectory,
  freshHome,
  NODE,
  PARTNER,
  runProgram,
} from '../support/partner.ts'
import { answers, startRawServer } from '../support/raw-server.ts'
import { words } from '../support/words.ts'

// Start-up time depends mainly on what is loaded, so these tests limit what is loaded. The scripts in bench/ measure
// the time itself.

interface Loaded {
  /** The built-in modules that partner loaded, except those that Node loads by itself. */
  readonly builtins: readonly string[]
  /** The files that were read, except the launcher and the code caches. Paths are relative to dist/. */
  readonly files: readonly string[]
  /** The bundles that were compiled without a code cache, or whose code cache V8 rejected. */
  readonly rejectedCaches: readonly string[]
  /** The size in bytes of the code in each code cache that was read, keyed by file name. */
  readonly codeCaches: Readonly<Record<string, number>>
  /** The number of time formatters that were created. Creating one takes 15 ms. */
  readonly formatters: number
}

/** Runs a command line, checks that it succeeds, and returns what it loaded. */
async function loadedBy(args: readonly string[], env: Environment = {}): Promise<Loaded> {
  const report = join(freshDirectory(), 'loaded.json')
  const hook = join(import.meta.dirname, '..', 'support', 'loaded-modules.cjs')
  const all = { ...freshHome(), ...env, LOADED_MODULES: report }
  const run = await runProgram(NODE, ['--require', hook, PARTNER, ...args], { env: all })
  expect(run.code, run.stderr).toBe(0)
  const { builtins, files, rejectedCaches, formatters } = JSON.parse(readFileSync(report, 'utf8')) as Loaded
  const own = files.map((file) => relative(DIST, file)).filter((file) => !/^(?:\.\.|(?:launch|run)\.cjs$)/.test(file))
  const [caches, others] = [true, false].map((isCache) =>
    own.filter((file) => file.startsWith('code-cache') === isCache).sort(),
  ) as [string[], string[]]
  // A cache file contains two copies of the code and a 32-byte hash of the bundle.
  const codeBytes = (file: string) => Math.floor((statSync(join(DIST, file)).size - 32) / 2)
  const codeCaches = Object.fromEntries(caches.map((file) => [basename(file), codeBytes(file)]))
  return { builtins, files: others, codeCaches, rejectedCaches, formatters }
}

/** Modules that a command must not load if it only sends a request and prints the response. */
const HEAVY = 'sqlite https http2 zlib readline child_process worker_threads inspector repl test'.split(' ')

const GUEST = '--first-name A --last-name B --phone 1'
const BOOKING = { bookingId: 'BK-1', status: { code: 'CONFIRMED', name: 'Confirmed' }, people: 2 }

describe('files loaded by help and version', () => {
  test.each([
    [['--version'], 'help/version.txt'],
    [['version'], 'help/version.txt'],
    [['--help'], 'help/partner.txt'],
    [[], 'help/partner.txt'],
    [['-V'], 'help/version.txt'],
    [['help', 'flags'], 'help/flags.txt'],
    [['bookings', 'help'], 'help/topics/bookings.txt'],
    [['bookings', 'list', '-h'], 'help/commands/bookings.list.txt'],
    [['bookings'], 'help/topics/bookings.txt'],
    [['bookings', 'list', '--help'], 'help/commands/bookings.list.txt'],
    [['help', 'giftcards', 'redeem'], 'help/commands/giftcards.redeem.txt'],
  ])('partner with the arguments %j loads only the help file %s', async (args, page) => {
    const { files, builtins } = await loadedBy(args)
    expect(files).toEqual([page])
    expect(builtins).toEqual([])
  })
})

describe('files loaded by completion', () => {
  test.each([
    ['bash', ['bash', 'partner -p dev giftcards get ', ' =:']],
    ['zsh', ['zsh', '', 'partner', '-p', 'dev', 'giftcards', 'get']],
    ['fish', ['fish', '--', 'partner', 'bookings', 'list']],
  ])('completion in %s loads neither a bundle nor oclif and sends no request', async (_shell, args) => {
    const server = await startRawServer([])
    const home = freshHome()
    const add = words(`profiles add dev --base-url ${server.baseUrl} --api-key command:false`)
    expect(await runProgram(NODE, [PARTNER, ...add], { env: home })).toMatchObject({ code: 0 })
    const { files, builtins } = await loadedBy(['__complete', ...args], home)
    expect(files).toEqual(['completion/answer.cjs', 'completion/table.json'])
    expect(builtins).toEqual(['os'])
    expect(server.requests).toHaveLength(0)
  })

  test.each([
    ['launch.cjs', 6],
    ['run.cjs', 20],
    ['completion/answer.cjs', 24],
    ['completion/table.json', 76],
  ])('the file dist/%s is smaller than %d KiB', (file, kilobytes) => {
    expect(statSync(join(DIST, file)).size).toBeLessThan(kilobytes * 1024)
  })
})

test('if global flags precede --help, partner loads only the help page and the list of global flags', async () => {
  const { files, builtins } = await loadedBy(['-p', 'sandbox', 'bookings', 'list', '--help'])
  expect(files).toEqual(['help/commands/bookings.list.txt', 'help/global-flags.txt'])
  expect(builtins).toEqual([])
})

test('global flags before a command do not make it load additional files or modules', async () => {
  const server = await startRawServer([answers(200, BOOKING), answers(200, BOOKING)])
  const behind = await loadedBy(['bookings', 'get', 'BK-1', '--json', '-q'], server.env)
  expect(await loadedBy(['--json', '-q', 'bookings', 'get', 'BK-1'], server.env)).toEqual(behind)
})

describe('files loaded by commands', () => {
  test.each([
    ['bookings get --json', ['bookings', 'get', 'BK-1', '--json'], BOOKING],
    ['bookings get as a card', ['bookings', 'get', 'BK-1'], BOOKING],
    ['bookings list', ['bookings', 'list', '--from', 'today', '-o', 'ndjson'], { bookings: [BOOKING] }],
    ['bookings statuses', ['bookings', 'statuses', '--json'], [BOOKING.status]],
    ['giftcards get', ['giftcards', 'get', 'GIFT1-00000100-AAAA', '--json'], { cardNumber: 'GIFT1-00000100-AAAA' }],
  ] as const)('%s loads only one bundle, without zod, conf or inquirer', async (_name, args, answer) => {
    const { files, builtins } = await loadedBy(args, (await startRawServer([answers(200, answer)])).env)
    expect(files).toEqual(['partner.cjs'])
    expect(builtins.filter((name) => HEAVY.includes(name))).toEqual([])
  })

  test.each([
    ['profiles list loads neither conf nor a client', ['profiles', 'list', '--json'], ''],
    ['api spec prints the file that the build created', ['api', 'spec', '--json'], 'openapi.json'],
    ['mcp config does not load the MCP server', ['mcp', 'config', '--client', 'json', '-p', 'sandbox'], ''],
  ])('%s', async (_what, args, data) => {
    const { files, builtins } = await loadedBy(args)
    expect(files.filter((file) => file !== data)).toEqual(['partner.cjs'])
    expect(builtins.filter((name) => [...HEAVY, 'http', 'tls', 'dns'].includes(name))).toEqual([])
  })

  test('a read command with a stored profile loads neither zod nor conf', async () => {
    const server = await startRawServer([answers(200, BOOKING)])
    const add = ['profiles', 'add', 'dev', '--base-url', server.baseUrl, '--api-key', 'env:KEY']
    const env = { ...freshHome(), KEY: 'k' }
    expect((await loadedBy(add, env)).files).toEqual(['partner.cjs', 'vendor/conf.cjs'])
    expect((await loadedBy(['bookings', 'get', 'BK-1', '--json'], env)).files).toEqual(['partner.cjs'])
  })

  test('zod is loaded only if a request body has to be validated', async () => {
    const { files } = await loadedBy(
      [
        ...words(`reservations create --dry-run --people 2 --service s --section t ${GUEST}`),
        '--time',
        '2026-12-24 19:00',
      ],
      { PARTNER_BASE_URL: 'http://127.0.0.1:9', PARTNER_API_KEY: 'k' },
    )
    expect(files).toEqual(['partner.cjs', 'vendor/zod.cjs'])
  })

  test('the only package that webhooks apply loads is yaml, which reads the subscriptions file', async () => {
    const env = { ...(await startRawServer([answers(200, [])])).env, HOOK_KEY: 'key', HOOK_TOKEN: 'token' }
    const file = join(import.meta.dirname, '..', 'support', 'hooks.yaml')
    const { files, builtins } = await loadedBy(['webhooks', 'apply', file, '--dry-run', '--json'], env)
    expect(files).toEqual(['partner.cjs', 'vendor/yaml.cjs'])
    expect(builtins.filter((name) => HEAVY.includes(name))).toEqual([])
    expect((await loadedBy(['webhooks', 'list', '--json'], env)).files).toEqual(['partner.cjs'])
  })

  test('a sync that finds no changes loads only what a list command loads, plus SQLite for its lock', async () => {
    const server = await startRawServer([answers(200, { bookings: [] }, { date: new Date().toUTCString() })])
    const env = { ...freshHome(), ...server.env, PARTNER_TIMEZONE: 'Australia/Melbourne' }
    const sync = ['bookings', 'sync', '--to', join(freshDirectory(), 'b.ndjson'), '--since', '-1h']
    const first = await loadedBy(sync, env)
    const second = await loadedBy(sync, env)
    expect([first.files, second.files]).toEqual([['partner.cjs'], ['partner.cjs']])
    expect(second.builtins.filter((name) => HEAVY.includes(name))).toEqual(['sqlite'])
    const list = await loadedBy(['bookings', 'list', '--updated-from', '-1h', '-o', 'ndjson'], env)
    const more = second.builtins.filter((name) => !list.builtins.includes(name))
    expect(more.filter((name) => !/^(?:sqlite|internal|timers)/.test(name))).toEqual([])
    expect((await loadedBy(sync.slice(0, -2), env)).formatters).toBe(0)
    expect(server.requests).toHaveLength(4)
  })

  test('printing a table loads the code for wide characters and time zones only if the table needs it', async () => {
    const { formatters, builtins } = await loadedBy(['bookings', 'statuses'], {
      ...(await startRawServer([answers(200, [BOOKING.status])])).env,
      PARTNER_TIMEZONE: 'Australia/Sydney',
    })
    expect(formatters).toBe(0)
    expect(builtins).not.toContain('_http_client')
  })
})

describe('modules loaded for tracing', () => {
  test('a command loads no tracing modules if no trace endpoint is configured', async () => {
    const traceparent = { TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, OTEL_SERVICE_NAME: 'night' }
    const { builtins } = await loadedBy(['profiles', 'list', '--json'], traceparent)
    expect(builtins).not.toContain('crypto')
    expect(await loadedBy(['certify', '--list'], traceparent)).toEqual(await loadedBy(['certify', '--list']))
  })

  test('with OTEL_EXPORTER_OTLP_ENDPOINT, a command loads only the modules that send its trace', async () => {
    const server = await startRawServer([answers(200, {})])
    const { files, builtins } = await loadedBy(['profiles', 'list', '--json'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: server.baseUrl,
    })
    expect(builtins).toContain('crypto')
    expect(builtins.filter((name) => HEAVY.includes(name))).toEqual([])
    expect(files).toEqual(['partner.cjs'])
    expect(server.requests).toHaveLength(1)
  })
})

const sandbox = { PARTNER_PROFILE: 'sandbox' }
const REDEEM = words('giftcards redeem GIFT1-00000100-AAAA --amount 1 --yes --json')
const SIGN = words('sign --url https://example.com/hook --body x')

// The limits are 10% above the current numbers, so exceeding one usually means a new dependency. Commands that send
// requests need more modules, because undici's client loads net, streams and their internals.
describe.each([
  { kind: 'local', args: SIGN, env: { PARTNER_SIGNING_SECRET: 'k' }, builtins: 45, kilobytes: 1130 },
  { kind: 'local', args: ['profiles', 'list'], env: {}, builtins: 25, kilobytes: 1130 },
  { kind: 'read', args: ['bookings', 'get', 'BK-1', '--json'], env: null, builtins: 32, kilobytes: 1610 },
  { kind: 'write', args: REDEEM, env: null, builtins: 52, kilobytes: 1570 },
  { kind: 'sandbox', args: ['bookings', 'statuses'], env: sandbox, builtins: 58, kilobytes: 1850 },
])('start-up of a $kind command: $args', ({ kind, args, env, builtins, kilobytes }) => {
  test('a command loads no more Node modules or bytes of code than its limits allow', async (context) => {
    const cache = join(DIST, 'code-cache', `${process.versions.v8}-${process.platform}-${process.arch}`)
    skipWithout(context, { isMet: existsSync(cache), lack: 'no code cache was built for this Node' })
    const card = { cardNumber: 'GIFT1-00000100-AAAA', isSuccess: true, amountRedeemed: 1, remainingAmount: 2 }
    const loaded = await loadedBy(args, env ?? (await startRawServer(() => answers(200, { ...card, ...BOOKING }))).env)
    expect(loaded.builtins.length, loaded.builtins.join(' ')).toBeLessThan(builtins)
    expect(Object.keys(loaded.codeCaches)).toEqual([`partner-${kind}.bin`])
    expect(loaded.codeCaches[`partner-${kind}.bin`]).toBeLessThan(kilobytes * 1024)
  })
})

test('V8 accepts the code cache that the build created', async (context) => {
  const cache = join(DIST, 'code-cache', `${process.versions.v8}-${process.platform}-${process.arch}`)
  skipWithout(context, { isMet: existsSync(cache), lack: 'no code cache was built for this Node' })
  const server = await startRawServer([answers(200, BOOKING)])
  expect((await loadedBy(['bookings', 'get', 'BK-1', '--json'], server.env)).rejectedCaches).toEqual([])
})

test('the test environment contains no variables that make Node print messages', (context) => {
  skipWithout(context, REAL_CLOCK)
  expect(Object.keys(cleanEnvironment({ PARTNER_SANDBOX_HAR: undefined }))).toEqual(['PATH', 'HOME'])
})
