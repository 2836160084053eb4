import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noteSeen, readSeen } from '../../../src/terminal/completion/seen.ts'
import { ODD_KINDS, type OddKind, placeOddFile } from '../../support/odd-files.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { words } from '../../support/words.ts'
import { described, offered } from './offered.ts'

const CARD = { cardNumber: 'GIFT1-00000100-AAAA', status: 'Active' }
const NO_SHOW = { code: 'NOSHOW', name: 'No show' }
const CODES = [{ code: 'CONFIRMED', name: 'Confirmed' }, NO_SHOW]

async function run(line: string, env: Readonly<Record<string, string>>) {
  expect(await runPartner(words(line), { env })).toMatchObject({ code: 0 })
}

/** A profile `dev`, of a service on this machine that answers with these bodies, for an environment or none. */
async function homeWithService(bodies: readonly unknown[], environment?: string) {
  const server = await startRawServer(bodies.map((body) => answers(200, body as never)))
  const home = { ...freshHome(), KEY: 'k' }
  const more = environment === undefined ? '' : ` --environment ${environment}`
  await run(`profiles add dev --base-url ${server.baseUrl} --api-key env:KEY${more}`, home)
  return { home, server }
}

describe('what a command shows is known at the next Tab', () => {
  test('codes of statuses and numbers of cards of the sandbox', async () => {
    const home = freshHome()
    expect(offered('partner giftcards get -p sandbox ', home)).toEqual([])
    await run('bookings statuses -p sandbox', home)
    await run('giftcards list -p sandbox --limit 3 -o ndjson', home)
    expect(described('partner bookings list -p sandbox --status NO', home)).toEqual([['NOSHOW', 'No show']])
    expect(offered('partner bookings update-status BK-1 -p sandbox S', home)).toEqual(['SEATED'])
    expect(offered('partner giftcards get -p sandbox ', home)).toHaveLength(3)
    expect(offered('partner giftcards redeem ', { ...home, PARTNER_PROFILE: 'sandbox' })).toHaveLength(3)
    expect(offered('partner giftcards get ', home)).toEqual([])
    expect(offered('partner giftcards get -p other ', home)).toEqual([])
  })

  test('of the profile on the line, else of the current one, in each format, and of single records', async () => {
    const { home } = await homeWithService([CODES, { bookingId: 'BK-1', status: NO_SHOW }, CARD], 'development')
    await run('profiles use dev', home)
    await run('bookings statuses --json', home)
    await run('bookings get BK-1 -o csv', home)
    await run('giftcards get GIFT1-00000100-AAAA', home)
    expect(offered('partner bookings list --status C', home)).toEqual(['CONFIRMED', 'CANCELLED'])
    expect(offered('partner giftcards get --profile=dev ', home)).toEqual([CARD.cardNumber])
  })
})

describe('codes of statuses', () => {
  const STANDARD = ['Unconfirmed', 'CONFIRMED', 'ARRIVED', 'SEATED', 'FINISHED', 'NOSHOW', 'CANCELLED']
  const status = (code: string) => ({ bookingId: 'BK-1', status: { code, name: code } })

  test('are the standard ones when none was seen', () => {
    expect(offered('partner bookings list -p sandbox --status ', freshHome())).toEqual(STANDARD)
    expect(offered('partner bookings update-status BK-1 ', freshHome())).toEqual(STANDARD)
    expect(described('partner bookings list --status NO', freshHome())).toEqual([['NOSHOW', 'No show']])
  })

  test('are all the standard ones when only some of them were seen', async () => {
    const { home } = await homeWithService([status('SEATED')])
    await run('bookings get BK-1 -p dev', home)
    expect([...offered('partner bookings list -p dev --status ', home)].sort()).toEqual([...STANDARD].sort())
  })

  test('are only those that were seen when the venue has codes of its own', async () => {
    const { home } = await homeWithService([status('DESSERT')])
    await run('bookings get BK-1 -p dev', home)
    expect(offered('partner bookings list -p dev --status ', home)).toEqual(['DESSERT'])
  })
})

describe('the number of a gift card is money', () => {
  test.each([
    ['production', []],
    ['development', [CARD.cardNumber]],
    [undefined, [CARD.cardNumber]],
  ])('environment %s, on this machine: %j', async (environment, expected) => {
    const { home } = await homeWithService([CARD, CODES], environment)
    await run('giftcards get GIFT1-00000100-AAAA -p dev', home)
    await run('bookings statuses -p dev', home)
    expect(offered('partner giftcards get -p dev ', home)).toEqual(expected)
    expect(offered('partner bookings list -p dev --status CON', home)).toEqual(['CONFIRMED'])
    const note = readFileSync(join(home.PARTNER_CACHE_DIR, 'completion', 'seen-dev.json'), 'utf8')
    expect(note.includes(CARD.cardNumber)).toBe(expected.length > 0)
  })

  test('the note is for its owner alone', async () => {
    const home = freshHome()
    noteSeen(home, 'a/../b é', { statuses: [], cards: ['C'] })
    const folder = join(home.PARTNER_CACHE_DIR, 'completion')
    const [file = ''] = readdirSync(folder)
    expect(file).toBe('seen-a%2F..%2Fb%20%C3%A9.json')
    expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600])
  })
})

describe('a note', () => {
  test('has the newest first, each once, and no more than 50', () => {
    const home = freshHome()
    noteSeen(home, 'dev', { statuses: [['A', '']], cards: Array.from({ length: 60 }, (_, at) => `C${at}`) })
    const codes = ['B', 'A'].map((code) => [code, code.toLowerCase()] as const)
    noteSeen(home, 'dev', { statuses: codes, cards: ['C5', 'N'] })
    const { statuses, cards } = readSeen(home, 'dev')
    expect(statuses).toEqual(codes)
    expect(cards).toHaveLength(50)
    expect(cards.slice(0, 4)).toEqual(['C5', 'N', 'C0', 'C1'])
  })

  test('is not written again for known values', () => {
    const home = freshHome()
    noteSeen(home, 'dev', { statuses: [['A', 'a']], cards: ['C1', 'C2'] })
    const file = join(home.PARTNER_CACHE_DIR, 'completion', 'seen-dev.json')
    const { ino } = statSync(file)
    noteSeen(home, 'dev', { statuses: [['A', '']], cards: ['C2'] })
    expect(statSync(file).ino).toBe(ino)
  })

  test.each(Object.keys(ODD_KINDS) as OddKind[])('%s in its place is not waited for, nor mentioned', async (kind) => {
    const home = freshHome()
    await placeOddFile(kind, join(home.PARTNER_CACHE_DIR, 'completion', 'seen-sandbox.json'))
    expect(offered('partner giftcards get -p sandbox ', home)).toEqual([])
    const run = await runPartner(words('bookings statuses -p sandbox --json'), { env: home })
    expect(run).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['', '[]', 'null', '{"profile":"sandbox","cards":7,"statuses":[7,["A"],["B","b"],[3,4]]}'])(
    '%j is read as far as it can be',
    (text) => {
      const home = freshHome()
      mkdirSync(join(home.PARTNER_CACHE_DIR, 'completion'), { recursive: true })
      writeFileSync(join(home.PARTNER_CACHE_DIR, 'completion', 'seen-sandbox.json'), text)
      expect(offered('partner giftcards get -p sandbox ', home)).toEqual([])
      expect(offered('partner bookings list -p sandbox --status ', home).includes('B')).toBe(text.includes('"b"'))
    },
  )

  test('an impossible cache directory changes nothing for a command', async () => {
    const home = { ...freshHome(), PARTNER_CACHE_DIR: '/dev/null/cache' }
    expect(await runPartner(words('bookings statuses -p sandbox --json'), { env: home })).toMatchObject({ code: 0 })
    expect(existsSync('/dev/null/cache')).toBe(false)
  })
})
