import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { insertCard } from '../../../src/sandbox/seed/cards.ts'
import { Store } from '../../../src/sandbox/store/store.ts'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { type Environment, runPartner } from '../../support/partner.ts'
import type { SandboxProcess } from '../../support/sandbox-process.ts'

/** The data of a made-up guest. */
export type Guest = Readonly<
  Record<'firstName' | 'lastName' | 'email' | 'phone' | 'company' | 'line1' | 'cardNumber', string>
>

/** Names that often cause bugs. Some are ordinary words or service names, so a bundle may legitimately contain them. */
const UNUSUAL: readonly (readonly [first: string, last: string])[] = [
  ['Zoë', 'Müller-Lüdenscheidt'],
  ['José', 'Nuñez'],
  ['Jose\u0301', 'Nu\u0301n\u0303ez'],
  ['👩‍🍳 Chefine', 'Amélie 🍋'],
  ['محمد', 'الفاسي'],
  ['נועה', 'בן־דוד'],
  ['小芳芳', '王'],
  ['Q', 'Æ'],
  ['Ángel', "O'Shaughnessy"],
  ['Robert"); DROP TABLE guests;--', 'O\u2019Tabularis'],
  ['<b>Brunhilda</b>', '\\u0041dalbert'],
  ['=SUM(1)', '%41ndromeda'],
  ['Dinner', 'Lunch'],
  ['Active', 'Online'],
  ['Main', 'Dining'],
  ['the', 'of'],
  ['Wolfeschlegelsteinhausen', 'Featherstonehaugh the Younger of Wooloomooloo'],
]

/** Guest names that a bundle may legitimately contain, because partner or the contract uses the same words. */
const WORDS = new Set(['Dinner', 'Lunch', 'Active', 'Online', 'Main', 'Dining', 'the', 'of', '=SUM(1)'])

const SYLLABLES = ['zu', 'qui', 'vop', 'xan', 'jek', 'wuf', 'gly', 'kro', 'myx', 'pfa']

/** Returns a made-up name that is not a real word. Each number yields a different name. */
function madeName(at: number, salt: number): string {
  const digits = [Math.floor(at / 100) % 10, Math.floor(at / 10) % 10, at % 10, salt]
  const name = digits.map((digit) => SYLLABLES[(digit + salt) % 10]).join('')
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

export function makeGuests(count: number): Guest[] {
  return Array.from({ length: count }, (_none, at) => {
    const [firstName, lastName] = UNUSUAL[at] ?? [madeName(at, 3), madeName(at, 7)]
    const number = String(10_000_000 + at * 7919).slice(-8)
    return {
      ...{ firstName, lastName, company: `${madeName(at, 1)} & Söhne`, line1: `${at + 1} ${madeName(at, 5)} Street` },
      email: `${at % 2 === 0 ? 'guest' : 'Gast'}.${madeName(at, 9)}@mail${at % 7}.example`,
      phone: at % 3 === 0 ? `+61 4${number.slice(0, 2)} ${number.slice(2, 5)} ${number.slice(5)}` : `+614${number}`,
      cardNumber: `ORACL-${String(at).padStart(8, '0')}-ZZ${String(at % 100).padStart(2, '0')}`,
    }
  })
}

/**
 * Returns the guest data that a bundle must not contain. Omits {@link WORDS} and strings of fewer than three
 * characters.
 */
export function guestTexts(guests: readonly Guest[]): string[] {
  const names = guests.flatMap(({ firstName, lastName, company, line1 }) => [firstName, lastName, company, line1])
  const others = guests.flatMap(({ email, phone, cardNumber }) => {
    const digits = phone.replace(/\D/g, '')
    const local = [`0${digits.slice(2)}`, phone.replace(/^\+61 ?/, '0')]
    return [email, phone, digits, ...local, cardNumber, cardNumber.toLowerCase()]
  })
  return [...new Set([...names, ...others])].filter((text) => [...text].length >= 3 && !WORDS.has(text))
}

/**
 * Fills the sandbox that uses this data directory. Each guest has a booking and a gift card, and every other guest
 * has a sale.
 */
export async function fillSandbox(sandbox: SandboxProcess, data: string, guests: readonly Guest[]) {
  const send = async (path: string, body: unknown) => {
    const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
    const reply = await fetch(`${sandbox.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect([200, 201], await reply.clone().text()).toContain(reply.status)
    return (await reply.json()) as { readonly bookingId: string }
  }
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const bookingIds: string[] = []
  for (const [at, guest] of guests.entries()) {
    const { firstName, lastName, email, phone, company, line1 } = guest
    const { bookingId } = await send('/Bookings', {
      ...{ numOfPeople: 1 + (at % 6), bookingTimeAsUtc: now, notes: `Ask for ${firstName} ${lastName}, ${phone}` },
      customer: { firstName, lastName, email, phone, company, address: { line1, city: 'Sydney' } },
    })
    bookingIds.push(bookingId)
    if (at % 2 === 0)
      await send('/Sales', {
        ...{ origin: { saleId: `S-DAY-${at}` }, source: { type: 'POS' }, type: 'SALE', openedZonedDateTime: now },
        ...{ staff: { id: `anna-${at % 3}` }, table: { seats: 2 }, bookingId },
        ...{ customer: { name: `${firstName} ${lastName}`, notes: email }, items: [{ name: `Cake for ${firstName}` }] },
        total: { amount: 1000 + at, currency: 'AUD' },
      })
  }
  giveCards(data, sandbox.locationId, guests)
  return bookingIds
}

function giveCards(data: string, location: string, guests: readonly Guest[]): void {
  const store = Store.open(data)
  store.transaction(() => {
    for (const [at, { firstName, lastName, email, cardNumber }] of guests.entries()) {
      const friend = guests[(at + 1) % guests.length]
      const card = {
        ...{ number: cardNumber, status: 'Active' as const, amountCents: 5000, remainingCents: 5000, location },
        ...{ sku: null, issued: Date.now() - 1000, expires: Date.now() + 1_000_000_000 },
      }
      insertCard(store, card, {
        ...{ paymentType: 'Online', cardFormat: 'EGiftCard' },
        ...{ experienceCardName: `Menu of ${firstName}`, experienceCardDetails: `For ${email}` },
        ...{ purchaserFirstName: firstName, purchaserLastName: lastName, purchaserEmail: email },
        ...{ recipientFirstName: friend?.firstName ?? '', recipientLastName: friend?.lastName ?? '' },
        recipientEmail: friend?.email ?? '',
      })
    }
  })
  store.close()
}

/**
 * Writes a journal that contains events with only IDs, events with complete guest records, and one delivery that is not
 * JSON.
 */
export function writeJournal(path: string, guests: readonly Guest[], bookingIds: readonly string[]): void {
  const line = (body: string, at: number) =>
    deliveryLine({
      timeMs: Date.now() - at,
      headers: { 'content-type': 'application/json', 'x-guest': guests[at]?.firstName.replace(/[^ -~]/g, '') ?? '' },
      body: Buffer.from(body),
      verdict: 'new',
    })
  const event = (eventType: string, data: object, at: number) => line(JSON.stringify({ eventType, data }), at)
  const linesOf = (guest: Guest, at: number) => [
    event('BOOKING_CREATED', { bookingId: bookingIds[at], locationId: 'loc-1' }, at),
    event('GIFTCARDS_CREATED', { cardNumber: guest.cardNumber }, at),
    event('GUEST', { customer: guest, [guest.email]: guest.phone }, at),
  ]
  const lines = guests.slice(0, 50).flatMap(linesOf)
  writeFileSync(path, [...lines, line(`${guests[1]?.firstName} called`, 1)].join(''))
}

export async function recordTraffic(directory: string, env: Environment, guests: readonly Guest[]): Promise<string[]> {
  const [, second, third, fourth] = guests
  if (!second || !third || !fourth) throw new Error('at least four guests are needed')
  const lines = [
    ['bookings', 'list', '--from', '-2d', '--to', '+2d', '--include-customer'],
    ['bookings', 'list', '--updated-from', '-1h', '--include-customer', '--guest', second.lastName],
    ['customers', 'list', '--page-size', '100'],
    ['sales', 'list', '--from', '-2d', '--to', '+2d'],
    ['giftcards', 'list', '--page-size', '200'],
    ['giftcards', 'get', second.cardNumber],
    ['giftcards', 'redeem', third.cardNumber, '--amount', '5', '--email', fourth.email, '--notes', third.firstName],
    ['customers', 'list', '--param', `Search=${second.firstName} ${second.lastName}`, '--limit', '1'],
    ['api', 'GET', `/Guests/${encodeURIComponent(third.lastName)}`, '--param', `mail=${third.email}`],
    ['api', 'POST', '/Bookings', '--data', JSON.stringify({ numOfPeople: 'two', customer: third, notes: third.phone })],
  ]
  const files: string[] = []
  for (const [at, line] of lines.entries()) {
    const file = join(directory, `seen-${at}.har`)
    const run = await runPartner([...line, '--har', file, '--json'], { env })
    expect(run.code, run.stderr).toBe(line[0] === 'api' ? run.code : 0)
    files.push(file)
  }
  return files
}
