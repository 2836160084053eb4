import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { type Act, answers, type RawRequest, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { configureVenues } from '../../support/venues.ts'

const CARD = 'GIFT1-00000100-AAAA'
const OTHER = 'GIFT2-00005025-AAAA'
const THIRD = 'GIFT3-00003333-AAAA'

/** Starts a service whose clock and gift cards the test can change. */
async function startVenue() {
  const card = (cardNumber: string, amount: number, status = 'Active') => ({
    ...{ cardNumber, amount, remainingAmount: amount, status },
    ...{ issuedDate: '2026-11-01T00:00:00Z', expiryDate: '2999-11-01T00:00:00Z' },
  })
  const venue = { cards: [card(CARD, 100), card(OTHER, 50.25), card(THIRD, 33.33)], aheadMs: 0, forgets: false }
  const act = ({ method, target, body }: RawRequest): Act => {
    const date = { date: new Date(Date.now() + venue.aheadMs).toUTCString() }
    const url = new URL(target, 'http://service')
    if (method === 'GET' && url.pathname === '/GiftCards') {
      const items = venue.cards.slice(Number(url.searchParams.get('StartIndex')))
      return answers(200, { from: 0, to: items.length, length: items.length, items }, date)
    }
    const { cardNumber = url.pathname.split('/').at(-1), amount = 0 } = body === '' ? {} : JSON.parse(body)
    const one = venue.cards.find((found) => found.cardNumber === cardNumber)
    if (one === undefined) return answers(404, {}, date)
    if (method === 'GET') return answers(200, one, date)
    if (method === 'PATCH') {
      one.status = 'Cancelled'
      return answers(200, {}, date)
    }
    if (!venue.forgets) one.remainingAmount = Math.round((one.remainingAmount - amount) * 100) / 100
    const status = one.remainingAmount === 0 ? 'Redeemed' : 'Active'
    return answers(200, { cardNumber, amountRedeemed: amount, status, isSuccess: true, errorMessage: null }, date)
  }
  const server = await startRawServer(act)
  const env = { ...freshHome(), ...server.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
  const cwd = freshDirectory()
  const run = (...args: readonly string[]) => runPartner(args, { env, cwd })
  const pass = (hours: number) => {
    venue.aheadMs += hours * 3_600_000
  }
  return { venue, run, cwd, pass, baseUrl: server.baseUrl }
}

const COPY = ['--to', 'c.db', '--source', 'city'] as const
const PERIOD = ['giftcards', 'statement', '--copy', 'c.db', '--source', 'city'] as const

describe('giftcards statement --copy', () => {
  test("the amounts in a giftcards statement add up, with this machine's redemptions listed separately", async () => {
    const { run, venue, pass } = await startVenue()
    expect(await run('giftcards', 'sync', ...COPY)).toMatchObject({ code: 0 })
    expect(await run('giftcards', 'redeem', CARD, '--amount', '25')).toMatchObject({ code: 0 })
    expect(await run('giftcards', 'cancel', THIRD, '--yes')).toMatchObject({ code: 0 })
    // Redeem part of another card without an operation, as a different POS would.
    const next = '{"cardNumber":"GIFT2-00005025-AAAA","amount":10.25}'
    expect(await run('api', 'POST', '/GiftCards/redeem', '--data', next, '--yes')).toMatchObject({ code: 0 })
    venue.cards.push({ ...venue.cards[0], cardNumber: 'GIFT9-00000009-NEWS', amount: 80, remainingAmount: 80 } as never)
    pass(12)
    expect(await run('giftcards', 'sync', ...COPY)).toMatchObject({ code: 0 })
    const { code, stdout } = await run(...PERIOD, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ source: 'city', opening: { cards: 3, amount: '183.58' }, issued: '80.00', redeemed: '35.25' },
      ...{ cancelled: '33.33', expired: '0.00', adjusted: '0.00', notExplained: '0.00' },
      ...{ closing: { cards: 3, amount: '195.00' }, redeemedHere: '25.00', redeemedElsewhere: '10.25' },
      ...{ notShown: [], open: [], notes: [] },
    })
    const rows = await run(...PERIOD, '-o', 'csv', '--columns', 'cardNumber,kind,amount,by')
    expect(rows.stdout.trim().split('\r\n').join('\n').split('\n')).toEqual([
      'cardNumber,kind,amount,by',
      `${CARD},redeemed,-25.00,this machine`,
      `${OTHER},redeemed,-10.25,elsewhere`,
      `${THIRD},cancelled,-33.33,this machine`,
      'GIFT9-00000009-NEWS,issued,80.00,',
    ])
    const shown = await run(...PERIOD)
    for (const pattern of [/opening +183\.58 +3\n/, /= closing +195\.00 +3\n/]) expect(shown.stdout).toMatch(pattern)
    expect(shown.stdout).toContain('Done elsewhere, such as at another POS')
  })

  test('giftcards statement exits with code 11 if the service does not show a redemption made by this machine', async () => {
    const { run, venue, pass } = await startVenue()
    expect(await run('giftcards', 'sync', ...COPY)).toMatchObject({ code: 0 })
    venue.forgets = true
    expect(await run('giftcards', 'redeem', CARD, '--amount', '25')).toMatchObject({ code: 0 })
    pass(12)
    expect(await run('giftcards', 'sync', ...COPY)).toMatchObject({ code: 0 })
    const found = await run(...PERIOD)
    expect(found).toMatchObject({ code: 11 })
    const { stdout, stderr } = found
    expect(stderr).toMatch(/^error: the service does not show redemptions of 25\.00 on one card made by this machine\n/)
    expect(stderr).toContain(`next: look at each card: partner timeline giftcard ${CARD} --copy c.db`)
    expect(stdout).toContain('Done by this machine, but not shown by the service')
    expect(stdout).toMatch(/GIFT1-00000100-AAAA +giftcards redeem 25\.00 \(op_\w+\): the service shows no redemption/)
  })
})

describe('giftcards statement without two snapshots', () => {
  test('giftcards statement requires two snapshots and does not create a copy', async () => {
    const { run, cwd } = await startVenue()
    expectRefusal(await run(...PERIOD), { code: 2, says: /has no gift card snapshot.*\n.*giftcards sync --to c\.db/s })
    expect(existsSync(join(cwd, 'c.db'))).toBe(false)
    expect(await run('giftcards', 'sync', ...COPY)).toMatchObject({ code: 0 })
    expectRefusal(await run(...PERIOD), { code: 2, says: /has only one gift card snapshot/ })
    expectRefusal(await run(...PERIOD, '--to', '2001-01-01'), { code: 2, says: /no snapshot at or before --to/ })
  })

  test.each([
    [['--from', 'today'], /--from needs --copy/],
    [['--copy', 'c.csv'], /--copy "c\.csv" must be a database[\s\S]*giftcards sync --to cards\.db/],
    [['--copy', 'c.ndjson'], /must be a database/],
    [['--copy', 'c.db', '--from', '2026-11-02', '--to', '2026-11-01'], /--from is later than --to/],
    [['--copy', 'c.db', '--from', 'soonish'], /--from: "soonish" is not a time/],
  ])('giftcards statement refuses %j', async (args, says) => {
    expectRefusal(await runPartner(['giftcards', 'statement', ...args], { env: freshHome() }), { code: 2, says })
  })
})

test('giftcards statement without --copy shows the total currently owed on gift cards', async () => {
  const { run, venue } = await startVenue()
  venue.cards[1] = { ...venue.cards[1], status: 'PendingPostage' } as never
  venue.cards[2] = { ...venue.cards[2], status: 'Expired' } as never
  const { code, stdout } = await run('giftcards', 'statement', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ owed: { cards: 2, amount: '150.25' } })
  expect((await run('giftcards', 'statement')).stdout).toMatch(/^Owed on gift cards: 150\.25 {2}2 cards/)
})

test("giftcards statement for several venues shows a total and then each venue's details", async () => {
  const [city, harbour] = [await startVenue(), await startVenue()]
  const cwd = freshDirectory()
  const { run } = configureVenues([
    { name: 'city', baseUrl: city.baseUrl, timezone: 'UTC' },
    { name: 'harbour', baseUrl: harbour.baseUrl, timezone: 'UTC' },
  ])
  const statement = async (...args: string[]) => {
    const done = await run(['giftcards', 'statement', '--profiles', 'all', ...args], { cwd })
    expect(done.code, done.stderr).toBe(0)
    return done.stdout
  }
  expect(await statement()).toMatch(
    /^PROFILE +OWED .*\ncity +183\.58 +3 .*\nharbour +183\.58 +3 .*\nall venues +367\.16 +6 +0\.00\n\ncity\nOwed on gift cards: 183\.58 .*\nharbour\nOwed on gift cards: 183\.58 /s,
  )
  const sync = ['giftcards', 'sync', '--to', 'g.db', '--profiles', 'all']
  expect(await run(sync, { cwd })).toMatchObject({ code: 0 })
  const redeem = ['giftcards', 'redeem', CARD, '--amount', '25', '--profile', 'harbour']
  expect(await run(redeem, { cwd })).toMatchObject({ code: 0 })
  for (const venue of [city, harbour]) venue.pass(12)
  expect(await run(sync, { cwd })).toMatchObject({ code: 0 })
  const table = await statement('--copy', 'g.db')
  expect(table).toMatch(/^PROFILE +OPENING +ISSUED +REDEEMED .* CLOSING/)
  expect(table).toMatch(/^city +183\.58 +0\.00 +0\.00 .* 183\.58 /m)
  expect(table).toMatch(/^harbour +183\.58 +0\.00 +25\.00 .* 158\.58 /m)
  expect(table).toMatch(
    /^all venues +367\.16 +0\.00 +25\.00 .* 342\.16\n\ncity\nGift cards of city .*\nharbour\n.*GIFT1-\S+ +redeemed +-25\.00 +this machine/ms,
  )
  const csv = await statement('--copy', 'g.db', '-o', 'csv', '--columns', 'cardNumber,kind,amount')
  expect(csv.trim().split(/\r?\n/).slice(1)).toEqual([`harbour,${CARD},redeemed,-25.00`])
  expect(JSON.parse(await statement('--copy', 'g.db', '--json', '--query', '[].[_profile, redeemedHere]'))).toEqual([
    ['city', '0.00'],
    ['harbour', '25.00'],
  ])
  const oneName = await run(['giftcards', 'statement', '--profiles', 'all', '--copy', 'g.db', '--source', 'x'], { cwd })
  expectRefusal(oneName, { code: 2, says: /--source names a single venue/ })
})
