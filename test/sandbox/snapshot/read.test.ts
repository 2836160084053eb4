import { expect, test } from 'vitest'
import { findReadySnapshot } from '../../../src/sandbox/snapshot/names.ts'
import { readSnapshot } from '../../../src/sandbox/snapshot/read.ts'
import { writeReadySnapshot } from '../../../src/sandbox/snapshot/ready/ready.ts'

const HEAD =
  '{"partner-sandbox-snapshot":1,"clock":"2026-12-18T08:40:00.000Z","frozen":false,"venues":[{"id":"v1","name":"One","currency":"AUD","timezone":"Australia/Sydney"}],"diary":"given"}'
const CUSTOMER = '{"customer":"C-1","lastModifiedDate":"2026-12-01T00:00:00Z"}'
const BOOKING =
  '{"booking":"BK-1","bookingTime":"2026-12-18T19:30:00","people":2,"status":"CONFIRMED","customerId":"C-1","bookedAt":"2026-12-01T00:00:00Z"}'
const FULL_CARD =
  '{"card":"X","amountCents":1,"remainingCents":2,"issuedDate":"2026-12-01T00:00:00Z","expiryDate":"2026-12-01T00:00:00Z"}'
const NO_HOOK = '{"subscription":"BOOKING_CREATED","webhookUrl":"file:///etc"}'
const NO_FAULT = '{"fault":1,"specification":{"endpoint":"GET /Nothing","effect":{"kind":"hang"}}}'
const BACKWARDS = '{"seed":1,"days":["2026-12-02/2026-12-01"],"next":{"booking":1,"sale":1}}'

const file = (...lines: readonly string[]) => `${[HEAD, ...lines, '{"end":true}'].join('\n')}\n`
const problemOf = (text: string) => {
  try {
    readSnapshot(text, 'a file')
    return 'none'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('readSnapshot accepts Windows line endings, trailing empty lines and a byte order mark', () => {
  const text = `\ufeff${file(CUSTOMER, BOOKING).replaceAll('\n', '\r\n')}\r\n\r\n`
  const { counts, records } = readSnapshot(text, 'a file')
  expect(counts).toMatchObject({ customer: 1, booking: 1, sale: 0 })
  const [, { record } = { record: {} }] = [...records()]
  expect(record).toMatchObject({
    bookedAt: '2026-12-01T00:00:00.000Z',
    starts: '2026-12-18T08:30:00.000Z',
    duration: 90,
  })
})

const fileWithBooking = (from: string, to: string) => file(CUSTOMER, BOOKING.replace(from, to))

test.each([
  ['an empty file', '', ' is not a sandbox snapshot'],
  ['a JSON file that is not a snapshot', '{"name":"partner"}\n', ' is not a sandbox snapshot'],
  [
    'a newer format version',
    file().replace('t":1', 't":2'),
    ' was written by a newer version of partner (format 2; this version reads format 1)',
  ],
  ['a file with only the first line', HEAD, ', line 1: the file is truncated: its last line is not {"end":true}'],
  [
    'a missing last line',
    `${HEAD}\n${CUSTOMER}\n`,
    ', line 2: the file is truncated: its last line is not {"end":true}',
  ],
  ['an incomplete last line', `${HEAD}\n${CUSTOMER.slice(0, 20)}`, ', line 2: the line is not a JSON object'],
  ['a line after the end', `${file()}${CUSTOMER}\n`, ', line 3: no line may follow {"end":true}'],
  ['an empty line', file(CUSTOMER, '', BOOKING), ', line 3: the line is empty'],
  ['a git conflict marker', file('<<<<<<< HEAD', CUSTOMER), ', line 2: the line is not a JSON object'],
  [
    'an unknown kind of record',
    file('{"costumer":"C-1"}'),
    ', line 2: "costumer" is not a kind of record; did you mean "customer"?',
  ],
  [
    'a misspelled member',
    fileWithBooking('people', 'peple'),
    ', line 3: cannot have a member "peple"; did you mean "people"?',
  ],
  ['a missing member', fileWithBooking('"people":2,', ''), ', line 3: "people" is missing'],
  [
    'a member of the wrong type',
    fileWithBooking(':2,', ':"two",'),
    ', line 3: "people" must be a whole number, 1 or more, not "two"',
  ],
  ['an unknown table', fileWithBooking('}', ',"tables":["T1"]}'), ', line 3: "tables" must be one of tbl-t1,'],
  [
    'an unknown status',
    fileWithBooking('CONFIRMED', 'MAYBE'),
    ', line 3: "status" must be one of Unconfirmed, CONFIRMED,',
  ],
  [
    'an impossible time',
    fileWithBooking('18T19', '32T19'),
    ', line 3: "bookingTime" must be a local time of the venue such as',
  ],
  ['an unknown customer', file(BOOKING), ', line 2: "customerId" is "C-1", but no earlier line has that customer'],
  ['a duplicate record', file(CUSTOMER, CUSTOMER), ', line 3: duplicate customer "C-1"'],
  ['a card whose balance exceeds its amount', file(FULL_CARD), ', line 2: "remainingCents" is more than "amountCents"'],
  ['a webhook URL that is not HTTP', file(NO_HOOK), ', line 2: "webhookUrl" must be an http or https URL'],
  ['a fault for an unknown endpoint', file(NO_FAULT), ", line 2: the service has no endpoint 'GET /Nothing'"],
  [
    'an unknown time zone',
    file().replace('/Sydney', '/Sidney'),
    ', line 1: "venues" "timezone" must be a time zone such as "Australia/Sydney", not "Australia/Sidney"',
  ],
  ['an empty list of venues', file().replace(/\[.*\]/, '[]'), ', line 1: "venues" must contain at least one venue'],
  [
    'a date range whose end is before its start',
    file().replace('"given"', BACKWARDS),
    ', line 1: "diary" "days" must contain date ranges such as',
  ],
])('readSnapshot rejects %s', (_what, text, problem) => expect(problemOf(text)).toContain(`a file${problem}`))

test('readSnapshot reports a malformed fault as an invalid line instead of crashing', () => {
  const words = 'status latency truncate dribble oversize redirect skew late-webhook duplicate-webhook none'
  const kinds = words.split(' ').flatMap((kind) => [{ kind }, { kind, url: 1, ms: 'x' }])
  for (const effect of [null, 1, [], {}, ...kinds]) {
    const line = JSON.stringify({ fault: 1, specification: { endpoint: '*', effect } })
    expect(problemOf(file(line))).toMatch(/^(?:none|a file, line 2: .*)$/)
  }
})

test('readSnapshot rejects a file that is truncated or contains a NUL character at any position', () => {
  const ready = findReadySnapshot('dst-night')
  const text = ready ? writeReadySnapshot(ready) : ''
  for (let at = 0; at < text.length - 2; at += 97) {
    expect(problemOf(text.slice(0, at)), `cut at ${at}`).not.toBe('none')
    expect(problemOf(`${text.slice(0, at)}\u0000${text.slice(at + 1)}`), `changed at ${at}`).not.toBe('none')
  }
})
