import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { answers, type RawRequest, startRawServer } from '../../support/raw-server.ts'
import { reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { type Dialogue, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT2-00005025-AAAA'
const SIGNED = {
  PARTNER_SIGNING_SECRET: 'secret-4711',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
  PARTNER_LOCATION_ID: 'loc-1',
}
const RESERVATION =
  '{"numOfPeople":2,"serviceId":"s","sectionId":"t","time":"2030-01-01 19:00","customer":{"firstName":"A","lastName":"B","phone":"1"}}'

const RESOLVE = /partner operations resolve op_/
const GET_BOOKING = /partner bookings get BK-1 --profile till/
const GET_WEBHOOK = /partner webhooks get BOOKING_CREATED --profile till/

/** Each write command, with its arguments and a pattern for the command that its error suggests. */
const WRITES: Readonly<Record<string, readonly [args: readonly string[], check: RegExp]>> = {
  'giftcards redeem': [[CARD, '--amount', '5'], RESOLVE],
  'giftcards cancel': [[CARD, '--yes'], RESOLVE],
  'inbound redeem': [[CARD, '--amount', '5'], RESOLVE],
  'sales create': [words('--sale-id S-1 --staff-id anna --seats 2 --table-number 1'), RESOLVE],
  'bookings create': [['--people', '2', '--time', '2030-01-01 19:00'], /partner bookings list /],
  'bookings update-pax': [['BK-1', '3'], GET_BOOKING],
  'bookings update-status': [['BK-1', 'SEATED', '--no-validate'], GET_BOOKING],
  'bookings update-tables': [['BK-1', '--table', 'A/1'], GET_BOOKING],
  'reservations create': [['--data', RESERVATION], /partner bookings list .*--profile till/],
  'webhooks create': [['BOOKING_CREATED', 'https://x.example/h'], GET_WEBHOOK],
  'webhooks update': [['BOOKING_CREATED', 'https://x.example/h'], GET_WEBHOOK],
  'webhooks delete': [['BOOKING_CREATED', '--yes'], /partner webhooks list --profile till/],
}

const CARD_NOW = answers(200, { cardNumber: CARD, remainingAmount: 50.25, status: 'Active' })
const isReading = ({ method, target }: RawRequest) => method === 'GET' || target.endsWith('/balance')

/** Starts a service that never responds to a write, and creates a profile for it. */
async function silentService(): Promise<{ env: Environment; hasWrite: () => boolean }> {
  const server = await startRawServer((request) => (isReading(request) ? CARD_NOW : () => {}))
  const env = { ...freshHome(), ...SIGNED }
  await runPartner(['profiles', 'add', 'till', '--base-url', server.baseUrl, '--api-key-stdin'], {
    env,
    input: 'key-4711',
  })
  const hasWrite = () => server.requests.some((request) => !isReading(request))
  return { env: { ...env, PARTNER_PROFILE: 'till' }, hasWrite }
}

describe.each(Object.entries(WRITES))('stopping %s', (name, [args, check]) => {
  test(`${name} exits with code 9 and suggests how to check the outcome if it is stopped before the response arrives`, async () => {
    const { env, hasWrite } = await silentService()
    const running = startPartner([...words(name), ...args, '--json'], { env })
    await until(hasWrite)
    running.process.kill('SIGINT')
    const error = reportedError(await running.ended)
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
    expect(error.hint).toMatch(check)
  })
})

describe('stopping a command before its write', () => {
  test.each(['giftcards redeem', 'giftcards cancel', 'inbound redeem'])(
    '%s reports that nothing was sent if it is stopped before its write',
    async (name) => {
      const server = await startRawServer([() => {}])
      const [args = []] = WRITES[name] ?? []
      const env = { ...freshHome(), ...SIGNED, ...server.env }
      const running = startPartner([...words(name), ...args, '--json'], { env })
      await until(() => server.requests.length > 0)
      running.process.kill('SIGINT')
      const error = reportedError(await running.ended)
      expect(error).toMatchObject({ code: 'INTERRUPTED', exitCode: 130, outcome: 'not-applied' })
      expect(error.message).toMatch(/; nothing was sent$/)
    },
  )

  test('a read command that is stopped does not report whether anything was sent', async () => {
    const server = await startRawServer([() => {}])
    const running = startPartner(['giftcards', 'get', CARD, '--json'], { env: { ...freshHome(), ...server.env } })
    await until(() => server.requests.length > 0)
    running.process.kill('SIGINT')
    expect(reportedError(await running.ended)).toMatchObject({ message: 'stopped by SIGINT', outcome: 'none' })
  })

  describe('Ctrl-C at a terminal', () => {
    needs(TERMINAL)

    test('the error about a write stopped by Ctrl-C mentions Ctrl-C only once', async () => {
      const server = await startRawServer(({ method }) => (method === 'GET' ? CARD_NOW : () => {}))
      const line = `exec ${shellLine(['giftcards', 'redeem', CARD, '--amount', '5', '--yes'])}`
      const waits: Dialogue = [['waiting for the response', '\u0003']]
      const { code, screen } = await runLineInTerminal(line, waits, { ...freshHome(), ...server.env })
      expect(code, screen).toBe(9)
      expect(screen.replace(/\s+/g, ' ')).toMatch(/stopped by Ctrl-C while a change was in progress: [^;]* made next: /)
    })
  })
})
