import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../support/partner.ts'
import { everyCommand } from './every-command.ts'

/** What somebody pastes by mistake: no program can have a longer argument on Linux. */
const PASTED = 'x'.repeat(120_000)

/** A service where nobody listens. */
const NOWHERE = { PARTNER_BASE_URL: 'http://127.0.0.1:1', PARTNER_API_KEY: 'key', PARTNER_RETRIES: '0' }

describe('120 KB behind a flag', () => {
  test.each([
    ['customers', 'list', '--search', PASTED],
    ['bookings', 'list', '--guest', PASTED],
    ['bookings', 'list', '--service', PASTED],
    ['bookings', 'statuses', '--columns', PASTED],
    ['bookings', 'statuses', '--query', '('.repeat(120_000)],
    ['customers', 'list', '--limit', PASTED],
  ])('%s %s %s is not repeated on stderr', async (...args) => {
    const run = await runPartner([...args, '--profile', 'sandbox'], { env: freshHome() })
    expect(run.stderr).not.toBe('')
    expect(run.stderr.slice(0, 4000)).not.toMatch(/x{201}|call stack/)
  })
})

describe('120 KB where a word is expected', () => {
  const COMMANDS = everyCommand().filter(({ isEndless }) => !isEndless)

  test.each(COMMANDS.map(({ id }) => id))('%s does not repeat all of it', async (id) => {
    const run = await runPartner([...id.split(' '), PASTED], { env: { ...freshHome(), ...NOWHERE }, input: '' })
    expect(run.code, run.stderr.slice(0, 500)).toBeGreaterThan(1)
    expect(run.stderr.slice(0, 4000)).not.toMatch(/x{201}/)
  })
})
