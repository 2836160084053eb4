import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const VARIABLES = [
  ...['AI_AGENT', 'AGENT', 'AUGMENT_AGENT', 'CLAUDECODE', 'CLAUDE_CODE', 'CLINE_ACTIVE', 'CODEX_CI', 'CODEX_SANDBOX'],
  ...['CODEX_THREAD_ID', 'COPILOT_CLI', 'CURSOR_AGENT', 'GEMINI_CLI', 'GOOSE_TERMINAL', 'OPENCODE', 'QWEN_CODE'],
]

const sandboxed = (more: Environment = {}) => ({ ...freshHome(), PARTNER_PROFILE: 'sandbox', ...more })

describe('AI agents that run commands at a terminal', () => {
  needs(TERMINAL)

  test.each(VARIABLES)('an agent that sets %s is not prompted and must pass --yes', async (name) => {
    const { code, screen } = await runInTerminal(['giftcards', 'cancel', CARD], [], sandboxed({ [name]: '1' }))
    expect(code).toBe(2)
    expect(screen.replace(/\s+/g, ' ')).toContain(`needs confirmation, but agents are not asked (${name} is set)`)
    expect(screen).toMatch(/next: add --yes/)
  })

  test.each([`giftcards redeem ${CARD} --amount 5`, `inbound redeem ${CARD} --amount 5`])(
    'an agent cannot redeem a card without --yes: %s',
    async (line) => {
      const env = sandboxed({ AI_AGENT: 'some-agent' })
      const { code, screen } = await runInTerminal(words(line), [], env)
      expect(code, screen).toBe(2)
      expect(screen).toContain('needs confirmation')
      const balance = ['giftcards', 'get', CARD, '--query', 'remainingAmount', '-r']
      expect((await runPartner(balance, { env })).stdout).toBe('100\n')
      expect((await runInTerminal([...words(line), '--yes'], [], env)).code).toBe(0)
      expect((await runPartner(balance, { env })).stdout).toBe('95\n')
    },
  )

  test('an agent must pass --yes to change production data', async () => {
    const server = await startRawServer(() => answers(200, { bookingId: 'BK-1', pax: 3 }))
    const env = { ...freshHome(), CLAUDECODE: '1', KEY: 'key-of-the-shop' }
    const add = `profiles add shop --base-url ${server.baseUrl} --environment production --api-key env:KEY`
    expect(await runPartner(words(add), { env })).toMatchObject({ code: 0 })
    const change = words('bookings update-pax BK-1 3 --profile shop --json')
    const refused = await runInTerminal(change, [], env)
    expect(refused.code, refused.screen).toBe(2)
    expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect((await runInTerminal([...change, '--yes'], [], env)).code).toBe(0)
    expect(server.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  })

  test('an agent is shown a list of missing flags instead of prompts', async () => {
    const { code, screen } = await runInTerminal(['reservations', 'create'], [], sandboxed({ GEMINI_CLI: '1' }))
    expect(code).toBe(2)
    expect(screen).toMatch(/--people is required/)
  })

  test('an agent gets the same output as a user', async () => {
    const line = words('bookings statuses')
    const person = await runInTerminal(line, [], sandboxed())
    expect(await runInTerminal(line, [], sandboxed({ CODEX_SANDBOX: 'seatbelt' }))).toEqual(person)
  })

  test.each(['', '0', 'false'])('a variable that identifies an agent is ignored if it is set to %j', async (value) => {
    const env = sandboxed({ CLAUDECODE: value })
    const { code } = await runInTerminal(['giftcards', 'redeem', CARD, '--amount', '5'], [['(y/N)', 'n\r']], env)
    expect(code).toBe(130)
  })
})

test('an agent without a terminal is treated like any other script', async () => {
  const line = ['giftcards', 'redeem', CARD, '--amount', '5', '--json']
  const script = await runPartner(line, { env: sandboxed() })
  expect(script.code).toBe(0)
  expect(await runPartner(line, { env: sandboxed({ CLAUDECODE: '1' }) })).toEqual(script)
})
