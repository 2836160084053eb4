import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'

const sandbox = await startSharedSandbox()

const giftcards = (...args: string[]) => runPartner(['giftcards', ...args], { env: { ...freshHome(), ...sandbox.env } })

async function card(number: string): Promise<{ readonly status: string; readonly remainingAmount: number }> {
  const run = await giftcards('get', number, '--json')
  expect(run.code, run.stderr).toBe(0)
  return JSON.parse(run.stdout)
}

describe('giftcards get', () => {
  test('giftcards get accepts a card number in upper or lower case with spaces around it', async () =>
    expect(await card('  gift1-00000100-aaaa ')).toMatchObject({ cardNumber: 'GIFT1-00000100-AAAA', amount: 100 }))

  test('giftcards get shows the balance first', async () => {
    const run = await giftcards('get', 'GIFT2-00005025-AAAA')
    expect(run.stdout).toMatch(/^Gift card GIFT2-00005025-AAAA .*\n\n +Balance +50\.25 of 100\.00\n/)
  })

  test.each([
    ['SPENT-00000000-RRRR', 'Redeemed'],
    ['VOIDS-00000000-CCCC', 'Cancelled'],
    ['OLDIE-00000000-EEEE', 'Expired'],
    ['UNPAI-00000000-PPPP', 'AwaitingPayment'],
    ['POSTS-00000000-PPPP', 'PendingPostage'],
  ])('giftcards get of %s shows the status %s', async (number, status) =>
    expect((await card(number)).status).toBe(status),
  )
})

test.each([
  ['get', []],
  ['redeem', ['--amount', '1']],
  ['cancel', ['--yes']],
])('giftcards %s exits with code 3 if the card does not exist', async (verb, flags) => {
  const run = await giftcards(verb, 'AAAAA-00000000-ZZZZ', ...flags)
  expectRefusal(run, { code: 3, says: "Gift card 'AAAAA-00000000-ZZZZ' not found.", next: /check the number/ })
})

describe('giftcards redeem', () => {
  test('giftcards redeem deducts a partial amount from the balance', async () => {
    const run = await giftcards('redeem', 'GIFT3-00003333-AAAA', '--amount', '11.11', '--notes', 'table 12')
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('11.11') })
    expect(await card('GIFT3-00003333-AAAA')).toMatchObject({ remainingAmount: 22.22, status: 'Active' })
  })

  test('a fully redeemed gift card can be neither redeemed again nor cancelled', async () => {
    const rest = await giftcards('redeem', 'GIFT4-00000001-AAAA', '--amount', '0.01', '--json')
    expect(JSON.parse(rest.stdout)).toMatchObject({ amountRedeemed: 0.01, status: 'Redeemed', isSuccess: true })
    const again = await giftcards('redeem', 'GIFT4-00000001-AAAA', '--amount', '0.01')
    expectRefusal(again, { code: 10, says: 'The gift card has already been redeemed.', next: /giftcards get/ })
    const cancelled = await giftcards('cancel', 'GIFT4-00000001-AAAA', '--yes')
    const says = 'is fully redeemed and cannot be cancelled'
    expectRefusal(cancelled, { code: 5, says, next: /nothing was changed/ })
  })

  test('giftcards redeem exits with code 10 and changes nothing if the amount exceeds the balance', async () => {
    const run = await giftcards('redeem', 'GIFT5-00025000-AAAA', '--amount', '250.01', '--json')
    expect(run.stdout).toBe('')
    const message = 'The amount is more than the remaining balance of the gift card.'
    const error = reportedError(run)
    expect(error).toMatchObject({ code: 'BUSINESS_FAILURE', exitCode: 10, message, outcome: 'not-applied' })
    const hint = /^only 250\.00 is left on the card, less than the requested 250\.01; nothing was changed/
    expect(error.hint).toMatch(hint)
    expect((await card('GIFT5-00025000-AAAA')).remainingAmount).toBe(250)
  })

  test.each([
    ['VOIDS-00000000-CCCC', 'has been cancelled'],
    ['OLDIE-00000000-EEEE', 'has expired'],
    ['UNPAI-00000000-PPPP', 'has not been paid for'],
    ['POSTS-00000000-PPPP', 'has not been posted'],
  ])('giftcards redeem exits with code 10 for %s because the card %s', async (number, says) => {
    expectRefusal(await giftcards('redeem', number, '--amount', '1'), { code: 10, says })
  })

  test('giftcards redeem exits with code 10 if the card was issued to another email address', async () => {
    const run = await giftcards('redeem', 'GIFT6-00018000-AAAA', '--amount', '1', '--email', 'nobody@example.com')
    expectRefusal(run, { code: 10, says: 'another email address' })
  })
})

describe('balance before and after a gift card write', () => {
  test("giftcards redeem shows the balance before and after, but with --json prints the service's response", async () => {
    const run = await giftcards('redeem', 'GIFT2-00005025-AAAA', '--amount', '10')
    expect(run.stdout).toMatch(/^ +Redeemed +10\.00$/m)
    expect(run.stdout).toMatch(/^ +Balance +50\.25 → 40\.25$/m)
    expect(
      Object.keys(JSON.parse((await giftcards('redeem', 'GIFT2-00005025-AAAA', '--amount', '0.25', '--json')).stdout)),
    ).toEqual(words('cardNumber amountRedeemed status isSuccess errorMessage'))
  })

  test('giftcards cancel shows the balance and the status before and after', async () => {
    const run = await giftcards('cancel', 'GIFT6-00018000-AAAA', '--yes')
    expect(run.stdout).toMatch(/^ +Balance +180\.00 \(nothing can be spent\)/m)
    expect(run.stdout).toMatch(/^ +Status +Active → Cancelled$/m)
  })

  test('giftcards redeem calculates the new balance if the read fails or returns the old balance', async () => {
    const number = 'GIFT2-00005025-AAAA'
    const full = answers(200, { cardNumber: number, remainingAmount: 50.25, status: 'Active' })
    const done = answers(200, { cardNumber: number, amountRedeemed: 10, status: 'Active', isSuccess: true })
    for (const last of [answers(500), full, answers(200, 'x')]) {
      const server = await startRawServer([full, done, last])
      const run = await server.run(['giftcards', 'redeem', number, '--amount', '10'])
      expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/Balance +50\.25 → 40\.25/) })
    }
  })
})

describe('giftcards cancel', () => {
  test('giftcards cancel succeeds and changes nothing if the card is already cancelled', async () => {
    const answer = (changed: boolean) =>
      `{"cardNumber":"GIFT7-99999999-AAAA","status":"Cancelled","changed":${changed}}\n`
    const first = await giftcards('cancel', 'GIFT7-99999999-AAAA', '--yes', '--json')
    expect(first).toMatchObject({ code: 0, stdout: answer(true) })
    const second = await giftcards('cancel', 'GIFT7-99999999-AAAA', '--yes', '--json')
    expect(second).toMatchObject({ code: 0, stdout: answer(false) })
    expect(second.stderr).toContain('was already cancelled')
    const third = await giftcards('cancel', 'GIFT7-99999999-AAAA', '--yes')
    expect((third.stdout + third.stderr).match(/already cancelled/gi)).toHaveLength(1)
    expect((await card('GIFT7-99999999-AAAA')).status).toBe('Cancelled')
  })

  test('giftcards redeem says that a fully redeemed card has no balance left', async () => {
    const run = await giftcards('redeem', 'SPENT-00000000-RRRR', '--amount', '1')
    const next = /: nothing is left on the card; nothing was changed/
    expectRefusal(run, { code: 10, says: 'already been redeemed', next })
  })
})

describe('keys that the service rejects', () => {
  test.each([
    ['wrong', 'Unauthorized', 'UNAUTHORIZED'],
    [sandbox.keys.unknownApp, 'loggedInAppId is required', 'UNKNOWN_APP'],
    [sandbox.keys.unlinkedVenue, 'No Venue Subscribed to your App.', 'VENUE_NOT_LINKED'],
  ])('gift card commands with a rejected key (%s) exit with code 4', async (key, message, code) => {
    const env = { ...freshHome(), ...sandbox.env, PARTNER_API_KEY: key }
    for (const args of [
      ['get', 'GIFT1-00000100-AAAA'],
      ['redeem', 'GIFT1-00000100-AAAA', '--amount', '1'],
      ['cancel', 'GIFT1-00000100-AAAA', '--yes'],
    ]) {
      const run = await runPartner(['giftcards', ...args, '--json'], { env })
      expect(reportedError(run)).toMatchObject({ code, message, exitCode: 4 })
      expect(run.stderr.replaceAll(message, '')).not.toContain(key)
    }
    expect(await card('GIFT1-00000100-AAAA')).toMatchObject({ remainingAmount: 100, status: 'Active' })
  })
})
