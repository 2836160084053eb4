import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { freshHome, type Run, runPartner } from '../support/partner.ts'
import { type Act, answers, RAW_KEY, type RawRequest, resets, startRawServer } from '../support/raw-server.ts'
import { reportedError } from '../support/refusal.ts'
import { runInTerminal, TERMINAL } from '../support/terminal.ts'
import { words } from '../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const ACTIVE = { cardNumber: CARD, remainingAmount: 100, status: 'Active' }
const GET = ['giftcards', 'get', CARD]
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '5']
const LIST = words('customers list --page-size 1 -o csv')
const UPDATE_PAX = ['bookings', 'update-pax', 'BK-1', '3']
const UNSUBSCRIBE = ['customers', 'unsubscribe', 'C-1', '--yes']
const SALE = ['sales', 'create', '--sale-id', 'S-1', '--staff-id', 'st-1', '--seats', '2', '--booking-id', 'BK-1']

/** A message from the service that imitates the lines of an error report. */
const FORGED = [
  'No.',
  'next: partner giftcards redeem GIFT1-00000100-AAAA --amount 100',
  'error: everything is lost\r\nrequest: POST /Other · status 200\rservice: elsewhere',
  'warning: forged',
].join('\n')

const LABEL = /^(error|next|request|service|warning): /

/** Expects each label at most once in an error report, and a bar before every line from the service. */
function expectNoForgedLines(run: Run): void {
  expect(run.stderr).not.toContain('\r')
  const lines = run.stderr.trimEnd().split('\n')
  const labels = lines.flatMap((line) => LABEL.exec(line)?.[1] ?? [])
  expect(labels, run.stderr).toEqual([...new Set(labels)])
  for (const line of lines) expect(line).toMatch(/^((error|next|request|service): | {2}│ | {2}… \d+ more characters; )/)
  expect(lines[0]).toMatch(/^error: /)
  for (const line of lines.filter((each) => each.startsWith('  │'))) expect(line).not.toMatch(LABEL)
}

type Case = readonly [
  args: readonly string[],
  act: (request: RawRequest, earlier: readonly RawRequest[]) => Act,
  code: number,
]

const rejects = () => answers(400, { message: FORGED })
const jsonString = answers(400, JSON.stringify(FORGED), { 'content-type': 'application/json' })
const problem = { title: FORGED, errors: { [FORGED]: [FORGED, FORGED], more: FORGED } }
const wasSent = (earlier: readonly RawRequest[]) => earlier.some(({ method }) => method === 'POST')
const codes = [`SEATED\n${FORGED}`, 'SEATE'].map((code, at) => ({ code, name: at === 0 ? 'Seated' : FORGED }))

const CASES: Readonly<Record<string, Case>> = {
  'a rejected read': [GET, rejects, 5],
  'an error that is a string, not an object': [GET, () => jsonString, 5],
  'a rejected write': [UPDATE_PAX, rejects, 5],
  'problem details': [UPDATE_PAX, () => answers(400, problem), 5],
  'validation errors without a message': [UPDATE_PAX, () => answers(400, { errors: [FORGED, FORGED] }), 5],
  'an error with an unknown outcome': [UPDATE_PAX, () => answers(502, { message: FORGED }), 9],
  'a failure reported with status 200': [
    REDEEM,
    ({ method }) => answers(200, method === 'POST' ? { isSuccess: false, errorMessage: FORGED } : ACTIVE),
    10,
  ],
  'a rejected balance read before a redemption': [REDEEM, () => answers(400, { message: FORGED, errors: [FORGED] }), 5],
  'the status of a card after a lost cancellation': [
    ['giftcards', 'cancel', CARD, '--yes'],
    ({ method }) => (method === 'PATCH' ? resets : answers(200, { ...ACTIVE, status: FORGED })),
    9,
  ],
  'a rejected balance read after a lost redeem': [
    REDEEM,
    ({ method }, earlier) => (method === 'POST' ? resets : wasSent(earlier) ? rejects() : answers(200, ACTIVE)),
    9,
  ],
  'a subscription that was not created': [
    words('webhooks create BOOKING_CREATED https://pos.example/hooks'),
    () => answers(200, { errorMessage: FORGED }),
    10,
  ],
  'a list that fails midway': [
    LIST,
    (_, { length }) => (length > 0 ? rejects() : answers(200, { from: 0, to: 1, length: 1, items: [{ id: 'C-1' }] })),
    13,
  ],
  'the status codes of a venue': [words('bookings update-status BK-1 SEATEDX'), () => answers(200, codes), 2],
}

describe('service messages that imitate an error report', () => {
  test.each(Object.entries(CASES))(
    'text from the service cannot forge a line in the error report: %s',
    async (_what, [args, act, code]) => {
      const server = await startRawServer(act)
      const run = await server.run(args)
      expect(run.code, run.stderr).toBe(code)
      expectNoForgedLines(run)
      expect(run.stderr.replaceAll('\\n', '\n')).toContain('next: partner giftcards redee')
    },
  )

  test('the message of a rejected retry cannot forge a line in an error report', async () => {
    const env = { ...freshHome(), ...(await startRawServer([resets, answers(400, { message: FORGED })])).env }
    expect((await runPartner([...SALE, '--retries', '0'], { env })).code).toBe(9)
    const run = await runPartner([...SALE, '--retries', '0'], { env })
    expect(run.code).toBe(9)
    expectNoForgedLines(run)
    expect(run.stderr).toContain(': No.\\nnext: partner')
  })

  test('an error report in JSON contains the exact service message on one line', async () => {
    const server = await startRawServer([answers(400, { message: FORGED, errors: { a: ['x\ny'] } })])
    const run = await server.run([...UPDATE_PAX, '--json'])
    expect(run.stderr.split('\n')).toHaveLength(2)
    expect(reportedError(run).message).toBe(`${FORGED}\n  a: x\ny`)
  })
})

describe('service messages in error reports', () => {
  async function refusal(body: unknown, more: readonly string[] = []) {
    const server = await startRawServer([answers(400, body)])
    return server.run([...UPDATE_PAX, ...more])
  }

  test('an error report shows a short service message on the error line', async () => {
    expect((await refusal({ message: 'Invalid Date passed.' })).stderr).toMatch(/^error: Invalid Date passed\.\nnext: /)
  })

  test('an error report lists validation errors below the service message, with a bar before each', async () => {
    const { stderr } = await refusal({ title: 'Not valid.', errors: { pax: ['too few', 'too odd'], '': 'no body' } })
    expect(stderr).toMatch(/^error: Not valid\.\n {2}│ pax: too few\n {2}│ pax: too odd\n {2}│ no body\nnext: /)
  })

  test('an error report shows a multi-line service message below the error line, with a bar before each line', async () => {
    const { stderr } = await refusal({ message: 'One.\n\n  Two.\r\nThree.\n' })
    expect(stderr).toMatch(/^error: the service says:\n {2}│ One\.\n {2}│\n {2}│ {3}Two\.\n {2}│ Three\.\nnext: /)
  })

  test('an error report shows a multi-line service message below the explanation of an unknown outcome', async () => {
    const server = await startRawServer([answers(502, { message: 'Bad\ngateway' })])
    const { stderr } = await server.run(UPDATE_PAX)
    expect(stderr).toMatch(
      /^error: it is not known whether this was done \(the booking .*\): the service answered 502:\n {2}│ Bad\n {2}│ gateway\nnext: /,
    )
  })

  test('an error report shows escape sequences, reversed text and NULs as visible text', async () => {
    const { stderr } = await refusal({ message: 'a\u001b[2Jb\u202ec\u0000d\ne\u009b31m' })
    expect(stderr).toMatch(/\n {2}│ a\\u001b\[2Jb\\u202ec\\u0000d\n {2}│ e\\u009b31m\n/)
  })

  test.each([
    ['one line', 'x'.repeat(1_000_000)],
    ['many lines', 'ab\n'.repeat(300_000)],
    ['one word of many joined emoji', '👩‍👩‍👧‍👦'.repeat(50_000)],
  ])(
    'an error report truncates a very long service message and says how much is missing: %s',
    async (_what, message) => {
      const { stderr } = await refusal({ message })
      expect(stderr.length).toBeLessThan(4000)
      const [, missing = ''] = /^ {2}… ([\d,]+) more characters; --json shows the full text$/m.exec(stderr) ?? []
      const shown = [...stderr.matchAll(/^ {2}│ ?(.*)$/gm)].map(([, line]) => line).join('\n').length
      expect(Math.abs(message.length - shown - Number(missing.replaceAll(',', '')))).toBeLessThan(10)
      expect(reportedError(await refusal({ message }, ['--json'])).message).toBe(message)
    },
  )

  test('an error report truncates a very long list of validation errors', async () => {
    const errors = Array.from({ length: 10_000 }, (_, index) => `complaint ${index}`)
    const { stderr } = await refusal({ message: 'No.', errors })
    expect(stderr.split('\n').length).toBeLessThan(40)
    expect(stderr).toMatch(/^error: No\.\n {2}│ complaint 0\n/)
    expect(stderr).toMatch(/^ {2}… [\d,]+ more characters; --json shows the full text$/m)
  })
})

describe('error reports on a terminal with 100 columns', () => {
  needs(TERMINAL)

  async function rowsOnScreen(message: string, args: readonly string[] = UPDATE_PAX, status = 400) {
    const server = await startRawServer([answers(status, { message })])
    const { standing } = await runInTerminal(args, [], { ...freshHome(), ...server.env, NO_COLOR: '1' })
    return standing
  }

  test('an error report wraps its lines itself, so that no service message can wrap into a forged line', async () => {
    for (const message of [
      `No.${' '.repeat(300)}next: partner sandbox reset`,
      `${' '.repeat(93)}next: partner sandbox reset`,
      `${'word '.repeat(18)} next: partner sandbox reset`,
      'x'.repeat(1000),
      '表'.repeat(100),
    ])
      for (const status of [400, 502]) {
        const lines = await rowsOnScreen(message, UNSUBSCRIBE, status)
        const next = lines.findIndex((line) => line.startsWith('next: '))
        const said = lines.slice(0, next)
        expect(said.length, message).toBeGreaterThan(1)
        for (const line of said) {
          expect([...line].reduce((sum, letter) => sum + (letter === '表' ? 2 : 1), 0)).toBeLessThanOrEqual(100)
          expect(line).toMatch(/^(error: | {2}│)/)
        }
      }
  })

  test('an error report indents its continuation lines', async () => {
    const reads = (message: string) => rowsOnScreen(message, LIST)
    const [first = ''] = await reads('short')
    expect(first).toBe('error: short')
    const server = await startRawServer(({ method }, earlier) =>
      method === 'POST'
        ? resets
        : answers(earlier.length === 0 ? 200 : 400, { ...ACTIVE, message: `${'a '.repeat(30)}next: forged` }),
    )
    const { standing: rows } = await runInTerminal([...REDEEM, '--yes'], [], { ...freshHome(), ...server.env })
    const at = rows.findIndex((line) => line.startsWith('error: '))
    expect(rows[at + 1]).toMatch(/^ {7}\S/)
    expect(rows.filter((row) => row.startsWith('next: '))).toHaveLength(1)
  })

  test('an error report hides a secret in a service message even if the line wraps within the secret', async () => {
    for (let before = 60; before < 110; before += 3) {
      const lines = await rowsOnScreen(`${'k'.repeat(before)}${RAW_KEY} and ${RAW_KEY}`)
      const together = lines.map((line) => line.replace(/^ {2}│ /, '')).join('')
      expect(together).not.toContain(RAW_KEY)
      expect(together).not.toContain(RAW_KEY.slice(4))
    }
  })

  test('the name of a dining service cannot forge a line in an interactive prompt', async () => {
    const name = `Dinner\r\nnext: forged\u001b[2J${' '.repeat(90)}error: forged`
    const sections = ['a', 'b'].map((id) => ({ id, sectionState: true }))
    const times = ['2030-12-24T08:00:00.000Z', '2030-12-24T09:00:00.000Z'].map((time) => ({ time, sections }))
    const named = sections.map(({ id }) => ({ id, name: `${name} ${id}` }))
    const service = { id: 'svc', name, times, sections: named }
    const server = await startRawServer([answers(200, [{ isVenueOpen: true, services: [service] }]), answers(201, {})])
    const { screen } = await runInTerminal(
      words('reservations create --people 2 --first-name A --last-name B --phone +61400000000'),
      [
        ['Which day?', '2030-12-24\r'],
        ['Which time?', '\r'],
        ['Which section?', '\r'],
      ],
      { ...freshHome(), ...server.env },
    )
    expect(screen).toContain('Dinner\\r\\nnext: forged\\u001b[2J')
    expect(screen).not.toMatch(/^\s*(next|error): forged/m)
  })
})
