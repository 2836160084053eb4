import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../support/partner.ts'
import { type Act, answers, resets, startRawServer } from '../support/raw-server.ts'
import { reportedError } from '../support/refusal.ts'
import { CARD, SIGNING_SECRET } from './cashier.ts'

const SIGNED = {
  PARTNER_SIGNING_SECRET: SIGNING_SECRET,
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
  PARTNER_LOCATION_ID: 'loc-1',
}
const REDEEM = ['inbound', 'redeem', CARD, '--amount', '25', '--json', '--retries', '0']
const DONE = answers(200, { cardNumber: CARD, amountRedeemed: 25, status: 'Active', isSuccess: true })
const balance = (units: number) => answers(200, { cardNumber: CARD, remainingAmount: units })

async function redeem(before: Act, answer: Act, after: Act = before) {
  let hasRedeemed = false
  const server = await startRawServer(({ target }) => {
    if (target.endsWith('/balance')) return hasRedeemed ? after : before
    hasRedeemed = true
    return answer
  })
  const env = { ...freshHome(), ...SIGNED, ...server.env }
  const run = await runPartner(REDEEM, { env })
  const open = JSON.parse((await runPartner('operations list --json', { env })).stdout) as { id: string }[]
  const writes = server.requests.filter(({ target }) => target.endsWith('/redeem')).length
  return { run, env, writes, open }
}

describe('partner accepts unusual responses from the signed balance endpoint', () => {
  const ODD: Readonly<Record<string, Act>> = {
    'an empty body': answers(200, ''),
    text: answers(200, '100.00 AUD'),
    'JSON with other members': answers(200, { card: { left: 100 } }),
    'a list': answers(200, [100]),
    'a bare number': answers(200, '100', { 'content-type': 'application/json' }),
    'no content': answers(204),
  }

  test.each(Object.entries(ODD))('inbound redeem warns and proceeds if the balance response is %s', async (_, odd) => {
    const { run, writes, open } = await redeem(odd, DONE)
    expect([run.code, writes, open]).toEqual([0, 1, []])
    expect(run.stderr).toMatch(/^warning: the balance of the card cannot be interpreted, so if the response is lost/)
  })

  test('a signed redemption with a lost response keeps an unknown outcome if the balance cannot be interpreted', async () => {
    const { run, env, writes, open } = await redeem(answers(200, 'ok'), resets)
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect([writes, open.length]).toEqual([1, 1])
    const resolved = await runPartner(['operations', 'resolve', open[0]?.id ?? '', '--json'], { env })
    expect(reportedError(resolved)).toMatchObject({ exitCode: 9 })
    expect(resolved.stderr).toContain('cannot be interpreted')
  })

  test.each<readonly [string, Act, number]>([
    ['a failure in a 200', answers(200, { isSuccess: false, errorMessage: 'no such card' }), 10],
    ['a web page', answers(200, '<html>log in</html>', { 'content-type': 'text/html' }), 8],
    ['404', answers(404, ''), 3],
    ['503', answers(503, ''), 8],
    ['a reset connection', resets, 8],
  ])('inbound redeem sends no redeem request if the response to the balance request is %s', async (_, act, code) => {
    const { run, writes, open } = await redeem(act, DONE)
    expect([run.code, writes, open]).toEqual([code, 0, []])
    expect(reportedError(run).outcome).toBe('not-applied')
  })
})

describe('undocumented response to a signed redemption', () => {
  test.each<readonly [string, unknown, number]>([
    ['contains only the redeemed amount', { amountRedeemed: 25 }, 0],
    [
      'contains the redeemed amount and a status',
      { cardNumber: CARD, amountRedeemed: 25.0, status: 'Redeemed', isSuccess: null },
      0,
    ],
    ['contains only an error message', { errorMessage: 'The card has expired.' }, 10],
    [
      'contains an error message and redeemed nothing',
      { amountRedeemed: 0, status: 'Error', errorMessage: 'Expired.' },
      10,
    ],
    ['contains an error message but redeemed an amount', { amountRedeemed: 25, errorMessage: 'Late.' }, 9],
    ['reports another amount', { amountRedeemed: 20 }, 9],
    ['is for a different card', { cardNumber: 'OTHER-00000000-CARD', amountRedeemed: 25 }, 9],
    ['is empty', '', 9],
    ['is text', 'done', 9],
    ['is an empty object', {}, 9],
  ])('inbound redeem determines the outcome from a response that %s', async (_, body, code) => {
    const { run, writes } = await redeem(balance(100), answers(200, body))
    expect([run.code, writes], run.stderr).toEqual([code, 1])
  })

  const bodies = ['', 'done', {}, { remainingAmount: 75 }]
  test.each(bodies)('inbound redeem succeeds after the response %j if the balance fell by the amount', async (body) => {
    const { run } = await redeem(balance(100), answers(200, body), balance(75))
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('the balance went from 100.00 to 75.00') })
  })
})
