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

describe('a balance that nobody can understand does not stand in the way of a signed redeem', () => {
  const ODD: Readonly<Record<string, Act>> = {
    'nothing at all': answers(200, ''),
    text: answers(200, '100.00 AUD'),
    'JSON with other members': answers(200, { card: { left: 100 } }),
    'a list': answers(200, [100]),
    'a bare number': answers(200, '100', { 'content-type': 'application/json' }),
    'no content': answers(204),
  }

  test.each(Object.entries(ODD))('%s', async (_, odd) => {
    const { run, writes, open } = await redeem(odd, DONE)
    expect([run.code, writes, open]).toEqual([0, 1, []])
    expect(run.stderr).toMatch(/^warning: the balance of the card cannot be interpreted, so if the response is lost/)
  })

  test('but a lost answer then stays unknown, and resolve says why', async () => {
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
    ['a connection that breaks off', resets, 8],
  ])('one that cannot be read does: %s', async (_, act, code) => {
    const { run, writes, open } = await redeem(act, DONE)
    expect([run.code, writes, open]).toEqual([code, 0, []])
    expect(reportedError(run).outcome).toBe('not-applied')
  })
})

describe('the answer to a signed redeem, whose shape nobody has shown', () => {
  test.each<readonly [string, unknown, number]>([
    ['says how much was redeemed, and no more', { amountRedeemed: 25 }, 0],
    ['says so with a status', { cardNumber: CARD, amountRedeemed: 25.0, status: 'Redeemed', isSuccess: null }, 0],
    ['complains, and says nothing else', { errorMessage: 'The card has expired.' }, 10],
    ['complains, and took nothing', { amountRedeemed: 0, status: 'Error', errorMessage: 'Expired.' }, 10],
    ['complains, but took something', { amountRedeemed: 25, errorMessage: 'Late.' }, 9],
    ['took another amount', { amountRedeemed: 20 }, 9],
    ['is about another card', { cardNumber: 'OTHER-00000000-CARD', amountRedeemed: 25 }, 9],
    ['is empty', '', 9],
    ['is text', 'done', 9],
    ['says nothing', {}, 9],
  ])('%s', async (_, body, code) => {
    const { run, writes } = await redeem(balance(100), answers(200, body))
    expect([run.code, writes], run.stderr).toEqual([code, 1])
  })

  const bodies = ['', 'done', {}, { remainingAmount: 75 }]
  test.each(bodies)('is done when the balance fell by the amount: %j', async (body) => {
    const { run } = await redeem(balance(100), answers(200, body), balance(75))
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('the balance went from 100.00 to 75.00') })
  })
})
