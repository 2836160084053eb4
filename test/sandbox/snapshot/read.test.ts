import { expect, test } from 'vitest'
import { findReady } from '../../../src/sandbox/snapshot/names.ts'
import { readSnapshot } from '../../../src/sandbox/snapshot/read.ts'
import { writeReady } from '../../../src/sandbox/snapshot/ready/ready.ts'

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

test('a snapshot may be written by hand, with Windows line ends, empty lines at its end and a byte order mark', () => {
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

const booked = (from: string, to: string) => file(CUSTOMER, BOOKING.replace(from, to))

test.each([
  ['nothing', '', ' is no snapshot of a sandbox'],
  ['another file', '{"name":"partner"}\n', ' is no snapshot of a sandbox'],
  ['a newer form', file().replace('t":1', 't":2'), ' was written by a newer partner (its form is 2, this one reads 1)'],
  ['the first line alone', HEAD, ', line 1: the file was cut short: its last line is not {"end":true}'],
  ['no end', `${HEAD}\n${CUSTOMER}\n`, ', line 2: the file was cut short: its last line is not {"end":true}'],
  ['half a line at its end', `${HEAD}\n${CUSTOMER.slice(0, 20)}`, ', line 2: it is not a JSON object'],
  ['more behind its end', `${file()}${CUSTOMER}\n`, ', line 3: nothing comes after {"end":true}'],
  ['an empty line', file(CUSTOMER, '', BOOKING), ', line 3: it is empty'],
  ['a conflict of git', file('<<<<<<< HEAD', CUSTOMER), ', line 2: it is not a JSON object'],
  [
    'no kind',
    file('{"costumer":"C-1"}'),
    ', line 2: it begins with "costumer", which is no kind of record; did you mean "customer"?',
  ],
  ['a misspelt member', booked('people', 'peple'), ', line 3: there is no member "peple"; did you mean "people"?'],
  ['a member that is missing', booked('"people":2,', ''), ', line 3: "people" is missing'],
  ['a wrong type', booked(':2,', ':"two",'), ', line 3: "people" must be a whole number, 1 or more, not "two"'],
  ['an unknown table', booked('}', ',"tables":["T1"]}'), ', line 3: "tables" must be one of tbl-t1,'],
  ['an unknown status', booked('CONFIRMED', 'MAYBE'), ', line 3: "status" must be one of Unconfirmed, CONFIRMED,'],
  ['no time', booked('18T19', '32T19'), ', line 3: "bookingTime" must be a time of the venue such as'],
  ['an unknown customer', file(BOOKING), ', line 2: "customerId" is "C-1", and no line before has that customer'],
  ['the same record twice', file(CUSTOMER, CUSTOMER), ', line 3: the customer "C-1" is there already'],
  ['a card with too much left', file(FULL_CARD), ', line 2: "remainingCents" is more than "amountCents"'],
  ['no URL', file(NO_HOOK), ', line 2: "webhookUrl" must be an http or https URL'],
  ['a fault that makes no sense', file(NO_FAULT), ", line 2: the service has no endpoint 'GET /Nothing'"],
  [
    'an unknown zone',
    file().replace('/Sydney', '/Sidney'),
    ', line 1: "venues" "timezone" must be a time zone such as "Australia/Sydney", not "Australia/Sidney"',
  ],
  ['no venue', file().replace(/\[.*\]/, '[]'), ', line 1: "venues" must have one venue at least'],
  ['days that run back', file().replace('"given"', BACKWARDS), ', line 1: "diary" "days" must be a list of days'],
])('%s is refused, by its line', (_what, text, problem) => expect(problemOf(text)).toContain(`a file${problem}`))

test('no fault, however it is written, is more than a wrong line', () => {
  const words = 'status latency truncate dribble oversize redirect skew late-webhook duplicate-webhook none'
  const kinds = words.split(' ').flatMap((kind) => [{ kind }, { kind, url: 1, ms: 'x' }])
  for (const effect of [null, 1, [], {}, ...kinds]) {
    const line = JSON.stringify({ fault: 1, specification: { endpoint: '*', effect } })
    expect(problemOf(file(line))).toMatch(/^(?:none|a file, line 2: .*)$/)
  }
})

test('a file that is cut short anywhere is refused, and so is one in which a character is changed to no JSON', () => {
  const ready = findReady('dst-night')
  const text = ready ? writeReady(ready) : ''
  for (let at = 0; at < text.length - 2; at += 97) {
    expect(problemOf(text.slice(0, at)), `cut at ${at}`).not.toBe('none')
    expect(problemOf(`${text.slice(0, at)}\u0000${text.slice(at + 1)}`), `changed at ${at}`).not.toBe('none')
  }
})
