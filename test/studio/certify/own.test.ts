import { expect, test } from 'vitest'
import { readCustomItems } from '../../../src/studio/certify/own/read.ts'
import { failuresOf, program, tryAll } from './candidate.ts'

const item = (when: string, expect: string) =>
  `version: 1\nitems:\n  - id: own\n    name: Own\n    mend: Mend it.\n    when:\n${indented(when)}\n    expect:\n${indented(expect)}\n`

const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')

async function readErrorMessage(text: string): Promise<string> {
  return readCustomItems(text, 'own.yaml', ['backs-off']).then(
    () => '',
    (error: Error) => error.message,
  )
}

test.each([
  ['', 'own.yaml:1: the file is empty'],
  ['- a', 'own.yaml:1: expected a map with the keys version (1) and items'],
  ['version: 2\nitems: []', 'own.yaml:1: version must be 1'],
  ['version: 1\nitems: []', 'own.yaml:2: items must be a list of items: - id: …'],
  ['version: 1\nitem: []', 'own.yaml:2: unknown member "item"; did you mean items?'],
  ['version: 1\nitems: [&a {}, *a]', 'anchors (&) and aliases (*) are not supported'],
  ['version: 1\nitems:\n\t- a', 'invalid YAML'],
  ['version: 1\nversion: 1', 'invalid YAML'],
  ['version: 1\n---\nversion: 1', 'own.yaml:2: a second document starts here'],
  [item('- do: poll', '- exit: 0').replace('id: own', 'id: Own'), 'own.yaml:3: id must be lower-case words'],
  [
    item('- do: poll', '- exit: 0').replace('id: own', 'id: backs-off'),
    'an item with the id "backs-off" already exists',
  ],
  [item('- do: poll', '- exit: 0').replace('    mend: Mend it.\n', ''), 'own.yaml:3: mend is missing: expected text'],
  [item('- do: polls', '- exit: 0'), 'own.yaml:7: do must be poll, redeem, sale, inbound, serve'],
  [item('- do: redeem\n  cardNumber: X', '- exit: 0'), 'own.yaml:7: amount is missing: expected currency units'],
  [item('- do: redeem\n  cardNumber: X\n  amount: "5"', '- exit: 0'), 'own.yaml:9: amount must be an amount in'],
  [item('- do: poll\n  amount: 5', '- exit: 0'), 'own.yaml:8: unknown member "amount"; expected do'],
  [item('- wait: 5', '- exit: 0'), 'expected one of do, fault, clear, change, clock, such as do: poll'],
  [item('- fault: GET /Booking\n  status: 503', '- exit: 0'), "did you mean 'GET /Bookings'?"],
  [item('- fault: GET /Bookings', '- exit: 0'), 'own.yaml:7: a fault needs one of status, latency'],
  [item('- fault: GET /Bookings\n  status: 503\n  reset: true', '- exit: 0'), 'not status and reset'],
  [item('- fault: GET /Bookings\n  latency: soon', '- exit: 0'), 'own.yaml:8: latency must be a duration'],
  [item('- change: PATCH /Nowhere', '- exit: 0'), 'change must be an endpoint of the service'],
  [item('- clock: later', '- exit: 0'), 'own.yaml:7: clock must be a duration, such as 500ms or 2h'],
  [item('- do: poll', '- exit: bad'), 'own.yaml:9: exit must be an exit code such as 0, or a list'],
  [
    item('- do: poll', '- request: GET /Booking'),
    'own.yaml:9: the service has no endpoint "GET /Booking"; did you mean GET /Bookings?',
  ],
  [item('- do: poll', '- request: GET /Bookings\n  times: 1\n  at-most: 2'), 'times cannot be used together'],
  [item('- do: poll', '- card: X\n  left: 1.005'), 'own.yaml:10: left must have at most two decimal places'],
  [item('- do: poll', '- copy: BK-1\n  has: 4'), 'own.yaml:10: has must be members, such as { people: 4 }'],
  [item('- do: poll', '- card: X'), 'own.yaml:9: left is missing: expected an amount'],
])('readCustomItems reports the line of an invalid value and what is expected there (case %#)', async (text, words) => {
  expect(await readErrorMessage(text)).toContain(words)
})

test('readCustomItems reports all problems in a file at once, sorted by line', async () => {
  const said = await readErrorMessage(item('- do: polls\n- clock: later', '- exit: bad'))
  expect(said.match(/own\.yaml:(\d+)/g)).toEqual(['own.yaml:7', 'own.yaml:8', 'own.yaml:10'])
})

test('readCustomItems can also read JSON', async () => {
  const file = { id: 'a', name: 'A', mend: 'M', when: [{ do: 'poll' }], expect: [{ exit: 0 }] }
  const items = await readCustomItems(JSON.stringify({ version: 1, items: [file] }), 'f', [])
  expect(items).toMatchObject([{ id: 'a', name: 'A', mend: 'M' }])
  expect(failuresOf(await tryAll('true', items))).toEqual({})
  expect(failuresOf(await tryAll('exit 3', items))).toEqual({ a: ['the steps must exit with 0, but exited with 3'] })
})

/** The source of an integration that reads and redeems a card, polls one booking into its copy, and accepts events. */
const PROGRAM = `
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const { PARTNER_BASE_URL: url, PARTNER_API_KEY: key, CERTIFY_COPY: copy } = process.env
const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' }
let line = ''
for await (const chunk of process.stdin) line += chunk
const step = JSON.parse(line)
const poll = async () => {
  const answer = await fetch(url + '/Bookings/BK-1001', { headers })
  if (answer.status !== 200) process.exit(1)
  writeFileSync(copy, (await answer.text()) + '\\n')
}
if (step.do === 'poll') await poll()
if (step.do === 'redeem') {
  await fetch(url + '/GiftCards/' + step.cardNumber, { headers })
  await fetch(url + '/GiftCards/redeem', { method: 'POST', headers, body: JSON.stringify(step) })
}
if (step.do === 'serve') createServer(async (q, a) => { await poll(); a.end() }).listen(step.port)
`

async function problemsOf(when: string, expect: string): Promise<readonly string[]> {
  const own = await readCustomItems(item(when, expect), 'own.yaml', [])
  return failuresOf(await tryAll(program(PROGRAM), own))['own'] ?? []
}

const REDEEM = '- do: redeem\n  cardNumber: GIFT1-00000100-AAAA\n  amount: 25'

test('a custom checklist item can check requests, their order and bodies, exit codes and gift cards', async () => {
  const good = [
    ...['- exit: 0', '- request: POST /GiftCards/redeem\n  body: { amount: 25 }\n  times: 1'],
    ...['- order: ["GET /GiftCards/{cardNumber}", POST /GiftCards/redeem]', '- request: POST /Sales\n  times: 0'],
    ...['- card: GIFT1-00000100-AAAA\n  left: 75.00', '- wait: POST /GiftCards/redeem\n  at-least: 1h'],
  ].join('\n')
  expect(await problemsOf(REDEEM, good)).toEqual([])
  const bad = [
    ...['- exit: [0, 1]', '- request: POST /GiftCards/redeem\n  body: { amount: 26 }'],
    ...['- order: [POST /GiftCards/redeem, "GET /GiftCards/{cardNumber}"]'],
    ...['- card: GIFT1-00000100-AAAA\n  left: 100.00', '- copy: BK-1001'],
  ].join('\n')
  expect(await problemsOf(REDEEM, bad)).toEqual([
    'the steps must exit with 0, 1, but exited with 0',
    'the number of matching requests to POST /GiftCards/redeem is 0, but must be at least 1',
    'the integration made no request to GET /GiftCards/{cardNumber} after POST /GiftCards/redeem',
    'the balance of GIFT1-00000100-AAAA is 75.00, but must be 100.00',
    'the copy does not have booking BK-1001',
  ])
})

test('a custom checklist item can trigger faults, changes and events, and can check the copy', async () => {
  const when = [
    ...['- fault: "GET /Bookings/{id}"\n  status: 503\n  next: 1', '- do: poll', '- clear: faults'],
    ...['- clock: 1h', '- do: serve', '- change: PATCH /Bookings/BK-1001/updatepax\n  body: { pax: 9 }'],
  ].join('\n')
  expect(await problemsOf(when, '- exit: 1\n- copy: BK-1001\n  has: { people: 9 }')).toEqual([])
  expect(await problemsOf(when, '- copy: BK-1001\n  has: { people: 8 }')).toEqual([
    'booking BK-1001 in the copy does not match {"people":8}',
  ])
})
