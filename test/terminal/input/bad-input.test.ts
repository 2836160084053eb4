import { describe, expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { answers, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const RESERVATION = [
  ['--people', '2'],
  ['--service', 'svc'],
  ['--section', 'sec'],
  ['--time', '2026-12-24 19:00'],
  ['--first-name', 'Ada'],
  ['--last-name', 'Ng'],
  ['--phone', '+61 400 000 000'],
] as const

/**
 * Returns the command line for a complete reservation, with some flags replaced. The value `undefined` omits a flag.
 */
function reserve(other: Readonly<Record<string, string | undefined>>, ...more: string[]): string[] {
  const flags = { ...Object.fromEntries(RESERVATION), ...other }
  const given = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]))
  return ['reservations', 'create', ...given, ...more]
}

type Case = readonly [args: readonly string[], says: RegExp | string, next?: RegExp]

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'a command that does not exist': [
    [['bokings', 'list'], 'unknown command "bokings list"; did you mean "partner bookings list"?', /partner --help/],
    [['bookings', 'lst'], 'did you mean "partner bookings list"?', /partner bookings --help/],
    [['frobnicate'], 'unknown command "frobnicate"'],
  ],
  'a flag that does not exist': [
    [['bookings', 'list', '--form', 'today'], 'unknown flag --form; did you mean --from?', /bookings list --help/],
    [['giftcards', 'redeem', CARD, '--amout=5'], 'unknown flag --amout; did you mean --amount?'],
    [['bookings', 'statuses', '-x'], 'unknown flag -x'],
    [['profiles', 'list', '--profile', 'sandbox'], 'unknown flag --profile'],
  ],
  'a missing or unexpected argument': [
    [['bookings', 'get'], /missing argument ID/, /partner bookings get --help/],
    [['giftcards', 'get'], /missing argument CARD/],
    [['giftcards', 'redeem', '--amount', '5'], /missing argument CARD/],
    [['giftcards', 'cancel', '--yes'], /missing argument CARD/],
    [['profiles', 'add'], /missing argument NAME/],
    [['profiles', 'use'], /missing argument NAME/],
    [['profiles', 'remove', '--yes'], /missing argument NAME/],
    [['bookings', 'get', 'BK-1', 'BK-2'], 'unexpected argument "BK-2"'],
    [['bookings', 'statuses', 'all'], 'unexpected argument "all"'],
    [['sandbox', 'exec'], 'no command was given'],
    [['sandbox', 'exec', '--'], 'no command was given'],
  ],
  'a missing required flag or flag value': [
    [['giftcards', 'redeem', CARD], /^error: --amount is required$/m, /giftcards redeem --help/],
    [['bookings', 'schedule', '--date', 'today'], /^error: --people is required$/m],
    [['bookings', 'list', '--from'], /--from expects a value/],
    [['bookings', 'statuses', '-o', 'xml'], '--output must be one of table, json, ndjson, csv, tsv, not "xml"'],
  ],
  'an ID that is not valid in a path': [
    [['bookings', 'get', 'a/b'], '"a/b" is not an ID'],
    [['bookings', 'get', '../Customers'], '"../Customers" is not an ID'],
    [['bookings', 'get', '..'], '".." is not an ID'],
    [['bookings', 'get', '.'], '"." is not an ID'],
    [['bookings', 'get', '%2e%2e'], 'is not an ID'],
    [['bookings', 'get', ''], '"" is not an ID'],
    [['bookings', 'get', 'a b'], 'is not an ID'],
    [['bookings', 'get', 'BK-1?x=1'], 'is not an ID'],
    [['bookings', 'get', 'x'.repeat(129)], 'is not an ID'],
    [['bookings', 'get', 'a\u001b[31mb'], 'is not an ID'],
  ],
  'an invalid card number': [
    [['giftcards', 'get', '12345'], '"12345" is not a gift card number', /XXXXX-XXXXXXXX-XXXX/],
    [['giftcards', 'get', 'GIFT1-00000100-AAA'], 'is not a gift card number'],
    [['giftcards', 'get', 'GIFT1_00000100_AAAA'], 'is not a gift card number'],
    [['giftcards', 'get', 'GIFT1-0000/100-AAAA'], 'is not a gift card number'],
    [['giftcards', 'redeem', 'ÄBCDE-12345678-WXYZ', '--amount', '5'], 'is not a gift card number'],
    [['giftcards', 'cancel', '..', '--yes'], 'is not a gift card number'],
  ],
  'an invalid amount': [
    ...[...words('0 0.00 -5 +5 1e3 5. .5 007 1,000 5.001 0x10 NaN 10000000'), '1 000', ''].map(
      (amount): Case => [['giftcards', 'redeem', CARD, `--amount=${amount}`], /^error: --amount must be /m],
    ),
    [['giftcards', 'redeem', 'x', '--amount', 'y'], /2 problems:\n.*not a gift card number\n.*--amount must be/],
  ],
  'an invalid time': [
    [['bookings', 'list', '--from', 'yesteryear'], '--from: "yesteryear" is not a time', /2026-11-20/],
    [['bookings', 'list', '--from', '2026-02-30'], '"2026-02-30" is not a day in the calendar'],
    [['bookings', 'list', '--from', '2026-11-20T25:00:00Z'], 'has a time that does not exist'],
    [['bookings', 'list', '--updated-from', ''], '--updated-from: "" is empty'],
    [['bookings', 'list', '--from', 'tomorrow', '--to', 'today'], '--from tomorrow is after --to today'],
    [['bookings', 'list', '--updated-from', 'tomorrow'], '--updated-from tomorrow is after now'],
    [['bookings', 'schedule', '--people', '2', '--date', '31.12.2026'], '--date: "31.12.2026" is not a time'],
    [reserve({ '--time': '2026-12-24' }), '--time: "2026-12-24" is a day without a time', /"2026-12-24 19:30"/],
    [reserve({ '--people': '1e300' }), '--people must be a plain number of at most 15 digits, not "1e300"'],
    [reserve({}, '--set', 'duration=99999999999999999999'), '--duration must be a plain number of at most 15 digits'],
    [reserve({ '--time': '2026-02-29 19:00' }), '--time: "2026-02-29 19:00" has a date that does not exist'],
    [reserve({ '--time': undefined, '--time-utc': '8 pm' }), '--time-utc: "8 pm" is not a time'],
  ],
  'a combination of date filters that the service does not support': [
    [
      ['bookings', 'list', '--date', 'today', '--updated-from', '1h'],
      'cannot be used together',
      /by their last change/,
    ],
    [['bookings', 'list', '--from', 'today', '--updated-from', '24h'], '--from and --updated-from cannot be used toge'],
    [['bookings', 'list', '--to', 'today'], '--to needs --from'],
    [['bookings', 'list', '--updated-to', 'now'], '--updated-to needs --updated-from'],
    [['bookings', 'schedule', '--people', '2'], '--date or --from is required'],
    [['bookings', 'schedule', '--people', '2', '--date', 'today', '--from', 'now'], '--date cannot be used together'],
  ],
  'a number out of range': [
    [['bookings', 'list', '--from', 'today', '--limit', '0'], '--limit must be a whole number, 1 or more'],
    [['bookings', 'list', '--from', 'today', '--limit', 'ten'], '--limit must be a whole number'],
    [['bookings', 'list', '--from', 'today', '--window', '0s'], '--window'],
    [['bookings', 'statuses', '--retries', '-1'], '--retries must be a whole number from 0 to 20'],
    [['bookings', 'statuses', '--timeout', '0'], '--timeout'],
    [['bookings', 'statuses', '--timeout', 'soon'], '--timeout'],
    [['bookings', 'schedule', '--date', 'today', '--people', '0'], '--people must be a whole number from 1'],
    [['bookings', 'schedule', '--date', 'today', '--people', '2147483648'], '--people must be a whole number from 1'],
    [reserve({ '--people': '0' }), '--people must be at least 1, not 0'],
    [reserve({ '--people': '2147483648' }), '--people must be at most 2147483647'],
    [reserve({ '--people': '2.5' }), '--people must be a whole number, not 2.5'],
    [reserve({ '--duration': '-10' }), '--duration must be at least 1'],
    [['sandbox', 'start', '--data', ':memory:', '--port', '70000'], '--port must be a whole number from 0 to 65535'],
  ],
  'an invalid request body': [
    [reserve({}, '--data', '{'), '--data is not JSON'],
    [reserve({}, '--data', '[]'), '--data must be a JSON object'],
    [reserve({}, '--data', '@/no/such/file.json'), 'there is no such file'],
    [reserve({}, '--set', 'notes'), '--set must be path=value, not "notes"'],
    [reserve({}, '--set', 'tables.5=x'), '"5" is not a valid index'],
    [reserve({}, '--link', 'menu'), '--link must be NAME=URL'],
    [['bookings', 'statuses', '--set', 'a=1'], 'unknown flag --set'],
    [['bookings', 'statuses', '--param', 'a'], '--param must be k=v, not "a"'],
    [['bookings', 'list', '--from', 'today', '--columns', 'a,,b'], '--columns must not contain an empty name'],
  ],
  'a missing argument together with a missing flag': [
    [['giftcards', 'redeem'], /missing argument CARD.*\n.*--amount is required/],
    [['giftcards', 'redeem', '--amount=5'], /^error: missing argument CARD[^\n]*\nnext:/],
  ],
  'an incomplete reservation': [
    [
      ['reservations', 'create'],
      /--people is required\n.*--service is required\n.*--section is required\n.*--first-name, --last-name and --phone are required\n.*--time or --time-utc is required/,
      /partner reservations create --help/,
    ],
    [reserve({ '--phone': undefined }), '--phone is required'],
    [reserve({ '--service': '' }), '--service must not be empty'],
    [reserve({ '--time': undefined }), '--time or --time-utc is required'],
  ],
  'an irreversible action without a terminal for the confirmation': [
    [['giftcards', 'cancel', CARD], 'needs confirmation, but partner cannot prompt here', /add --yes/],
    [['profiles', 'remove', 'sandbox'], /built in|needs confirmation/],
    [['sandbox', 'reset'], 'needs confirmation, but partner cannot prompt here'],
  ],
}

describe.each(Object.entries(CASES))('%s exits with code 2 and sends nothing', (what, cases) => {
  test.each(cases.map((one) => ({ line: one[0].join(' '), one })))(
    `partner exits with code 2 for ${what}: partner $line`,
    async ({ one: [args, says, next] }) => {
      const server = await startRawServer([answers(200, [])])
      expectRefusal(await server.run(args), { code: 2, says, next, secrets: [RAW_KEY] })
      expect(server.connections).toBe(0)
    },
  )
})

test('commands report an invalid ID or card number even if there is no profile', async () => {
  expectRefusal(await runPartner(['bookings', 'get', 'a/b']), { code: 2, says: 'is not an ID' })
  expectRefusal(await runPartner(['giftcards', 'get', 'x']), { code: 2, says: 'is not a gift card number' })
})

test('--no-validate sends a reservation that the local checks would refuse', async () => {
  const server = await startRawServer([answers(400, { message: "A reservation request must contain 'ServiceId'" })])
  const run = await server.run(reserve({ '--service': undefined, '--people': '0' }, '--no-validate'))
  expectRefusal(run, { code: 5, says: "must contain 'ServiceId'", next: /--service ID/ })
  expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ numOfPeople: 0, time: '2026-12-24 19:00' })
})
