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

/**
 * Creates a profile `dev` for a local service that sends the given bodies. Passes `environment`, if given, to
 * `--environment`.
 */
async function homeWithService(bodies: readonly unknown[], environment?: string) {
  const server = await startRawServer(bodies.map((body) => answers(200, body as never)))
  const home = { ...freshHome(), KEY: 'k' }
  const more = environment === undefined ? '' : ` --environment ${environment}`
  await run(`profiles add dev --base-url ${server.baseUrl} --api-key env:KEY${more}`, home)
  return { home, server }
}

describe('completion of values from earlier responses', () => {
  test('completion offers status codes and card numbers that the sandbox has sent', async () => {
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

  test('completion offers values from responses printed in any format', async () => {
    const { home } = await homeWithService([CODES, { bookingId: 'BK-1', status: NO_SHOW }, CARD], 'development')
    await run('profiles use dev', home)
    await run('bookings statuses --json', home)
    await run('bookings get BK-1 -o csv', home)
    await run('giftcards get GIFT1-00000100-AAAA', home)
    expect(offered('partner bookings list --status C', home)).toEqual(['CONFIRMED', 'CANCELLED'])
    expect(offered('partner giftcards get --profile=dev ', home)).toEqual([CARD.cardNumber])
  })
})

describe('completion of status codes', () => {
  const STANDARD = ['Unconfirmed', 'CONFIRMED', 'ARRIVED', 'SEATED', 'FINISHED', 'NOSHOW', 'CANCELLED']
  const status = (code: string) => ({ bookingId: 'BK-1', status: { code, name: code } })

  test('completion offers the standard status codes if no codes have been seen', () => {
    expect(offered('partner bookings list -p sandbox --status ', freshHome())).toEqual(STANDARD)
    expect(offered('partner bookings update-status BK-1 ', freshHome())).toEqual(STANDARD)
    expect(described('partner bookings list --status NO', freshHome())).toEqual([['NOSHOW', 'No show']])
  })

  test('completion offers all standard status codes even if only some of them have been seen', async () => {
    const { home } = await homeWithService([status('SEATED')])
    await run('bookings get BK-1 -p dev', home)
    expect([...offered('partner bookings list -p dev --status ', home)].sort()).toEqual([...STANDARD].sort())
  })

  test('completion offers only the status codes it has seen if the venue has its own codes', async () => {
    const { home } = await homeWithService([status('DESSERT')])
    await run('bookings get BK-1 -p dev', home)
    expect(offered('partner bookings list -p dev --status ', home)).toEqual(['DESSERT'])
  })
})

describe('gift card numbers from earlier responses', () => {
  test.each([
    ['production', []],
    ['development', [CARD.cardNumber]],
    [undefined, [CARD.cardNumber]],
  ])('with the environment %s, completion offers these stored card numbers: %j', async (environment, expected) => {
    const { home } = await homeWithService([CARD, CODES], environment)
    await run('giftcards get GIFT1-00000100-AAAA -p dev', home)
    await run('bookings statuses -p dev', home)
    expect(offered('partner giftcards get -p dev ', home)).toEqual(expected)
    expect(offered('partner bookings list -p dev --status CON', home)).toEqual(['CONFIRMED'])
    const note = readFileSync(join(home.PARTNER_CACHE_DIR, 'completion', 'seen-dev.json'), 'utf8')
    expect(note.includes(CARD.cardNumber)).toBe(expected.length > 0)
  })

  test('only the owner can read the completion cache', async () => {
    const home = freshHome()
    noteSeen(home, 'a/../b é', { statuses: [], cards: ['C'] })
    const folder = join(home.PARTNER_CACHE_DIR, 'completion')
    const [file = ''] = readdirSync(folder)
    expect(file).toBe('seen-a%2F..%2Fb%20%C3%A9.json')
    expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600])
  })
})

describe('the cache of values from earlier responses', () => {
  test('the completion cache lists at most 50 different values, newest first', () => {
    const home = freshHome()
    noteSeen(home, 'dev', { statuses: [['A', '']], cards: Array.from({ length: 60 }, (_, at) => `C${at}`) })
    const codes = ['B', 'A'].map((code) => [code, code.toLowerCase()] as const)
    noteSeen(home, 'dev', { statuses: codes, cards: ['C5', 'N'] })
    const { statuses, cards } = readSeen(home, 'dev')
    expect(statuses).toEqual(codes)
    expect(cards).toHaveLength(50)
    expect(cards.slice(0, 4)).toEqual(['C5', 'N', 'C0', 'C1'])
  })

  test('the completion cache is not rewritten if it would not change', () => {
    const home = freshHome()
    noteSeen(home, 'dev', { statuses: [['A', 'a']], cards: ['C1', 'C2'] })
    const file = join(home.PARTNER_CACHE_DIR, 'completion', 'seen-dev.json')
    const { ino } = statSync(file)
    noteSeen(home, 'dev', { statuses: [['A', '']], cards: ['C2'] })
    expect(statSync(file).ino).toBe(ino)
  })

  test.each(Object.keys(ODD_KINDS) as OddKind[])(
    'commands ignore %s at the path of the completion cache without waiting for it',
    async (kind) => {
      const home = freshHome()
      await placeOddFile(kind, join(home.PARTNER_CACHE_DIR, 'completion', 'seen-sandbox.json'))
      expect(offered('partner giftcards get -p sandbox ', home)).toEqual([])
      const run = await runPartner(words('bookings statuses -p sandbox --json'), { env: home })
      expect(run).toMatchObject({ code: 0, stderr: '' })
    },
  )

  test.each(['', '[]', 'null', '{"profile":"sandbox","cards":7,"statuses":[7,["A"],["B","b"],[3,4]]}'])(
    'completion uses the valid part of a damaged completion cache: %j',
    (text) => {
      const home = freshHome()
      mkdirSync(join(home.PARTNER_CACHE_DIR, 'completion'), { recursive: true })
      writeFileSync(join(home.PARTNER_CACHE_DIR, 'completion', 'seen-sandbox.json'), text)
      expect(offered('partner giftcards get -p sandbox ', home)).toEqual([])
      expect(offered('partner bookings list -p sandbox --status ', home).includes('B')).toBe(text.includes('"b"'))
    },
  )

  test('a command succeeds even if the cache directory cannot be created', async () => {
    const home = { ...freshHome(), PARTNER_CACHE_DIR: '/dev/null/cache' }
    expect(await runPartner(words('bookings statuses -p sandbox --json'), { env: home })).toMatchObject({ code: 0 })
    expect(existsSync('/dev/null/cache')).toBe(false)
  })
})
