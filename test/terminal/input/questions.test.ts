import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { IN_A_WEEK } from '../../support/dates.ts'
import { needs } from '../../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../../support/partner.ts'
import { answers, resets, startRawServer } from '../../support/raw-server.ts'
import { type Dialogue, runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const venue = await venueOfThisFile()
const env = () => ({ ...freshHome(), ...venue.env })

const ask = (args: readonly string[], dialogue: Dialogue) => runInTerminal(args, dialogue, env())

/** The final prompts of `reservations create`, with the answers to type. */
const SECTION_AND_GUEST = [
  ['Which section?', '\r'],
  ['first name?', 'Ada\r'],
  ['last name?', 'Ng\r'],
  ['phone number, with country code?', '+61 400 000 000\r'],
] as const

async function card(number: string) {
  const { stdout } = await runPartner(['giftcards', 'get', number, '--json'], { env: env() })
  return JSON.parse(stdout) as { readonly status: string; readonly remainingAmount: number }
}

/** Answers no at the prompt of each command that changes a card. Returns the warnings before each prompt. */
async function warningsBeforePrompts(number: string, home: Environment): Promise<readonly (readonly string[])[]> {
  const shown = []
  for (const [args, question] of [
    [['giftcards', 'redeem', number, '--amount', '10'], 'Redeem 10.00'],
    [['giftcards', 'cancel', number], 'Cancel gift card'],
    [['inbound', 'redeem', number, '--amount', '10'], 'Redeem 10.00'],
  ] as const) {
    const { code, screen } = await runInTerminal(args, [[question, 'n\r']], home)
    expect(code, screen).toBe(130)
    const before = screen.slice(0, screen.indexOf(question))
    shown.push([...before.matchAll(/^warning: (.*?)\r?$/gm)].map(([, text]) => text ?? ''))
  }
  return shown
}

describe('prompts at a terminal', () => {
  needs(TERMINAL)

  test.each<[what: string, flags: readonly string[], questions: Dialogue]>([
    [
      'prompts for the missing values, and offers only times from the schedule',
      ['--notes', 'asked'],
      [['How many people?', '2\r'], ['Which day?', 'tomorrow\r'], ['Which time?', '\r'], ...SECTION_AND_GUEST],
    ],
    [
      'accepts a time and the name of a service, and prompts for the rest',
      ['--people', '2', '--time', `${IN_A_WEEK} 18:30`, '--service', 'dinner'],
      SECTION_AND_GUEST,
    ],
    [
      'accepts the names of a service and a section if only the phone number is missing',
      [
        ...['--people', '2', '--time', `${IN_A_WEEK} 18:45`, '--service', 'dinner', '--section', 'terrace'],
        ...['--first-name', 'Ada', '--last-name', 'Ng'],
      ],
      [['phone number, with country code?', '+61 400 000 000\r']],
    ],
  ])('reservations create %s', async (_what, flags, questions) => {
    const { code, screen } = await ask(['reservations', 'create', ...flags], questions)
    expect(code, screen).toBe(0)
    expect(screen).toMatch(/Booked/)
    if (flags.includes('--time')) expect(screen).not.toMatch(/Which day|Which time/)
  })

  test('if a service is unknown, reservations create suggests the most similar one before the next prompt', async () => {
    const place = ['--time', `${IN_A_WEEK} 18:45`, '--service', 'diner']
    const { code, screen } = await ask(['reservations', 'create', '--people', '2', ...place], [])
    expect([code, screen]).toEqual([2, expect.stringContaining('did you mean Dinner (svc-dinner)?')])
  })

  test('reservations create reports an invalid --time before the first prompt', async () => {
    const { code, screen } = await ask(['reservations', 'create', '--time', 'soonish'], [])
    expect([code, screen]).toEqual([2, expect.stringContaining('--time: "soonish" is not a time')])
    expect(screen).not.toContain('How many people')
  })

  test('reservations create asks again after an invalid party size and reports a fully booked day', async () => {
    const { code, screen } = await ask(
      ['reservations', 'create'],
      [
        ['How many people?', '40x\r'],
        ['a whole number', '\u007f\r'],
        ['Which day?', 'tomorrow\r'],
      ],
    )
    expect(code, screen).toBe(3)
    expect(screen).toMatch(/nothing is free on \d{4}-\d\d-\d\d for 40\r?\n.*--date \d{4}-\d\d-\d\d --people 40/)
  })

  test('giftcards redeem shows the card before it asks for confirmation, and changes nothing if the answer is no', async () => {
    const args = ['giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '10']
    const refused = await ask(args, [['Redeem 10.00 from GIFT1-00000100-AAAA?', 'n\r']])
    expect([refused.code, (await card('GIFT1-00000100-AAAA')).remainingAmount]).toEqual([130, 100])
    expect(refused.screen).toMatch(/Balance +100/)
    const taken = await ask(args, [['Redeem 10.00 from GIFT1-00000100-AAAA?', 'y\r']])
    expect([taken.code, (await card('GIFT1-00000100-AAAA')).remainingAmount]).toEqual([0, 90])
  })

  test("giftcards redeem shows the card's expiry time in the venue's time zone, even with --json", async () => {
    const args = ['giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '10', '--json']
    const { screen } = await ask(args, [['Redeem 10.00', 'n\r']])
    expect(screen).toMatch(/Expires +\d{4}-\d\d-\d\d \d\d:\d\d Australia\/Sydney/)
  })

  test('giftcards redeem warns before the prompt if the balance is too low', async () => {
    const args = ['giftcards', 'redeem', 'GIFT5-00025000-AAAA', '--amount', '250.5']
    const { code, screen } = await ask(args, [['Redeem 250.50', 'n\r']])
    expect(code, screen).toBe(130)
    expect(screen).toContain('only 250.00 is left on the card, less than the requested 250.50')
    expect(screen.indexOf('only 250.00')).toBeLessThan(screen.indexOf('Redeem 250.50'))
  })

  test.each<[number: string, warnings: readonly string[]]>([
    ['GIFT1-00000100-AAAA', []],
    ['VOIDS-00000000-CCCC', ["the card's status is Cancelled, not Active"]],
    ['OLDIE-00000000-EEEE', ["the card's status is Expired, not Active"]],
    ['UNPAI-00000000-PPPP', ["the card's status is AwaitingPayment, not Active"]],
    ['POSTS-00000000-PPPP', ["the card's status is PendingPostage, not Active"]],
    ['SPENT-00000000-RRRR', ["the card's status is Redeemed, not Active", 'nothing is left on the card']],
  ])('the warnings before every prompt to redeem or cancel %s are %j', async (number, warnings) => {
    expect(await warningsBeforePrompts(number, env())).toEqual([warnings, warnings, warnings])
  })

  test("every prompt to redeem or cancel a card is preceded by a warning if the card's expiry date has passed", async () => {
    const cardNumber = 'GIFT2-00005025-AAAA'
    const card = { cardNumber, remainingAmount: 50, status: 'Active', expiryDate: '2020-01-31T00:00:00Z' }
    const server = await startRawServer(() => answers(200, card))
    const warnings = ["the card's expiry date has passed"]
    const shown = await warningsBeforePrompts(cardNumber, { ...env(), ...server.env })
    expect(shown).toEqual([warnings, warnings, warnings])
  })

  test('the prompt of giftcards redeem mentions an open operation on the card', async () => {
    const answer = (body: unknown) => answers(200, body)
    const full = answer({ cardNumber: 'GIFT2-00005025-AAAA', remainingAmount: 50, status: 'Active' })
    const server = await startRawServer(({ method }) => (method === 'GET' ? full : resets))
    const home = { ...freshHome(), ...server.env }
    const redeem = ['giftcards', 'redeem', 'GIFT2-00005025-AAAA', '--amount']
    expect((await runPartner([...redeem, '5'], { env: home })).code).toBe(9)
    const question = 'Redeem 6.00 from GIFT2-00005025-AAAA, although'
    const { screen } = await runInTerminal([...redeem, '6'], [[question, 'n\r']], home)
    expect(screen).toContain('warning: it is not known whether this earlier write was done: giftcards redeem')
  })

  test('giftcards redeem --yes does not prompt', async () => {
    const args = ['giftcards', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '0.25', '--yes']
    expect((await ask(args, [])).code).toBe(0)
    expect((await card('GIFT2-00005025-AAAA')).remainingAmount).toBe(50)
  })

  test('giftcards cancel shows the card before it prompts for the card number, and changes nothing after Ctrl-C', async () => {
    const args = ['giftcards', 'cancel', 'GIFT3-00003333-AAAA']
    const stopped = await ask(args, [['Cancel gift card GIFT3-00003333-AAAA permanently?', '\u0003']])
    expect([stopped.code, (await card('GIFT3-00003333-AAAA')).status]).toEqual([130, 'Active'])
    expect(stopped.screen).toMatch(/Balance +33\.33/)
    const done = await ask(args, [
      ['Type the card number to confirm:', 'y\r'],
      ['that is not GIFT3-00003333-AAAA', 'gift3-00003333-aaaa\r'],
    ])
    expect([done.code, (await card('GIFT3-00003333-AAAA')).status]).toEqual([0, 'Cancelled'])
  })

  test('profiles add prompts for the API key without echoing it', async () => {
    const { code, screen } = await ask(
      ['profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--timezone', 'UTC', '--no-check'],
      [['API key of dev', 'typed-key-4711\r']],
    )
    expect(code, screen).toBe(0)
    expect(screen).toContain('••••4711 (stored)')
    expect(screen).not.toContain('typed-key')
  })

  test('webhooks create prompts for the security key and the token without echoing them', async () => {
    const server = await startRawServer([answers(200, { event: 'BOOKING_CREATED', webhookUrl: 'https://x.example/h' })])
    const { code, screen } = await runInTerminal(
      ['webhooks', 'create', 'BOOKING_CREATED', 'https://x.example/h', '--security-key', '-', '--security-token', '-'],
      [
        ['security key', 'typed-key-4711\r'],
        ['security token', 'typed-token-4712\r'],
      ],
      { ...freshHome(), ...server.env },
    )
    expect(code, screen).toBe(0)
    expect(screen).not.toMatch(/typed-/)
    const sent = { securityKey: 'typed-key-4711', securityToken: 'typed-token-4712' }
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject(sent)
  })

  test('a table on a terminal is coloured, and its rows are never wider than the terminal', async () => {
    const args = ['bookings', 'list', '--from', '-7d', '--to', '+7d', '--include-customer']
    const { screen, isPainted } = await ask(args, [])
    const rows = screen.split(/\r?\n/).filter((row) => row !== '')
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter((row) => stringWidth(row) > 100)).toEqual([])
    expect(isPainted).toBe(true)
  })

  test.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])(
    'output at a terminal has no colours with the environment %j',
    async (more) => {
      const shown = await runInTerminal(['bookings', 'statuses'], [], { ...env(), ...more })
      expect(shown).toMatchObject({ code: 0, isPainted: false })
    },
  )
})
