import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { type Act, answers, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { type Dialogue, runInTerminal, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const CARD = 'GIFT2-00005025-AAAA'
const FULL = { cardNumber: CARD, remainingAmount: 50.25, amount: 50.25, status: 'Active' }
const LESS = { ...FULL, remainingAmount: 40.25 }
const DONE = { cardNumber: CARD, amountRedeemed: 10, status: 'Active', isSuccess: true }
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close'
const READ = ['giftcards', 'get', CARD]
const LIST = ['giftcards', 'list', '-o', 'ndjson']
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '10', '--yes']

/** Wraps an act so that it waits until `letGo` is called. */
function held(act: Act): Act & { letGo: () => void } {
  const { promise: asked, resolve: letGo } = Promise.withResolvers<void>()
  const holding: Act = async (socket, request) => {
    await asked
    act(socket, request)
  }
  return Object.assign(holding, { letGo })
}

describe('the waiting line at a terminal', () => {
  needs(TERMINAL)

  const talkTo = (server: RawServer, args: readonly string[], dialogue: Dialogue, env: Environment = {}) =>
    runInTerminal(args, dialogue, { ...freshHome(), ...server.env, ...env })

  /** Reads a gift card from a service that responds only after the waiting line is shown. */
  async function readCard(act: Act, env: Environment = {}) {
    const answer = held(act)
    const server = await startRawServer([answer])
    return talkTo(server, READ, [[`waiting for the response: GET /GiftCards/${CARD}`, answer.letGo]], env)
  }

  test('the waiting line names the pending request and is erased after the response', async () => {
    const { code, screen, standing } = await readCard(answers(200, FULL))
    expect(code, screen).toBe(0)
    expect(standing.join('\n')).not.toContain('waiting')
    expect(standing[0]).toMatch(/^Gift card GIFT2/)
  })

  test('the waiting line for a write reports that it was sent and that Ctrl-C would leave its outcome unknown', async () => {
    const answer = held(answers(200, DONE))
    const { code, screen, standing } = await talkTo(await startRawServer([answers(200, FULL), answer]), REDEEM, [
      ['sent, waiting for the response; Ctrl-C leaves the outcome unknown', answer.letGo],
    ])
    expect(code, screen).toBe(0)
    expect(standing.join('\n')).not.toContain('waiting')
  })

  test('after the response to a redemption is lost, the waiting line reports that partner is reading the balance', async () => {
    const balance = held(answers(200, LESS))
    const { code, screen } = await talkTo(await startRawServer([answers(200, FULL), answers(504), balance]), REDEEM, [
      ['no response; reading the card to find out the outcome', balance.letGo],
    ])
    expect(code, screen).toBe(0)
  })

  test('the waiting line for a retry shows the reason, the attempt number and the delay', async () => {
    const server = await startRawServer([answers(503), answers(200, FULL)])
    const { code, screen, standing } = await talkTo(server, READ, [['503, try 2 of 4 in 1 s', '']])
    expect(code, screen).toBe(0)
    expect(standing.join('\n')).not.toContain('try 2')
  })

  test('the waiting line after a 429 shows how long the service asked partner to wait', async () => {
    const server = await startRawServer([answers(429, '', { 'retry-after': '1' }), answers(200, FULL)])
    const { screen } = await talkTo(server, READ, [['429: waiting 1 s as the service asked', '']])
    expect(screen).toContain('try 2 of 4')
  })

  test('the waiting line for a list changes when partner starts to receive the list', async () => {
    const rest = held((socket) => socket.end(`,{"cardNumber":"B-2"}]}`))
    const begin = held((socket, request) => {
      socket.write(`${HEAD}\r\n\r\n{"items":[{"cardNumber":"A-1"}`)
      void rest(socket, request)
    })
    const server = await startRawServer([begin, answers(200, { items: [] })])
    const { code, screen, standing } = await talkTo(server, LIST, [
      ['waiting for the response: GET /GiftCards', begin.letGo],
      ['receiving the list', rest.letGo],
    ])
    expect(code, screen).toBe(0)
    expect(standing).toEqual(['{"cardNumber":"A-1"}', '{"cardNumber":"B-2"}'])
  })

  test('an error that replaces the waiting line is printed on its own row', async () => {
    const { code, standing } = await readCard(answers(404, { message: 'no such card' }))
    expect(code).toBe(3)
    expect(standing[0]).toMatch(/^error: /)
  })

  test('the error after Ctrl-C replaces the waiting line and is printed on its own row', async () => {
    const server = await startRawServer([answers(200, FULL), () => {}])
    const env = { ...freshHome(), ...server.env }
    const dialogue: Dialogue = [['Ctrl-C leaves the outcome unknown', '\u0003']]
    const { code, standing } = await runLineInTerminal(`exec ${shellLine(REDEEM)}`, dialogue, env)
    expect(code).toBe(9)
    expect(standing[0]).toMatch(/^error: /)
  })

  test('a dumb terminal shows the waiting line as a permanent row', async () => {
    const { code, standing } = await readCard(answers(200, FULL), { TERM: 'dumb' })
    expect(code).toBe(0)
    expect(standing[0]).toBe(`waiting for the response: GET /GiftCards/${CARD}`)
  })

  test('data written to a pipe does not contain the waiting line', async () => {
    const answer = held(answers(200, FULL))
    const env = { ...freshHome(), ...(await startRawServer([answer])).env }
    const line = `${shellLine([...READ, '--json'])} | sed 's/^/data: /'`
    const { code, standing } = await runLineInTerminal(line, [['waiting for the response', answer.letGo]], env)
    expect([code, standing]).toEqual([0, [`data: ${JSON.stringify(FULL)}`]])
  })
})

test('no waiting line is printed without a terminal', async () => {
  const answer = held(answers(200, FULL))
  const server = await startRawServer([answers(503), answer])
  const run = startPartner([...READ, '--json'], { env: { ...freshHome(), ...server.env } })
  await until(() => server.requests.length === 2)
  answer.letGo()
  expect(await run.ended).toEqual({ code: 0, stdout: `${JSON.stringify(FULL)}\n`, stderr: '' })
})

test('no waiting line is printed if the response arrives immediately', async () =>
  expect((await runPartner(['bookings', 'statuses', '-p', 'sandbox', '--json'], { env: freshHome() })).stderr).toBe(''))
