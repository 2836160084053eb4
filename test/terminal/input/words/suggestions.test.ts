import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../../../src/contract/endpoints.ts'
import { manifestCommands } from '../../../support/distribution.ts'
import { runPartner } from '../../../support/partner.ts'
import { answers, startRawServer } from '../../../support/raw-server.ts'
import { expectRefusal } from '../../../support/refusal.ts'
import { words } from '../../../support/words.ts'

const COMMANDS = manifestCommands().map(({ words }) => words)

/** Returns the command that is suggested for a mistyped command line, or `null`. */
async function suggestionFor(line: string): Promise<string | null> {
  const server = await startRawServer([answers(200, [])])
  const run = await runPartner(words(line), { env: server.env })
  const says = /unknown command|needs a subcommand|unknown flag|unexpected/
  expectRefusal(run, { code: 2, says, next: /--help|help flags/ })
  expect(server.connections).toBe(0)
  return /did you mean "partner ([^"]+)"\?/.exec(run.stderr)?.[1] ?? null
}

describe('synonyms of commands', () => {
  test.each([
    ['giftcards balance GIFT1-00000100-AAAA', 'giftcards get'],
    ['giftcards show X', 'giftcards get'],
    ['giftcards view X', 'giftcards get'],
    ['giftcards describe X', 'giftcards get'],
    ['giftcards search', 'giftcards list'],
    ['giftcards ls', 'giftcards list'],
    ['customers find ada', 'customers list'],
    ['bookings view BK-1', 'bookings get'],
    ['bookings availability', 'bookings schedule'],
    ['bookings why', 'reservations explain'],
    ['reservations why', 'reservations explain'],
    ['bookings explian', 'reservations explain'],
    ['timeline card', 'timeline giftcard'],
    ['bookings status', 'bookings statuses'],
    ['reservations list', 'bookings list'],
    ['reservations get BK-1', 'bookings get'],
    ['webhooks rm BOOKING_CREATED', 'webhooks delete'],
    ['webhooks remove BOOKING_CREATED', 'webhooks delete'],
    ['profiles rm old', 'profiles remove'],
    ['profiles delete old', 'profiles remove'],
    ['profiles create dev', 'profiles add'],
    ['profiles get', 'profiles show'],
    ['profiles switch dev', 'profiles use'],
    ['sandbox faults rm', 'sandbox faults clear'],
    ['sandbox faults create', 'sandbox faults add'],
    ['sandbox logs', 'sandbox journal'],
    ['sandbox serve', 'sandbox start'],
    ['operations get op_1', 'operations show'],
    ['giftcards void X', 'giftcards cancel'],
    ['webhooks new', 'webhooks create'],
    ['webhooks edit', 'webhooks update'],
    ['login', 'profiles add'],
    ['logout', 'profiles remove'],
    ['whoami', 'profiles show'],
    ['configure', 'profiles add'],
    ['settings', 'config'],
    ['get /Bookings/BK-1', 'api'],
  ])('the unknown command partner %s suggests its synonym partner %s', async (line, command) =>
    expect(await suggestionFor(line)).toBe(command),
  )
})

describe('synonyms of topics', () => {
  test.each([
    ['booking list', 'bookings list'],
    ['giftcard get X', 'giftcards get'],
    ['gift-cards list', 'giftcards list'],
    ['gift-card show X', 'giftcards get'],
    ['cards get X', 'giftcards get'],
    ['vouchers ls', 'giftcards list'],
    ['Bookings List', 'bookings list'],
    ['guests search', 'customers list'],
    ['hooks list', 'webhooks list'],
    ['profile ls', 'profiles list'],
    ['sandbox fault list', 'sandbox faults list'],
    ['get booking BK-1', 'bookings get'],
    ['list bookings', 'bookings list'],
    ['show giftcard X', 'giftcards get'],
    ['bookings BK-1001', 'bookings get'],
    ['bokings lst', 'bookings list'],
    ['sandbox clock show', 'sandbox clock'],
    ['sign check', 'sign verify'],
    ['partner bookings list', 'bookings list'],
    ['partner booking ls', 'bookings list'],
  ])('the alternative phrase partner %s suggests partner %s', async (line, command) =>
    expect(await suggestionFor(line)).toBe(command),
  )
})

describe('mistyped commands', () => {
  test.each([
    ['giftcards redem X', 'giftcards redeem'],
    ['giftcards reedem X', 'giftcards redeem'],
    ['giftcards cancle X', 'giftcards cancel'],
    ['bookings updatePax BK-1 4', 'bookings update-pax'],
    ['bookings update_status BK-1 X', 'bookings update-status'],
    ['bookings updatetables BK-1', 'bookings update-tables'],
    ['webhooks crate', 'webhooks create'],
  ])('the mistyped write command partner %s suggests partner %s', async (line, command) =>
    expect(await suggestionFor(line)).toBe(command),
  )

  test.each([
    'giftcards refund X',
    'giftcards delete X',
    'bookings delete BK-1',
    'giftcards deem X',
    'giftcards frobnicate',
    'list',
    'x',
  ])('the unknown command partner %s suggests nothing', async (line) => expect(await suggestionFor(line)).toBeNull())
})

describe('words that do not describe a change', () => {
  const READING = words(
    'balance show view search ls find list get read status check info describe history log all query fetch balances cards test rest date sale seat post-code table tables use-case amount expires canned rede',
  )
  const WRITES = Object.entries(ENDPOINTS).flatMap(([id, { write }]) =>
    write === 'none' ? [] : [id.replace('.', ' ')],
  )
  const TOPICS = [...new Set(COMMANDS.flatMap((id) => (id.includes(' ') ? [id.slice(0, id.lastIndexOf(' '))] : [])))]

  test('no write command is suggested for a word that does not describe a change', async () => {
    const { suggestCommand } = await import('../../../../src/terminal/input/words/suggest-command.ts')
    const writing = [...WRITES, ...words('add remove set use reset seed clear advance').map((word) => ` ${word}`)]
    for (const topic of ['', ...TOPICS])
      for (const word of READING) {
        const typed = words(`${topic} ${word}`.trim())
        if (COMMANDS.includes(typed.join(' '))) continue
        const suggested = suggestCommand(typed, COMMANDS) ?? ''
        expect(
          writing.filter((write) => suggested === write || ` ${suggested}`.endsWith(write)),
          `${typed.join(' ')}: ${suggested}`,
        ).toEqual([])
      }
  })
})
