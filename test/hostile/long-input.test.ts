import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../support/partner.ts'
import { everyCommand } from './every-command.ts'

/** Text that a user pasted by mistake. It is almost as long as the longest argument that Linux allows. */
const PASTED = 'x'.repeat(120_000)

/** Environment variables for a service that cannot be reached. */
const NOWHERE = { PARTNER_BASE_URL: 'http://127.0.0.1:1', PARTNER_API_KEY: 'key', PARTNER_RETRIES: '0' }

describe('120 KB flag values', () => {
  test.each([
    ['customers', 'list', '--search', PASTED],
    ['bookings', 'list', '--guest', PASTED],
    ['bookings', 'list', '--service', PASTED],
    ['bookings', 'statuses', '--columns', PASTED],
    ['bookings', 'statuses', '--query', '('.repeat(120_000)],
    ['customers', 'list', '--limit', PASTED],
  ])('a command does not print a 120 KB value on stderr: %s %s %s', async (...args) => {
    const run = await runPartner([...args, '--profile', 'sandbox'], { env: freshHome() })
    expect(run.stderr).not.toBe('')
    expect(run.stderr.slice(0, 4000)).not.toMatch(/x{201}|call stack/)
  })
})

describe('120 KB arguments', () => {
  const COMMANDS = everyCommand().filter(({ isEndless }) => !isEndless)

  test.each(COMMANDS.map(({ id }) => id))('%s does not print a whole argument of 120 KB on stderr', async (id) => {
    const run = await runPartner([...id.split(' '), PASTED], { env: { ...freshHome(), ...NOWHERE }, input: '' })
    expect(run.code, run.stderr.slice(0, 500)).toBeGreaterThan(1)
    expect(run.stderr.slice(0, 4000)).not.toMatch(/x{201}/)
  })
})
