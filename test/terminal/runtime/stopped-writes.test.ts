import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { answers, type RawRequest, startRawServer } from '../../support/raw-server.ts'
import { reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { type Dialogue, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const CARD = 'GIFT2-00005025-AAAA'
const SIGNED = {
  PARTNER_SIGNING_SECRET: 'secret-4711',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
  PARTNER_LOCATION_ID: 'loc-1',
}
const RESERVATION =
  '{"numOfPeople":2,"serviceId":"s","sectionId":"t","time":"2030-01-01 19:00","customer":{"firstName":"A","lastName":"B","phone":"1"}}'

/** Every kind of write, and the command that shows what became of it. */
const WRITES: Readonly<Record<string, readonly [args: readonly string[], check: RegExp]>> = {
  'giftcards redeem': [['giftcards', 'redeem', CARD, '--amount', '5'], /partner operations resolve op_/],
  'giftcards cancel': [['giftcards', 'cancel', CARD, '--yes'], /partner operations resolve op_/],
  'inbound redeem': [['inbound', 'redeem', CARD, '--amount', '5'], /partner operations resolve op_/],
  'sales create': [
    ['sales', 'create', '--sale-id', 'S-1', '--staff-id', 'anna', '--seats', '2', '--table-number', '1'],
    /partner operations resolve op_/,
  ],
  'bookings create': [['bookings', 'create', '--people', '2', '--time', '2030-01-01 19:00'], /partner bookings list /],
  'bookings update-pax': [['bookings', 'update-pax', 'BK-1', '3'], /partner bookings get BK-1 --profile till/],
  'bookings update-status': [
    ['bookings', 'update-status', 'BK-1', 'SEATED', '--no-validate'],
    /partner bookings get BK-1 --profile till/,
  ],
  'bookings update-tables': [
    ['bookings', 'update-tables', 'BK-1', '--table', 'A/1'],
    /partner bookings get BK-1 --profile till/,
  ],
  'reservations create': [['reservations', 'create', '--data', RESERVATION], /partner bookings list .*--profile till/],
  'webhooks create': [
    ['webhooks', 'create', 'BOOKING_CREATED', 'https://x.example/h'],
    /partner webhooks get BOOKING_CREATED --profile till/,
  ],
  'webhooks update': [
    ['webhooks', 'update', 'BOOKING_CREATED', 'https://x.example/h'],
    /partner webhooks get BOOKING_CREATED --profile till/,
  ],
  'webhooks delete': [['webhooks', 'delete', 'BOOKING_CREATED', '--yes'], /partner webhooks list --profile till/],
}

const CARD_NOW = answers(200, { cardNumber: CARD, remainingAmount: 50.25, status: 'Active' })
const isReading = ({ method, target }: RawRequest) => method === 'GET' || target.endsWith('/balance')

/** A service that never answers a write, under a profile. */
async function silentService(): Promise<{ env: Environment; hasWrite: () => boolean }> {
  const server = await startRawServer((request) => (isReading(request) ? CARD_NOW : () => {}))
  const env = { ...freshHome(), ...SIGNED }
  await runPartner(['profiles', 'add', 'till', '--base-url', server.baseUrl, '--api-key-stdin'], {
    env,
    input: 'till-key-4711',
  })
  return {
    env: { ...env, PARTNER_PROFILE: 'till' },
    hasWrite: () => server.requests.some((request) => !isReading(request)),
  }
}

describe.each(Object.entries(WRITES))('%s', (_, [args, check]) => {
  test('stopped on its way is exit 9, with the command that checks', async () => {
    const { env, hasWrite } = await silentService()
    const running = startPartner([...args, '--json'], { env })
    await until(hasWrite)
    running.process.kill('SIGINT')
    const error = reportedError(await running.ended)
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
    expect(error.hint).toMatch(check)
  })
})

describe('stopped before anything has left', () => {
  test.each(['giftcards redeem', 'giftcards cancel', 'inbound redeem'])(
    '%s says that nothing was sent',
    async (name) => {
      const server = await startRawServer([() => {}])
      const [args = []] = WRITES[name] ?? []
      const running = startPartner([...args, '--json'], { env: { ...freshHome(), ...SIGNED, ...server.env } })
      await until(() => server.requests.length > 0)
      running.process.kill('SIGINT')
      const error = reportedError(await running.ended)
      expect(error).toMatchObject({ code: 'INTERRUPTED', exitCode: 130, outcome: 'not-applied' })
      expect(error.message).toMatch(/; nothing was sent$/)
    },
  )

  test('a read does not speak of sending', async () => {
    const server = await startRawServer([() => {}])
    const running = startPartner(['giftcards', 'get', CARD, '--json'], { env: { ...freshHome(), ...server.env } })
    await until(() => server.requests.length > 0)
    running.process.kill('SIGINT')
    expect(reportedError(await running.ended)).toMatchObject({ message: 'stopped by SIGINT', outcome: 'none' })
  })

  describe('at a terminal', () => {
    needs(TERMINAL)

    test('Ctrl-C is called so, and said once', async () => {
      const server = await startRawServer(({ method }) => (method === 'GET' ? CARD_NOW : () => {}))
      const line = `exec ${shellLine(['giftcards', 'redeem', CARD, '--amount', '5', '--yes'])}`
      const waits: Dialogue = [['waiting for the answer', '\u0003']]
      const { code, screen } = await runLineInTerminal(line, waits, { ...freshHome(), ...server.env })
      expect(code, screen).toBe(9)
      expect(screen.replace(/\s+/g, ' ')).toMatch(/stopped by Ctrl-C while a change was under way: [^;]* made next: /)
    })
  })

  describe('at a prompt', () => {
    needs(TERMINAL)

    test.each([
      ['Redeem 5.00', ['giftcards', 'redeem', CARD, '--amount', '5']],
      ['Cancel gift card', ['giftcards', 'cancel', CARD]],
      ['Delete the subscription', ['webhooks', 'delete', 'BOOKING_CREATED']],
    ])('%s', async (question, args) => {
      const server = await startRawServer([CARD_NOW])
      const line = `exec ${shellLine(args)}`
      const { code, screen } = await runLineInTerminal(line, [[question, '\u0003']], { ...freshHome(), ...server.env })
      expect(code).toBe(130)
      expect(screen).toContain('stopped by Ctrl-C; nothing was sent')
    })
  })
})
