import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { sandbox, env, run, runAt, json } = await venueOfThisFile()

const SIGNED = {
  PARTNER_SIGNING_SECRET: sandbox.signingSecret,
  PARTNER_NAME: sandbox.partnerName,
  PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader,
  PARTNER_LOCATION_ID: sandbox.locationId,
}

describe('inbound commands', () => {
  const CARD = 'GIFT1-00000100-AAAA'

  test('inbound redeem reduces the balance that inbound balance shows', async () => {
    expect(await json('inbound', 'balance', CARD)).toMatchObject({ remainingAmount: 100 })
    expect(await json('inbound', 'redeem', CARD, '--amount', '1.50')).toMatchObject({ isSuccess: true })
    expect(await json('inbound', 'balance', CARD)).toMatchObject({ remainingAmount: 98.5 })
  })

  test('inbound redeem shows the balance before and after', async () => {
    const done = await run('inbound', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '10')
    expect(done.stdout).toMatch(/Balance +50\.25 → 40\.25/)
  })

  test('inbound redeem labels the location ID instead of listing it under Other', async () => {
    const done = await run('inbound', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '0.01')
    expect(done.stdout).toMatch(/^ {2}Location ID +\S+$/m)
    expect(done.stdout).not.toContain('Other')
  })

  test('inbound balance signs the body and the URL, and sends no API key', async () => {
    const server = await startRawServer([answers(200, { remainingAmount: 1 })])
    expect(await runAt(server, 'inbound', 'balance', CARD, '--param', 'a=b c', '--json')).toMatchObject({ code: 0 })
    const [request] = server.requests
    expect(request?.headers).not.toHaveProperty('x-api-key')
    const url = `${server.baseUrl}${request?.target}`
    const verified = await runPartner(
      ['sign', 'verify', '--signature', request?.headers['x-partner-signature'] ?? '', '--url', url, '--body', '-'],
      { env: { ...freshHome(), ...SIGNED }, input: request?.body },
    )
    expect(request?.target).toMatch(/\/giftcards\/balance\?a=b%20c$/)
    expect(verified).toMatchObject({ code: 0 })
  })

  test('inbound commands exit with code 10 if a response with status 200 reports a business failure', async () => {
    expectRefusal(await run('inbound', 'balance', 'AAAAA-AAAAAAAA-AAAA'), { code: 10, says: 'not found' })
    expectRefusal(await run('inbound', 'redeem', CARD, '--amount', '5000'), { code: 10, says: /balance/ })
  })

  test('inbound event sends its body byte for byte', async () => {
    const done = await run('inbound', 'event', 'webhooks.test_notification', '--data', '{ "n": 1.00 }')
    expect(done).toMatchObject({ code: 0, stdout: '{"eventType":"webhooks.test_notification","outcome":"ignored"}' })
    const server = await startRawServer([answers(200, {})])
    await runPartner(['inbound', 'event', 'x', '--data', '-'], {
      env: { ...freshHome(), ...env, ...server.env },
      input: '{ "n": 1.00 }\n',
    })
    expect(server.requests[0]?.body).toBe('{ "n": 1.00 }\n')
  })

  test('inbound event exits with code 2 if the body is missing or invalid', async () => {
    expectRefusal(await run('inbound', 'event', 'x'), { code: 2, says: '--data is required' })
    const says = /TYPE[^\n]*\n {2}--data is not JSON/
    expectRefusal(await run('inbound', 'event', 'x/y', '--data', '{'), { code: 2, says })
  })

  test('inbound send posts only to paths below the base URL', async () => {
    const path = `/partners/${sandbox.partnerName}/giftcards/balance`
    const data = JSON.stringify({ cardNumber: CARD, locationId: sandbox.locationId })
    expect(JSON.parse((await run('inbound', 'send', path, '--data', data)).stdout)).toMatchObject({ cardNumber: CARD })
    for (const wrong of ['../x', '/a/%2e%2e/b', 'https://evil.example/x', '//evil.example/x', '/a b', ''])
      expectRefusal(await run('inbound', 'send', wrong, '--data', '{}'), { code: 2, says: /PATH/ })
  })

  test('inbound balance exits with code 5 for a wrong secret and with code 4 for a missing setting', async () => {
    const home = freshHome()
    const wrong = { ...home, ...env, PARTNER_SIGNING_SECRET: 'wrong' }
    const refused = await runPartner(['inbound', 'balance', CARD], { env: wrong })
    expectRefusal(refused, { code: 5, says: 'Invalid signature', next: /sign verify/ })
    for (const missing of words('PARTNER_SIGNING_SECRET PARTNER_NAME PARTNER_SIGNATURE_HEADER PARTNER_LOCATION_ID')) {
      const done = await runPartner(['inbound', 'balance', CARD], { env: { ...home, ...env, [missing]: undefined } })
      expectRefusal(done, { code: 4, says: / is missing/, next: new RegExp(missing) })
    }
  })

  test('inbound balance works with --profile sandbox and no other settings', async () => {
    const done = await runPartner(['inbound', 'balance', CARD, '--profile', 'sandbox', '--json'], { env: freshHome() })
    expect(JSON.parse(done.stdout)).toMatchObject({ cardNumber: CARD, remainingAmount: 100 })
  })
})
