import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aged, rewriteRows } from '../money/rows.ts'
import { LIMIT_MS } from '../support/limit.ts'
import { type Need, skipWithout } from '../support/needs.ts'
import { filesOn } from '../support/page-session.ts'
import { freshDirectory, freshHome, ROOT, runPartner, startProgram, TOOL_IN_SHELL } from '../support/partner.ts'
import { signalGroup } from '../support/running.ts'
import { until } from '../support/until.ts'

// These tests kill the scripts in docs/money.md at each numbered line and start them again.

const FILES = new Map(
  filesOn(readFileSync(join(ROOT, 'docs', 'money.md'), 'utf8')).map(({ name, text }) => [name, text]),
)

const PYTHON: Need = {
  isMet: spawnSync('python3', ['-c', 'import sqlite3'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0,
  lack: 'python3 is not installed',
}

interface Script {
  readonly file: string
  readonly program: string
  readonly need: Need
  /** The numbers of the marked lines. The tests kill the script after each of them. */
  readonly lines: readonly number[]
  /** A statement that kills the script. */
  readonly crash: string
}

const SCRIPTS: readonly Script[] = [
  { file: 'till.sh', program: 'bash', need: { isMet: true, lack: '' }, lines: [1, 2, 3, 4, 5], crash: 'kill -9 $$' },
  {
    file: 'till.py',
    program: 'python3',
    need: PYTHON,
    lines: [2, 3, 4, 5],
    crash: 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)',
  },
]

const CARD = 'GIFT1-00000100-AAAA'
const PAYMENT = ['till1-0042', CARD, '25'] as const
const RECEIPT = `Receipt till1-0042: paid 25 with card ${CARD}\n`
const MINUTE_MS = 60_000

/** Inserts a statement, with matching indentation, after each line that is marked with this number. */
const insertAfter = (text: string, line: number, statement: string): string =>
  text.replace(new RegExp(`^( *)(.* # ${line})$`, 'gm'), `$1$2\n$1${statement.replaceAll('$', '$$$$')}`)

/** Sets up a till with a sandbox and a script from docs/money.md. */
function openShop({ file, program }: Script) {
  const cwd = freshDirectory()
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  const home = freshHome()
  const env = { ...home, PARTNER_PROFILE: 'sandbox', PATH: `${bin}:${process.env['PATH']}` }
  const text = FILES.get(file) ?? ''
  writeFileSync(join(bin, 'partner'), `#!/bin/sh\neval "$BEFORE"\nexec ${TOOL_IN_SHELL} "$@"\n`, { mode: 0o755 })
  /** Starts the till script. Each time the script runs `partner`, the shell command `before` runs first. */
  const start = (args: readonly string[], { script = text, before = '' } = {}) => {
    writeFileSync(join(cwd, file), script)
    return startProgram(program, [file, ...args], { cwd, env: { ...env, BEFORE: before } })
  }
  const query = async (line: string) => JSON.parse((await runPartner(`${line} --json`, { env })).stdout)
  const balance = async (): Promise<number> => (await query(`giftcards get ${CARD}`)).remainingAmount
  return {
    text,
    start,
    run: (...args: readonly string[]) => start(args).ended,
    query,
    balance,
    /** Returns whether the sandbox has already injected the fault. */
    hasFaulted: async () => (await query('sandbox faults list'))[0]?.fired === 1,
    addFault: async (flags: string) => {
      const line = `sandbox faults add --next 1 ${flags}`.split(' ')
      await runPartner([...line, '--endpoint', 'POST /GiftCards/redeem'], { env })
    },
    /** Returns the card's balance and the number of successful redemptions in the sandbox's journal. */
    moved: async () => {
      const entries: { path: string; status: number | null }[] = await query('sandbox journal')
      const made = entries.filter(({ path, status }) => path === '/GiftCards/redeem' && status === 200)
      return { balance: await balance(), made: made.length }
    },
    age: (ms: number) => rewriteRows(join(home.PARTNER_DATA_DIR, 'operations.db'), (row) => aged(row, ms)),
  }
}

describe.each(SCRIPTS)('$file in docs/money.md', (script) => {
  test('the till script takes a payment exactly once, even if the till is started several times', async (context) => {
    skipWithout(context, script.need)
    const { run, moved } = openShop(script)
    expect(await run(...PAYMENT)).toMatchObject({ code: 0, stdout: RECEIPT, stderr: '' })
    for (let again = 0; again < 2; again++) expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await moved()).toEqual({ balance: 75, made: 1 })
  })

  test('the numbered lines of the till script are exactly those after which these tests kill it', () => {
    const numbers = [...(FILES.get(script.file) ?? '').matchAll(/ # (\d)$/gm)].map(([, number]) => Number(number))
    expect([...new Set(numbers)].sort()).toEqual(script.lines)
  })

  test.for(script.lines)(
    'the till script takes a payment exactly once if it is killed after line %i',
    async (line, context) => {
      skipWithout(context, script.need)
      const { text, start, run, moved } = openShop(script)
      const killed = await start(PAYMENT, { script: insertAfter(text, line, script.crash) }).ended
      expect(killed).toMatchObject({ code: null, stdout: line === 5 ? RECEIPT : '' })
      expect((await moved()).made).toBe(line < 3 ? 0 : 1)
      const isStarted = line === 2 || line === 3
      expect(await run()).toMatchObject({ code: 0, stdout: isStarted ? RECEIPT : '', stderr: '' })
      expect(await moved()).toEqual(line === 1 ? { balance: 100, made: 0 } : { balance: 75, made: 1 })
      // If the till was killed after line 1, it had not recorded the payment, so the payment is still new.
      if (line === 1) expect(await run(...PAYMENT)).toMatchObject({ code: 0, stdout: RECEIPT })
      expect(await run()).toMatchObject({ code: 0, stdout: '' })
      expect(await moved()).toEqual({ balance: 75, made: 1 })
    },
  )

  test('the till script takes a payment exactly once if it is killed while partner keeps running', async (context) => {
    skipWithout(context, script.need)
    const { start, run, moved, addFault, hasFaulted } = openShop(script)
    await addFault('--latency 1s')
    const killed = start(PAYMENT, { before: 'kill -9 "$PPID"' })
    await until(() => killed.process.signalCode !== null)
    await until(hasFaulted)
    expect(await run()).toMatchObject({ code: 0, stdout: RECEIPT, stderr: '' })
    expect(await moved()).toEqual({ balance: 75, made: 1 })
    await killed.ended
  })

  test.for(['before', 'after'])(
    'the till script takes a payment exactly once if the machine stops %s the service redeems the card',
    async (phase, context) => {
      skipWithout(context, script.need)
      const { start, run, balance, addFault, hasFaulted, age } = openShop(script)
      await addFault(`--hang --phase ${phase}`)
      const till = start(PAYMENT)
      await until(async () => (phase === 'before' ? hasFaulted() : (await balance()) === 75))
      signalGroup(till, 'SIGKILL')
      expect(await till.ended).toMatchObject({ code: null, stdout: '' })
      if (phase === 'before') {
        expect((await run()).stdout).toMatch(/^Payment till1-0042 is not finished; start the till again in a minute: /)
        expect(await balance()).toBe(100)
        age(2 * MINUTE_MS)
      }
      expect(await run()).toMatchObject({ code: 0, stdout: RECEIPT, stderr: '' })
      expect(await run()).toMatchObject({ code: 0, stdout: '' })
      expect(await balance()).toBe(75)
    },
  )

  test('the till script records a refused payment and does not repeat it', async (context) => {
    skipWithout(context, script.need)
    const { run, balance } = openShop(script)
    const refused = await run('till1-0042', CARD, '500')
    expect(refused.stdout).toMatch(/^Payment till1-0042 was refused: .*more than the remaining balance/)
    expect(await run()).toMatchObject({ code: 0, stdout: '' })
    expect(await balance()).toBe(100)
  })

  test('the till script leaves a payment unfinished if its outcome is unknown or the service is down', async (context) => {
    skipWithout(context, script.need)
    const { run, balance, addFault, query } = openShop(script)
    await addFault('--redirect http://127.0.0.1:9/')
    expect((await run(...PAYMENT)).stdout).toContain('is not finished')
    expect((await query('operations list --once till1-0042'))[0]).toMatchObject({ state: 'open' })
    await addFault('--status 503')
    expect((await run('till1-0043', CARD, '10')).stdout).toContain('Payment till1-0043 is not finished')
    expect(await balance()).toBe(100)
  })
})
