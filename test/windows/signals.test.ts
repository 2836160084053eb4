import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sale } from '../client/bulk/importing.ts'
import { needs } from '../support/needs.ts'
import { freshDirectory, freshHome, runPartner } from '../support/partner.ts'
import { answers, hangs, startRawServer } from '../support/raw-server.ts'
import { reportedError } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { startSandboxProcess } from '../support/sandbox-process.ts'
import { until } from '../support/until.ts'
import { WINDOWS } from '../support/windows.ts'
import { startListening } from '../webhooks/listener/listening.ts'

needs(WINDOWS)

/** `node.cjs` forwards this signal as SIGBREAK, which Linux does not have. */
const CTRL_BREAK = 'SIGUSR2'
const CARD = 'GIFT1-00000100-AAAA'

/** Starts a service that responds to read requests but not to write requests. */
async function silentService() {
  const card = { cardNumber: CARD, remainingAmount: 100, status: 'Active' }
  const server = await startRawServer(({ method }) => (method === 'GET' ? answers(200, card) : hangs))
  const env = { ...freshHome(), ...server.env, PARTNER_TIMEOUT: '10m' }
  return { env, hasWritten: () => server.requests.some(({ method }) => method !== 'GET') }
}

function salesFile(): string {
  const file = join(freshDirectory(), 'sales.ndjson')
  writeFileSync(file, `${sale('S-1')}\n${sale('S-2')}\n`)
  return file
}

describe('Ctrl-Break', () => {
  test('Ctrl-Break stops a sandbox with exit code 0', async () => {
    const sandbox = await startSandboxProcess()
    sandbox.process.kill(CTRL_BREAK)
    await until(() => sandbox.process.exitCode !== null)
    expect(sandbox.process.exitCode).toBe(0)
  })

  test('Ctrl-Break stops a listener with exit code 0', async () => {
    const listener = await startListening()
    listener.process.kill(CTRL_BREAK)
    expect(await listener.ended).toMatchObject({ code: 0 })
  })

  test('Ctrl-Break during a write leaves the outcome unknown and the operation open', async () => {
    const { env, hasWritten } = await silentService()
    const running = startPartner(['giftcards', 'redeem', CARD, '--amount', '5', '--json'], { env })
    await until(hasWritten)
    running.process.kill(CTRL_BREAK)
    expect(reportedError(await running.ended)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9 })
    const { stdout } = await runPartner('operations list --json --query length(@)', { env })
    expect(stdout).toBe('1\n')
  })

  test('Ctrl-Break stops a repeated sync with exit code 130', async () => {
    const cwd = freshDirectory()
    const sync = ['bookings', 'sync', '--to', 'venue.ndjson', '--every', '10m', '--profile', 'sandbox']
    const running = startPartner(sync, { cwd, env: freshHome() })
    await until(() => running.said.stderr.includes('everything until'))
    running.process.kill(CTRL_BREAK)
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(readFileSync(join(cwd, 'venue.ndjson'), 'utf8')).toMatch(/\n$/)
  })

  test('the first Ctrl-Break lets an import finish its requests, and the second stops it immediately', async () => {
    const { env, hasWritten } = await silentService()
    const running = startPartner(['sales', 'import', salesFile()], { env })
    await until(hasWritten)
    running.process.kill(CTRL_BREAK)
    await until(() => running.said.stderr.includes('Ctrl-Break: waiting for work in progress'))
    running.process.kill(CTRL_BREAK)
    expect(await running.ended).toMatchObject({ code: 9 })
  })
})

test('closing the window stops an import before Windows kills it', async () => {
  const { env, hasWritten } = await silentService()
  const file = salesFile()
  const running = startPartner(['sales', 'import', file], { env })
  await until(hasWritten)
  running.process.kill('SIGHUP')
  expect(await running.ended).toMatchObject({ code: 9 })
  expect(readFileSync(`${file}.journal`, 'utf8')).toContain('"unknown"')
})
