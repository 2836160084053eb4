import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fullPipe } from '../../support/full-pipe.ts'
import { needs, skipWithout } from '../../support/needs.ts'
import { OLD_NODE, SOME_OLD_NODE } from '../../support/old-node.ts'
import { type Environment, freshDirectory, freshHome, NODE, type Run, type Running } from '../../support/partner.ts'
import { answers, hangs, startRawServer } from '../../support/raw-server.ts'
import { expectClean, reportedError } from '../../support/refusal.ts'
import { type StartOptions, sendSignalsTogether, signalGroup, startPartner } from '../../support/running.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const CARD = 'GIFT1-00000100-AAAA'
const CARD_AS_IT_IS = { cardNumber: CARD, remainingAmount: 100, status: 'Active' }
const READ = ['bookings', 'statuses', '--json']
/** One command for each kind of write. */
const WRITES: readonly (readonly string[])[] = [
  ['giftcards', 'redeem', CARD, '--amount', '5', '--json'],
  ['bookings', 'update-pax', 'BK-1', '4', '--json'],
  ['webhooks', 'delete', 'BOOKING_CREATED', '--yes', '--json'],
  ['api', 'POST', '/Customers/C-1/unsubscribe', '--json'],
  ['customers', 'unsubscribe', 'C-1', 'C-2', '--json'],
]
const [REDEEM = []] = WRITES

const INTERRUPTED = { code: 'INTERRUPTED', exitCode: 130 }

/** Sends a signal to a command and returns the error that the command reports. */
async function errorAfter(signal: NodeJS.Signals, running: Running) {
  running.process.kill(signal)
  return reportedError(await running.ended)
}

const RAIN = { timeout: 240_000 }

/** Starts a service that responds only to requests that read a gift card. */
async function silentService() {
  const server = await startRawServer(({ method, target }) =>
    method === 'GET' && target.includes('/GiftCards/') ? answers(200, CARD_AS_IT_IS) : hangs,
  )
  const env: Environment = { ...freshHome(), ...server.env }
  const isAsked = (args: readonly string[]) =>
    server.requests.some(({ method }) => (method === 'GET') === (args === READ))
  return { env, isAsked }
}

/** Starts a command and waits until it has sent a request that the service never responds to. */
async function underWay(args: readonly string[], options: Pick<StartOptions, 'node' | 'preload'> = {}) {
  const { env, isAsked } = await silentService()
  const running = startPartner(args, { ...options, env })
  await until(() => isAsked(args))
  return running
}

const TELLS_PRINTING = `const { write } = process.stdout
process.stdout.write = function (...args) {
  process.stderr.write('printing\\n')
  return write.apply(this, args)
}
`

const TELLS_READING = "process.stdin.once('newListener', () => process.stderr.write('reading\\n'))"

/**
 * Returns whether a process has opened a named pipe for reading. If so, keeps the pipe open until the test ends,
 * because the process would read an empty key from a closed pipe.
 */
function isRead(pipe: string): boolean {
  try {
    const held = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    onTestFinished(() => closeSync(held))
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENXIO' })
    return false
  }
}

/** Replaces standard input with a stream that never ends and does not keep the process alive. */
const ENDLESS_INPUT = `Object.defineProperty(process, 'stdin', { value: { destroy() {}, async *[Symbol.asyncIterator]() {
  process.stderr.write('waiting\\n')
  await new Promise(() => {})
} } })
`
const WAITS = ['profiles', 'set', 'dev', '--api-key-stdin', '--json']

/** Prevents timers and connections from keeping the process alive. */
const NOTHING_KEEPS_ALIVE = `for (const timer of ['setTimeout', 'setInterval']) {
  const start = globalThis[timer]
  globalThis[timer] = (...args) => start(...args).unref()
}
const { Socket } = require('node:net')
const { connect } = Socket.prototype
Socket.prototype.connect = function (...args) { return connect.apply(this, args).unref() }
// Keep the process alive until the request is sent.
const alive = setInterval(() => {}, 1000).ref()
process.on('SIGUSR2', () => clearInterval(alive))
`

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  test(`${signal} during a read request makes partner exit with code 130`, async () => {
    const running = await underWay(READ)
    running.process.kill(signal)
    const run = await running.ended
    expect(reportedError(run)).toMatchObject({ ...INTERRUPTED, message: `stopped by ${signal}` })
    expectClean(run)
  })

  test(`${signal} makes a command that waits for input exit with code 130`, async () => {
    const running = startPartner([...WAITS, '-v'], { env: freshHome(), input: null, preload: TELLS_READING })
    await until(() => running.said.stderr.includes('reading'))
    expect(await errorAfter(signal, running)).toMatchObject(INTERRUPTED)
  })

  test(`a command reports that nothing was sent if ${signal} stops it before its write`, async () => {
    const { env } = await silentService()
    const body = ['api', 'POST', '/Customers', '--data', '-', '--json']
    const running = startPartner([...body, '-v'], { env, input: null, preload: TELLS_READING })
    await until(() => running.said.stderr.includes('reading'))
    const message = `stopped by ${signal}; nothing was sent`
    expect(await errorAfter(signal, running)).toMatchObject({ ...INTERRUPTED, outcome: 'not-applied', message })
  })

  test(`a command reports that nothing was sent if ${signal} stops it while it reads the API key`, async () => {
    const { env } = await silentService()
    const pipe = join(freshDirectory(), 'key')
    execFileSync('mkfifo', [pipe])
    const running = startPartner(READ, { env: { ...env, PARTNER_API_KEY: undefined, PARTNER_API_KEY_FILE: pipe } })
    await until(() => isRead(pipe))
    const message = `stopped by ${signal}; nothing was sent`
    expect(await errorAfter(signal, running)).toMatchObject({ ...INTERRUPTED, outcome: 'none', message })
  })

  test(`${signal} makes the sandbox exit with code 0`, async () => {
    const sandbox = await startSandboxProcess()
    expect(await sandbox.stop(signal)).toBe(0)
  })
})

describe('two signals sent together', () => {
  test.each(WRITES.map((args) => [args.slice(0, 2).join(' '), args] as const))(
    'two signals during a write make partner exit with code 9: %s',
    async (_name, args) => {
      const running = await underWay(args)
      sendSignalsTogether(running, 'SIGINT', 'SIGTERM')
      const run = await running.ended
      expect(reportedError(run)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
      expect(run.stdout).toBe('')
    },
  )

  test('two signals during a read request make partner exit with code 130 and report a single error', async () => {
    const running = await underWay(READ)
    sendSignalsTogether(running, 'SIGINT', 'SIGTERM')
    expect(reportedError(await running.ended)).toMatchObject(INTERRUPTED)
  })

  test('a second signal ends a command that keeps running after the first', async () => {
    const running = startPartner(WAITS, { env: freshHome(), preload: `${ENDLESS_INPUT}setInterval(() => {}, 1000)` })
    await until(() => running.said.stderr.includes('waiting'))
    sendSignalsTogether(running, 'SIGINT', 'SIGTERM')
    expect(reportedError(await running.ended)).toMatchObject(INTERRUPTED)
  })

  test('two signals after the result was printed do not change the exit code', async () => {
    const env = freshHome()
    // The receiver never responds, so the built-in sandbox waits one second for a response before it closes.
    const receiver = await startRawServer([hangs])
    const subscribe = ['webhooks', 'create', 'GIFTCARDS_REDEEMED', `${receiver.baseUrl}/hook`, '--profile', 'sandbox']
    expect(await startPartner(subscribe, { env }).ended).toMatchObject({ code: 0 })
    const running = startPartner([...REDEEM, '--profile', 'sandbox'], { env })
    await until(() => running.said.stdout !== '')
    sendSignalsTogether(running, 'SIGINT', 'SIGTERM')
    const run = await running.ended
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toMatchObject({ isSuccess: true })
  })
})

test('a signal that arrives while exit handlers run does not change the exit code of a successful command', async () => {
  const server = await startRawServer([answers(200, [])])
  const preload = "process.on('exit', () => process.kill(process.pid, 'SIGINT'))"
  const running = startPartner(READ, { env: { ...freshHome(), ...server.env }, preload })
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
})

test.each([['', NODE] as const, ...(OLD_NODE === null ? [] : [[' with an old Node version', OLD_NODE] as const])])(
  'many signals sent after the result is printed do not change the exit code%s',
  RAIN,
  async (_name, node) => {
    const server = await startRawServer([answers(200, [])])
    for (let round = 0; round < 15; round++) {
      const running = startPartner(READ, { env: { ...freshHome(), ...server.env }, node })
      await until(() => running.said.stdout !== '')
      const rain = setInterval(() => {
        for (let drop = 0; drop < 20; drop++) running.process.kill('SIGTERM')
      }, 0)
      const run = await running.ended
      clearInterval(rain)
      expect(run).toMatchObject({ code: 0, stderr: '' })
    }
  },
)

describe('an empty event loop', () => {
  test('a command exits with code 1 if the event loop becomes empty before the command has finished', async () => {
    const run = await startPartner(WAITS, { env: freshHome(), preload: ENDLESS_INPUT }).ended
    expect(reportedError(run)).toMatchObject({ code: 'INTERNAL', exitCode: 1 })
    expectClean(run)
  })

  test('a command exits with code 9 if the event loop becomes empty after a write has been sent', async () => {
    const running = await underWay(REDEEM, { preload: NOTHING_KEEPS_ALIVE })
    const error = await errorAfter('SIGUSR2', running)
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
    expect(error.hint).toMatch(/partner operations resolve op_\w{10} \(more: partner help money\)$/)
  })
})

describe('uncaught errors', () => {
  const preload = "process.on('SIGUSR2', () => { throw new Error('out of the blue') })"

  test.each([
    ['a read exit with code 1', READ, { code: 'INTERNAL', exitCode: 1 }],
    ['a write exit with code 9', REDEEM, { code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' }],
  ] as const)('an uncaught error makes %s and print one error line', async (_name, args, expected) => {
    const running = await underWay(args, { preload })
    running.process.kill('SIGUSR2')
    const run = await running.ended
    expect(reportedError(run)).toMatchObject({ ...expected, message: expect.stringContaining('out of the blue') })
    expectClean(run)
  })
})

describe('output to a full pipe', () => {
  /** Runs a command whose stdout is a full pipe, and sends SIGTERM when the command starts to print. */
  async function intoFullPipe(args: readonly string[], answer: unknown): Promise<Run> {
    const server = await startRawServer(({ method, target }) =>
      answers(200, method === 'GET' && target.includes('/GiftCards/') ? CARD_AS_IT_IS : answer),
    )
    const env = { ...freshHome(), ...server.env }
    const running = startPartner(args, { env, stdout: fullPipe().descriptor, preload: TELLS_PRINTING })
    await until(() => running.said.stderr.includes('printing'))
    running.process.kill('SIGTERM')
    return running.ended
  }

  test('a read command that is stopped while its output is blocked exits with code 130', async () => {
    expect(reportedError(await intoFullPipe(READ, []))).toMatchObject(INTERRUPTED)
  })

  test('a write command that is stopped while its output is blocked reports the write as applied but leaves its operation open', async () => {
    const run = await intoFullPipe(REDEEM, { isSuccess: true, amountRedeemed: 5, status: 'Active', cardNumber: CARD })
    expect(reportedError(run)).toMatchObject({ code: 'INCOMPLETE', exitCode: 13, outcome: 'applied' })
    expect(reportedError(run).hint).toMatch(/partner operations resolve op_\w{10} \(more: partner help money\)$/)
  })
})

describe('partner started with an unsupported Node version', () => {
  needs(SOME_OLD_NODE)

  const node = OLD_NODE ?? ''

  test('if the parent process with the unsupported Node version is killed, the command stops as if it had received SIGHUP', async () => {
    const running = await underWay(REDEEM, { node })
    running.process.kill('SIGKILL')
    const { error } = JSON.parse((await running.ended).stderr)
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('SIGHUP') })
  })

  describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
    describe.each(['to all processes, as from a terminal', 'to the first process only'])('signals sent %s', (to) => {
      const send = (running: Running) =>
        void (to.startsWith('to all') ? signalGroup(running, signal) : running.process.kill(signal))

      test.each([
        [9, 'OUTCOME_UNKNOWN', 'a write', REDEEM],
        [130, 'INTERRUPTED', 'a read', READ],
      ])(
        `partner exits with code %i (%s) during %s if ${signal} is sent ${to}`,
        async (exitCode, code, _what, args) => {
          const running = await underWay(args, { node })
          send(running)
          expect(reportedError(await running.ended)).toMatchObject({ code, exitCode })
        },
      )
    })
  })
})

describe('sandbox exec', () => {
  test("sandbox exec forwards SIGHUP to its command and exits with the command's exit code", async () => {
    const script = 'trap "echo told; exit 5" HUP; echo ready; while :; do sleep 0.05; done'
    const running = startPartner(['sandbox', 'exec', '--', 'bash', '-c', script])
    await until(() => running.said.stdout === 'ready\n')
    running.process.kill('SIGHUP')
    expect(await running.ended).toMatchObject({ code: 5, stdout: 'ready\ntold\n' })
  })

  test('sandbox exec does not forward Ctrl-C, even if stdin is not a terminal', async (context) => {
    skipWithout(context, TERMINAL)
    // The command sends SIGTERM to its parent only after Ctrl-C. If Ctrl-C were forwarded, SIGINT would arrive first.
    const script =
      'trap "n=\\$((n+1)); kill -TERM $PPID" INT; trap "echo told=\\$n; exit 0" TERM; echo ready; while :; do sleep 0.05; done'
    const line = `${shellLine(['sandbox', 'exec', '--', 'bash', '-c', script])} < /dev/null`
    const { screen } = await runLineInTerminal(line, [['ready', '\u0003']])
    expect(screen).toMatch(/told=1\r?\n/)
  })
})
