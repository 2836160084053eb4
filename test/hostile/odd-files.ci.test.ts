import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshInstallation } from '../support/distribution.ts'
import { LIMIT_MS } from '../support/limit.ts'
import { needs, skipWithout } from '../support/needs.ts'
import { ODD_KINDS, type OddKind, placeOddFile, THEIRS } from '../support/odd-files.ts'
import {
  cleanEnvironment,
  type Environment,
  freshDirectory,
  freshHome,
  NODE,
  PARTNER,
  type Run,
  runPartner,
  runProgram,
  runShell,
} from '../support/partner.ts'
import { answers, RAW_KEY, startRawServer } from '../support/raw-server.ts'
import { expectClean, expectRefusal } from '../support/refusal.ts'
import { IS_WINDOWS, NAMED_PIPES, toolPath, unixOnly } from '../support/windows.ts'

const ALL_KINDS = Object.keys(ODD_KINDS) as OddKind[]
/** Under Wine, a program cannot recognize Linux pipes, sockets and links. */
const KINDS = IS_WINDOWS ? (['a directory'] as const) : ALL_KINDS
type Home = ReturnType<typeof freshHome>

const CARD = 'GIFT1-00000100-AAAA'
const ADD = ['profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', 'env:K']
const READ = ['bookings', 'statuses', '--json', '--retries', '0']
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '5']
const IN_SANDBOX = ['bookings', 'statuses', '--profile', 'sandbox']

const LISTS = ['operations', 'list']

const profiles = (home: Home) => join(home.PARTNER_CONFIG_DIR, 'profiles.json')
const operations = (home: Home) => join(home.PARTNER_DATA_DIR, 'operations.db')
const har = (home: Home) => join(home.PARTNER_CACHE_DIR, '..', 'traffic.har')
const sandboxFile = (name: string) => (home: Home) => join(home.PARTNER_DATA_DIR, 'sandbox', name)

/**
 * Files that partner creates for itself. `args` is a command that uses the file. The command exits with `code` if the
 * path is not a regular file.
 */
const TOOL_FILES: Readonly<
  Record<string, { path: (home: Home) => string; args: readonly string[]; code: number; needs?: readonly string[] }>
> = {
  'the profile file (read)': { path: profiles, args: ['profiles', 'list'], code: 2 },
  'the profile file (changed)': { path: profiles, args: ADD, code: 2 },
  'the lock of the profile file': { path: (home) => `${profiles(home)}.lock`, args: ADD, code: 2 },
  'the record of money writes (listed)': { path: operations, args: LISTS, code: 1 },
  'the record of money writes (written)': { path: operations, args: REDEEM, code: 1 },
  'the journal of the record of money writes': {
    path: (home) => `${operations(home)}-journal`,
    args: REDEEM,
    code: 1,
    needs: LISTS,
  },
  'the HAR file': { path: har, args: [...READ.filter((word) => word !== '--json'), '--har'], code: 2 },
  "the sandbox's database": { path: sandboxFile('sandbox.db'), args: IN_SANDBOX, code: 2 },
  "the log of the sandbox's database": { path: sandboxFile('sandbox.db-wal'), args: IN_SANDBOX, code: 2 },
  "the sandbox's database (deleted)": { path: sandboxFile('sandbox.db'), args: ['sandbox', 'reset', '--yes'], code: 2 },
}

/**
 * Odd files that are accepted: `profiles list` follows a link to a file, and `sandbox reset` treats a dangling link as
 * a missing database.
 */
const ACCEPTED_KINDS: Readonly<Record<string, OddKind>> = {
  'the profile file (read)': 'a link to a file',
  "the sandbox's database (deleted)": 'a dangling link',
}

describe.each(Object.entries(TOOL_FILES))('%s', (name, { path, args, code, needs }) => {
  test.each(KINDS.filter((kind) => kind !== ACCEPTED_KINDS[name]))(
    `a command refuses to use ${name} if it is %s`,
    async (kind) => {
      const home = freshHome()
      const server = await startRawServer([answers(200, [])])
      const env = { ...home, ...server.env }
      if (needs) expect((await runPartner(needs, { env })).code).toBe(0)
      const place = path(home)
      const { file, nowhere } = await placeOddFile(kind, place)
      const run = await runPartner([...args, ...(args.at(-1) === '--har' ? [place] : [])], { env })
      expectRefusal(run, { code, says: ODD_KINDS[kind], next: /move it aside|link|overwritten/, secrets: [RAW_KEY] })
      expect(run.stderr).toContain(place === har(home) ? place : toolPath(place))
      expect(server.requests).toEqual([])
      expect(readFileSync(file, 'utf8')).toBe(THEIRS)
      expect(existsSync(nowhere)).toBe(false)
    },
  )
})

/** Optional files and directories. Commands work without them. */
const OPTIONAL_FILES: Readonly<Record<string, { path: (home: Home) => string; args: readonly string[] }>> = {
  'the record of rate limits': { path: (home) => join(home.PARTNER_CACHE_DIR, 'pace.db'), args: READ },
  'the journal of the record of rate limits': {
    path: (home) => join(home.PARTNER_CACHE_DIR, 'pace.db-journal'),
    args: READ,
  },
  'the cache directory': { path: (home) => home.PARTNER_CACHE_DIR, args: READ },
  'the file that names the holder of a lock': { path: (home) => `${profiles(home)}.lock.holder`, args: ADD },
  "the sandbox's journal": { path: sandboxFile('journal.ndjson'), args: [...IN_SANDBOX, '--json'] },
}

describe.each(Object.entries(OPTIONAL_FILES))('%s', (name, { path, args }) => {
  test.each(KINDS)(`if ${name} is %s, a command neither fails nor writes to it`, async (kind) => {
    const home = freshHome()
    const limited = answers(429, { message: 'You may only perform this action 1 times every 100 milliseconds' })
    const server = await startRawServer([limited, answers(200, [])])
    const { file, nowhere } = await placeOddFile(kind, path(home))
    const run = await runPartner(
      args.map((word) => (word === '0' ? '1' : word)),
      { env: { ...home, ...server.env } },
    )
    expect(run.code, run.stderr).toBe(0)
    expectClean(run)
    expect(readFileSync(file, 'utf8')).toBe(THEIRS)
    expect(existsSync(nowhere)).toBe(false)
  })
})

test.each(KINDS.filter((kind) => kind !== 'a link to a file'))(
  'sandbox journal reports that the journal is %s',
  async (kind) => {
    const home = freshHome()
    const place = sandboxFile('journal.ndjson')(home)
    await placeOddFile(kind, place)
    const run = await runPartner(['sandbox', 'journal'], { env: home })
    expectRefusal(run, { code: 2, says: ODD_KINDS[kind] })
    expect(run.stderr).toContain(toolPath(place))
  },
)

test.each(KINDS.filter((kind) => kind !== 'a directory'))(
  "commands refuse to use the tool's own directory if it is %s",
  async (kind) => {
    const home = freshHome()
    await placeOddFile(kind, home.PARTNER_CONFIG_DIR)
    await placeOddFile(kind, home.PARTNER_DATA_DIR)
    const env = { ...home, PARTNER_BASE_URL: 'http://127.0.0.1:9', PARTNER_API_KEY: RAW_KEY }
    for (const [args, code, place] of [
      [ADD, 2, home.PARTNER_CONFIG_DIR],
      [['profiles', 'list'], 2, home.PARTNER_CONFIG_DIR],
      [REDEEM, 1, home.PARTNER_DATA_DIR],
    ] as const) {
      const run = await runPartner(args, { env })
      expectRefusal(run, { code, says: /in the way|dangling|not a directory/ })
      expect(run.stderr).toContain(toolPath(place))
    }
  },
)

test('a command exits with code 2 before it sends anything if the disk for the HAR file is full', async (context) => {
  skipWithout(context, unixOnly('Windows has no ulimit'))
  const server = await startRawServer([answers(200, [])])
  const file = join(freshDirectory(), 'traffic.har')
  const run = await runShell(`ulimit -f 0; partner ${READ.join(' ').replace(' --json', '')} --har ${file}`, {
    env: { ...freshHome(), ...server.env },
  })
  expectRefusal(run, { code: 2, says: /--har cannot write .*file too large/ })
  expect(server.requests).toEqual([])
})

test('partner ignores a code cache that is a named pipe', async () => {
  const place = freshInstallation()
  rmSync(join(place, 'dist', 'code-cache'), { recursive: true, force: true })
  const home = freshHome()
  const run = () =>
    runProgram(NODE, [join(place, 'bin', 'run.js'), 'profiles', 'list', '--json'], { env: home, cwd: place })
  const first = await run()
  expect(first.code).toBe(0)
  const codeCache = join(home.PARTNER_CACHE_DIR, 'code')
  for (const name of readdirSync(codeCache)) {
    rmSync(join(codeCache, name))
    await placeOddFile('a named pipe', join(codeCache, name))
  }
  expect(await run()).toMatchObject({ code: 0, stdout: first.stdout })
})

describe('files that are given on the command line', () => {
  needs(NAMED_PIPES)
  const SIGN = ['sign', '--profile', 'sandbox', '--url', 'https://service.example/x', '--json']
  const signedBytes = (run: Run): unknown => {
    expect(run.code, run.stderr).toBe(0)
    return (JSON.parse(run.stdout) as { bodyBytes: number }).bodyBytes
  }
  const inShell = (script: string, env: Environment = {}) => runShell(script, { env: { ...freshHome(), ...env } })

  test.each([
    ['/dev/stdin', `printf '{"a":1}' | partner ${SIGN.join(' ')} --body @/dev/stdin`],
    [
      'the output of a program',
      `partner ${SIGN.join(' ')} --body @<(sleep 0.2; printf '{"a"'; sleep 0.2; printf ':1}')`,
    ],
    ['an open file descriptor', `partner ${SIGN.join(' ')} --body @/dev/fd/3 3<<<'{"a":1'`],
    ['a named pipe', `mkfifo p; (printf '{"a":1}' > p &) ; partner ${SIGN.join(' ')} --body @p; rm p`],
  ])('a --body file may be %s', async (_name, script) => expect(signedBytes(await inShell(script))).toBe(7))

  test('a --body file may be a pipe with more data than its buffer holds', async () => {
    const script = `partner ${SIGN.join(' ')} --body @<(head -c 3000000 /dev/zero | tr '\\0' x)`
    expect(signedBytes(await inShell(script))).toBe(3_000_000)
  })

  test.each([
    [
      'PARTNER_API_KEY_FILE=/dev/fd/3',
      `PARTNER_API_KEY_FILE=/dev/fd/3 partner ${READ.join(' ')} 3< <(echo ${RAW_KEY})`,
    ],
    ['PARTNER_API_KEY_FILE=<(…)', `PARTNER_API_KEY_FILE=<(sleep 0.2; echo ${RAW_KEY}) partner ${READ.join(' ')}`],
    [
      'file: in a profile',
      `${ADD.join(' ').replace('profiles', 'partner profiles').replace('env:K', 'file:/dev/fd/3').replace('https://dev.example', '$PARTNER_BASE_URL')} --environment development 2>&1; PARTNER_BASE_URL= partner ${READ.join(' ')} 3< <(echo ${RAW_KEY})`,
    ],
  ])('partner reads the API key from a pipe: %s', async (_name, script) => {
    const server = await startRawServer([answers(200, [])])
    const run = await inShell(script, { PARTNER_BASE_URL: server.baseUrl })
    expect(run.code, run.stderr).toBe(0)
    expect(server.requests[0]?.headers['x-api-key']).toBe(RAW_KEY)
  })

  test.each([
    ['/dev/full', /longer than \d+ bytes/],
    ['/dev', /it is a directory/],
  ])('sign exits with code 2 if the --body file is endless or a directory: %s', async (path, says) => {
    expectRefusal(await runPartner([...SIGN.filter((word) => word !== '--json'), '--body', `@${path}`]), {
      code: 2,
      says,
    })
  })

  test('a --body file may be empty', async () =>
    expect(signedBytes(await runPartner([...SIGN, '--body', '@/dev/null']))).toBe(0))

  describe.runIf(existsSync('/proc/self/fd'))('named pipes without a writer', () => {
    test.each([
      ['a body, SIGINT', (pipe: string) => ['--body', `@${pipe}`], {}],
      ['a body, SIGTERM', (pipe: string) => ['--body', `@${pipe}`], { signal: 'SIGTERM' }],
      ['a secret, SIGINT', () => [], { variable: 'PARTNER_SIGNING_SECRET_FILE' }],
    ] as const)(
      'sign waits for a named pipe without a writer until a signal arrives: %s',
      async (_name, flags, how) => {
        const pipe = join(freshDirectory(), 'pipe')
        await placeOddFile('a named pipe', pipe)
        const { variable, signal } = { variable: null, signal: 'SIGINT' as const, ...how }
        const args = variable ? SIGN.filter((word) => !/profile|sandbox/.test(word)) : SIGN
        const child = startTool([...args, ...flags(pipe)], variable ? { [variable]: pipe } : {})
        await untilOpen(child, pipe)
        const ended = once(child, 'exit')
        child.kill(signal)
        expect((await ended)[0]).toBe(130)
      },
    )
  })

  test('sign waits for standard input until the first Ctrl-C', async () => {
    const child = startTool([...SIGN, '--body', '-'], {})
    // The data does not fit in a pipe's buffer, so the write completes only if partner reads from the pipe.
    await new Promise((resolve) => child.stdin?.write(Buffer.alloc(4_000_000), resolve))
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
  })

  /** Starts partner and kills it if it does not exit by itself. */
  function startTool(args: readonly string[], env: Environment): ChildProcess {
    const child = spawn(NODE, [PARTNER, ...args], {
      env: cleanEnvironment({ ...freshHome(), ...env }),
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    child.stdin?.on('error', () => {})
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  async function untilOpen(child: ChildProcess, path: string): Promise<void> {
    const open = `/proc/${child.pid}/fd`
    const targetOf = (name: string) => {
      try {
        return readlinkSync(join(open, name))
      } catch {
        return null
      }
    }
    while (child.exitCode === null && child.signalCode === null) {
      if (readdirSync(open).some((name) => targetOf(name) === path)) return
      await delay(10)
    }
    throw new Error('the command ended before it opened the pipe')
  }
})
