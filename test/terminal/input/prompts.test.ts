import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import {
  type Dialogue,
  HANG_UP,
  runInTerminal,
  runLineInTerminal,
  shellLine,
  TERMINAL,
} from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const sandbox = await startSharedSandbox()

const CARD = 'GIFT1-00000100-AAAA'
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

interface Prompt {
  readonly name: string
  readonly args: readonly string[]
  /** The prompts that the command shows before this one, with the answers to type. */
  readonly before?: Dialogue
  readonly asks: string
  /** A command line whose output must be the same before and after the prompt. */
  readonly shows: readonly string[]
  /** A command line that creates the record for the prompt. */
  readonly needs?: readonly string[]
}

const card = ['giftcards', 'get', CARD, '--json', '--columns', 'status,remainingAmount']
const profiles = ['profiles', 'list', '--json']
const customers = ['customers', 'list', '--json', '--columns', 'id']
const redeem = ['giftcards', 'redeem', CARD, '--amount', '10']
const inside = ['--profile', 'sandbox']
const reserve = ['reservations', 'create']

const PROMPTS: readonly Prompt[] = [
  { name: 'giftcards redeem', args: redeem, asks: 'Redeem 10.00 from', shows: card },
  // The process must exit even though the built-in sandbox runs in it.
  {
    name: 'giftcards redeem --profile sandbox',
    args: [...redeem, ...inside],
    asks: 'Redeem 10.00 from',
    shows: [...card, ...inside],
  },
  { name: 'giftcards cancel', args: ['giftcards', 'cancel', CARD], asks: 'permanently?', shows: card },
  {
    name: 'webhooks delete',
    args: ['webhooks', 'delete', 'BOOKING_CREATED'],
    asks: 'Delete the subscription',
    shows: ['webhooks', 'list', '--json'],
    needs: ['webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/hooks'],
  },
  {
    name: 'profiles remove',
    args: ['profiles', 'remove', 'shop'],
    asks: 'Remove the profile shop',
    shows: profiles,
    needs: ['profiles', 'add', 'shop', '--base-url', 'https://shop.example', '--api-key', 'env:KEY'],
  },
  {
    name: 'profiles add, at the hidden API key',
    args: ['profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--timezone', 'UTC'],
    asks: 'API key of dev',
    shows: profiles,
  },
  { name: 'reservations create, at a text prompt', args: reserve, asks: 'How many people?', shows: customers },
  {
    name: 'reservations create, at a choice prompt',
    args: reserve,
    before: [
      ['How many people?', '2\r'],
      ['Which day?', 'tomorrow\r'],
    ],
    asks: 'Which time?',
    shows: customers,
  },
]

/** Creates the record for a prompt, if it needs one. `shown` returns the output that the prompt must not change. */
async function prepared({ needs, shows }: Prompt): Promise<{ env: Environment; shown: () => Promise<string> }> {
  const env = { ...freshHome(), ...sandbox.env }
  const ran = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await runPartner(args, { env })
    expect(code, stderr).toBe(0)
    return stdout
  }
  if (needs) await ran(needs)
  return { env, shown: () => ran(shows) }
}

describe('interrupted prompts', () => {
  needs(TERMINAL)

  test.each(PROMPTS)('Ctrl-D at a prompt exits with code 130 and changes nothing: $name', async (prompt) => {
    const { env, shown } = await prepared(prompt)
    const before = await shown()
    const { code, screen } = await runInTerminal(prompt.args, [...(prompt.before ?? []), [prompt.asks, CTRL_D]], env)
    expect(code, screen).toBe(130)
    expect(screen).toMatch(/error: stopped by the end of input; nothing was (?:sent|changed)/)
    expect(await shown()).toBe(before)
  })

  test.each(PROMPTS)(
    'Ctrl-C at a prompt exits with code 130 and reports that nothing was sent: $name',
    async (prompt) => {
      const { env } = await prepared(prompt)
      const { code, screen } = await runInTerminal(prompt.args, [...(prompt.before ?? []), [prompt.asks, CTRL_C]], env)
      expect(code, screen).toBe(130)
      const calls = /^(?:profiles|sandbox) /.test(prompt.name) ? 'changed' : 'sent'
      expect(screen).toContain(`error: stopped by Ctrl-C; nothing was ${calls}`)
    },
  )

  test.each(PROMPTS)(
    'closing the terminal at a prompt exits with code 130 and changes nothing: $name',
    async (prompt) => {
      const { env, shown } = await prepared(prompt)
      const before = await shown()
      const file = join(freshDirectory(), 'code')
      // The shell keeps running after its terminal is closed, so that it can record the command's exit code.
      const line = `trap : HUP; ${shellLine(prompt.args)}; echo $? > '${file}'`
      await runLineInTerminal(line, [...(prompt.before ?? []), [prompt.asks, HANG_UP]], env)
      await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '')
      expect(readFileSync(file, 'utf8')).toBe('130\n')
      expect(await shown()).toBe(before)
    },
  )

  test('a command that was suspended at a prompt with Ctrl-Z accepts an answer after it resumes', async () => {
    const { screen } = await runLineInTerminal(
      `set -m; ${shellLine(['giftcards', 'cancel', CARD])}; echo asleep; fg; echo code=$?`,
      [
        ['permanently?', '\u001a'],
        ['asleep', 'n\r'],
        ['code=130', ''],
      ],
      { ...freshHome(), ...sandbox.env },
    )
    expect(screen).toContain('nothing was done: you answered no')
  })
})
