import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daysFromNow } from '../../support/dates.ts'
import { needs, skipWithout } from '../../support/needs.ts'
import {
  type Environment,
  freshDirectory,
  freshHome,
  NODE,
  PARTNER,
  runPartner,
  runPartnerCold,
  runShell,
} from '../../support/partner.ts'
import { expectRefusal, refused, reportedError } from '../../support/refusal.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { LINUX_PROGRAMS } from '../../support/windows.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '10']
const BALANCE = ['giftcards', 'get', CARD, '--json', '--columns', 'remainingAmount']

test("sandbox reset closes the sandbox's open operations and forgets its card balances", async () => {
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
  const run = (...args: readonly string[]) => runPartner(args, { env })
  const fault = ['sandbox', 'faults', 'add', '--endpoint', 'POST /GiftCards/redeem', '--reset', '--next', '1']
  expect((await run(...REDEEM)).code).toBe(0)
  await run(...fault, '--phase', 'before')
  expect((await run(...REDEEM)).code).toBe(9)
  expect((await run('sandbox', 'reset', '--yes')).code).toBe(0)
  const listed = JSON.parse((await run('operations', 'list', '--json')).stdout)
  expect(listed).toMatchObject([{ state: 'not-applied', how: 'the sandbox was reset' }])
  // The balance after the reset is higher than the last recorded balance. Partner must not treat it as outdated.
  await run(...fault, '--phase', 'after')
  const again = await run(...REDEEM)
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('the balance went from 100.00 to 90.00') })
})

describe('open operations of deleted venues', () => {
  const states = async (env: Environment) =>
    JSON.parse((await runPartner(['operations', 'list', '--query', '[].state'], { env })).stdout)
  const fault = ['sandbox', 'faults', 'add', '--endpoint', 'POST /GiftCards/redeem', '--reset', '--phase', 'before']

  async function leaveOpen(env: Environment, baseUrl: string): Promise<void> {
    expect((await runPartner([...fault, '--base-url', baseUrl], { env })).code).toBe(0)
    expect((await runPartner(REDEEM, { env })).code).toBe(9)
    expect(await states(env)).toEqual(['open'])
  }

  test('sandbox reset --data closes the open operations of a venue that another process is serving', async () => {
    const home = freshHome()
    const data = join(freshDirectory(), 'venue')
    const sandbox = await startSandboxProcess(['--data', data], home)
    const env = { ...home, ...sandbox.env }
    await leaveOpen(env, sandbox.baseUrl)
    expect((await runPartner(['sandbox', 'reset', '--yes', '--data', `${data}/`], { env: home })).code).toBe(0)
    expect(await states(env)).toEqual(['not-applied'])
    await sandbox.stop()
  })

  test("sandbox reset --data closes the sandbox profile's open operations even if --data spells its path differently", async () => {
    const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
    await runPartner(fault, { env })
    expect((await runPartner(REDEEM, { env })).code).toBe(9)
    const data = `${env.PARTNER_DATA_DIR}/../data/sandbox/`
    expect((await runPartner(['sandbox', 'reset', '--yes', '--data', data], { env })).code).toBe(0)
    expect(await states(env)).toEqual(['not-applied'])
  })

  test('an in-memory sandbox closes its open operations when it stops', async () => {
    const home = freshHome()
    const sandbox = await startSandboxProcess(['--data', ':memory:'], home)
    const env = { ...home, ...sandbox.env }
    await leaveOpen(env, sandbox.baseUrl)
    expect(await sandbox.stop()).toBe(0)
    expect(await states(env)).toEqual(['not-applied'])
  })

  test('sandbox exec closes its open operations when it exits, even if PARTNER_DATA_DIR is set', async (context) => {
    skipWithout(context, LINUX_PROGRAMS)
    const env = freshHome()
    const script = `partner ${fault.map((word) => `'${word}'`).join(' ')} && partner ${REDEEM.join(' ')}`
    const inside = `partner() { '${NODE}' '${PARTNER}' "$@"; }; ${script}`
    expect((await runPartner(['sandbox', 'exec', '--', 'bash', '-c', inside], { env })).code).toBe(9)
    expect(await states(env)).toEqual(['not-applied'])
  })
})

describe('sandbox start', () => {
  test('sandbox start --json first prints one line with the address and credentials', async () => {
    const sandbox = await startSandboxProcess()
    const text = expect.any(String)
    expect(sandbox).toMatchObject({
      ...{ baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), apiKey: text, locationId: text },
      ...{ partnerName: text, signatureHeader: text, signingSecret: text },
      keys: { unknownApp: text, unlinkedVenue: text },
    })
    expect(await runPartner(['bookings', 'statuses'], { env: sandbox.env })).toMatchObject({ code: 0, stderr: '' })
    expect(await sandbox.stop()).toBe(0)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'sandbox start exits with code 0 on %s, even if a client keeps its connection open',
    async (signal) => {
      const sandbox = await startSandboxProcess()
      await fetch(`${sandbox.baseUrl}/Resources/booking-statuses`, { headers: { 'x-api-key': sandbox.apiKey } })
      expect(await sandbox.stop(signal)).toBe(0)
    },
  )

  test('sandbox start prints shell variables by default', async () => {
    const script = `
      ${JSON.stringify(NODE)} ${JSON.stringify(PARTNER)} sandbox start --data :memory: > facts 2> notes & pid=$!
      until grep -q PARTNER_LOCATION_ID facts; do sleep 0.1; done
      set -a; . ./facts; set +a
      partner bookings statuses -o csv --columns code | head -n 2
      kill $pid; wait $pid; echo "ended with $?"; cat notes`
    const run = await runShell(script, { cwd: freshDirectory() })
    expect(run.stdout).toMatch(/^code\nUnconfirmed\nended with 0\n/)
    expect(run.stdout).toMatch(/press Ctrl-C to stop/)
  })

  test('sandbox start exits with code 8 if the port is in use', async () => {
    const sandbox = await startSandboxProcess()
    const run = await runPartner(['sandbox', 'start', '--data', ':memory:', '--port', new URL(sandbox.baseUrl).port])
    expectRefusal(run, { code: 8, says: 'it is in use', next: /--port/ })
    await sandbox.stop()
  })

  test('sandbox start always creates the same venue for the same seed', async () => {
    const days = ['--from', daysFromNow(-3), '--to', daysFromNow(3)]
    const ids = async (seed: string) => {
      const sandbox = await startSandboxProcess(['--data', ':memory:', '--seed', seed])
      const args = ['bookings', 'list', ...days, '-o', 'csv', '--columns', 'bookingId']
      const { stdout } = await runPartner(args, { env: sandbox.env })
      await sandbox.stop()
      return stdout
    }
    const [one, same, other] = await Promise.all([ids('7'), ids('7'), ids('8')])
    expect(one).toBe(same)
    expect(one).not.toBe(other)
  })

  test('sandbox start keeps changes even if it is killed, and shares them with --profile sandbox', async () => {
    const home = freshHome()
    const sandbox = await startSandboxProcess([], home)
    expect((await runPartner(REDEEM, { env: { ...home, ...sandbox.env } })).code).toBe(0)
    sandbox.process.kill('SIGKILL')
    const left = await runPartner([...BALANCE, '--profile', 'sandbox'], { env: home })
    expect(left).toMatchObject({ code: 0, stdout: '{"remainingAmount":90}\n' })
  })
})

describe('the sandbox profile', () => {
  test('--profile sandbox keeps its state between commands until sandbox reset', async () => {
    const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
    for (const left of [90, 80]) {
      expect((await runPartner(REDEEM, { env })).code).toBe(0)
      expect((await runPartner(BALANCE, { env })).stdout).toBe(`{"remainingAmount":${left}}\n`)
    }
    expect((await runPartner(['sandbox', 'reset', '--yes'], { env })).code).toBe(0)
    expect((await runPartner(BALANCE, { env })).stdout).toBe('{"remainingAmount":100}\n')
  })

  test('--profile sandbox overrides an address and a key in the environment', async () => {
    const env = { ...freshHome(), PARTNER_BASE_URL: 'https://real.example', PARTNER_API_KEY: 'real-key' }
    const run = await runPartner(['profiles', 'check', 'sandbox', '--json'], { env })
    expect(JSON.parse(run.stdout)).toMatchObject({ profile: 'sandbox', ok: true })
  })

  test('five commands can use --profile sandbox at the same time', async () => {
    const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
    const statuses = () => runPartner(['bookings', 'statuses', '-o', 'csv'], { env })
    const runs = await Promise.all(Array.from({ length: 5 }, statuses))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1)
  })
})

describe('sandbox exec', () => {
  needs(LINUX_PROGRAMS)

  test("sandbox exec runs a command with a new venue and returns the command's exit code", async () => {
    const home = freshHome()
    const inner = `"${NODE}" "${PARTNER}" ${BALANCE.join(' ')} && "${NODE}" "${PARTNER}" ${REDEEM.join(' ')} >&2; exit 7`
    for (const _ of ['once', 'again']) {
      const run = await runPartner(['sandbox', 'exec', '--', 'sh', '-c', inner], { env: home })
      expect(run).toMatchObject({ code: 7, stdout: '{"remainingAmount":100}\n' })
    }
    expect(existsSync(join(home.PARTNER_DATA_DIR, 'sandbox'))).toBe(false)
  })

  test("sandbox exec sets the sandbox's variables and removes variables that select another service", async () => {
    const elsewhere = { PARTNER_PROFILE: 'live', PARTNER_API_KEY: 'real-key', PARTNER_API_KEY_FILE: '/secret' }
    const ledger = { PARTNER_LEDGER: 'postgres://till@db.example/books' }
    const env = { ...freshHome(), ...elsewhere, ...ledger, PARTNER_SANDBOX_HAR: undefined }
    const run = await runPartner(['sandbox', 'exec', '--', 'env'], { env })
    const set = run.stdout.split('\n').filter((line) => line.startsWith('PARTNER_'))
    const names = set.map((line) => line.slice(0, line.indexOf('='))).filter((name) => !name.endsWith('_DIR'))
    const expected = words('API_KEY BASE_URL LOCATION_ID NAME SIGNATURE_HEADER SIGNING_SECRET TIMEZONE')
    expect(names.sort()).toEqual(expected.map((name) => `PARTNER_${name}`))
    expect(run.stdout).not.toMatch(/real-key|\/secret/)
    expect(run.stderr).toBe('')
  })

  test('sandbox exec passes standard input and arguments to the command unchanged', async () => {
    const run = await runPartnerCold(
      ['sandbox', 'exec', '--', 'sh', '-c', 'cat; printf "[%s]" "$@"', 'sh', '--json', 'a b', ''],
      { input: 'in' },
    )
    expect(run).toMatchObject({ code: 0, stdout: 'in[--json][a b][]', stderr: '' })
  })

  test('sandbox exec exits with code 128 plus the signal number if a signal kills the command', async () =>
    expect((await runPartner(['sandbox', 'exec', '--', 'sh', '-c', 'kill -TERM $$'])).code).toBe(143))

  test('sandbox exec exits with code 2 if the command does not exist', () =>
    refused(runPartner(['sandbox', 'exec', '--', 'no-such-command']), 2, 'there is no such command'))
})

test('sandbox reset deletes nothing without confirmation', async () => {
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
  await runPartner(REDEEM, { env })
  expect(reportedError(await runPartner(['sandbox', 'reset', '--json'], { env }))).toMatchObject({ code: 'USAGE' })
  expect((await runPartner(BALANCE, { env })).stdout).toBe('{"remainingAmount":90}\n')
})
