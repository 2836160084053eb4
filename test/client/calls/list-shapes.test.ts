import { describe, expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { type Act, answers, startRawServer } from '../../support/raw-server.ts'
import { refused, reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const RECORDS = [{ bookingId: 'BK-1' }, { bookingId: 'BK-2' }]

/**
 * Commands that read lists of undocumented shape, with the member that should contain the list, or `null` if the whole
 * response should be the list.
 */
const LISTS: Readonly<Record<string, string | null>> = {
  'bookings list --from today': 'bookings',
  'customers list': 'items',
  'giftcards list': 'items',
  'sales list': 'items',
  'bookings schedule --date tomorrow --people 2': null,
  'bookings tables --date tomorrow': null,
  'webhooks list': null,
}

const MEMBERS = ['items', 'bookings', 'customers', 'giftCards', 'sales', 'data', 'results', 'records']

/** Starts a service that returns `whole` as the first page of every list, and `further` as every later page. */
function listService(whole: unknown, further: unknown = []) {
  return startRawServer((request): Act => {
    const start = new URL(request.target, 'http://localhost').searchParams.get('StartIndex') ?? '0'
    return answers(200, JSON.stringify(start === '0' ? whole : further), { 'content-type': 'application/json' })
  })
}

async function listed(args: readonly string[], whole: unknown, further?: unknown) {
  return (await listService(whole, further)).run([...args, '--retries', '0'])
}

describe.each(Object.entries(LISTS))('%s', (line, member) => {
  const args = [...words(line), '-o', 'ndjson']

  test.each([
    ['a bare array', RECORDS, []],
    ['an object with the list under data', { count: 2, data: RECORDS }, { data: [] }],
    ['an object with the list under records and null in the expected member', withNull(member), { records: null }],
  ])(`${line} reads %s`, async (_form, whole, further) => {
    const run = await listed(args, whole, further)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(parseNdjson(run.stdout)).toEqual(RECORDS)
  })

  test.each([
    ['null', null],
    ['an object with null instead of the list', { [member ?? 'items']: null, count: 0 }],
    ['an empty page', { from: 0, to: 0, length: 0, [member ?? 'items']: [] }],
  ])(`${line} treats %s as an empty list`, async (_form, whole) => {
    expect(await listed(args, whole)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await listed([...words(line), '--json'], whole)).toMatchObject({ code: 0, stdout: '[]\n' })
  })

  test(`${line} reports that an object does not contain a list`, () =>
    refused(listed(words(line), { message: 'Hello.' }), 8, 'no list'))
})

function withNull(member: string | null): unknown {
  return { ...(member === null ? {} : { [member]: null }), records: RECORDS }
}

test.each(MEMBERS)('bookings list prints a list from the %s member as JSON, CSV or a table', async (member) => {
  const answer = { [member]: RECORDS, count: 2 }
  const rows = async (format: string) =>
    (await listed([...words('bookings list --from today --columns bookingId -o'), format], answer)).stdout
  expect(JSON.parse(await rows('json'))).toEqual(RECORDS)
  expect((await rows('csv')).split(/\r?\n/)).toEqual(['bookingId', 'BK-1', 'BK-2', ''])
  expect(await rows('table')).toMatch(/BK-1\s+BK-2/)
})

test('bookings list never prints the customers if a response contains both customers and bookings', async () => {
  const beside = { customers: [{ id: 'C-1' }], bookings: RECORDS }
  for (const answer of [beside, { bookings: RECORDS, customers: [{ id: 'C-1' }] }]) {
    const run = await listed(words('bookings list --from today -o ndjson --columns bookingId'), answer)
    if (run.code === 0) expect(run.stdout).toBe('{"bookingId":"BK-1"}\n{"bookingId":"BK-2"}\n')
    else
      expect(run).toMatchObject({ code: 13, stderr: expect.stringMatching(/two lists, .*customers.* and .*bookings/) })
  }
})

describe('lists with fewer records than the service reports', () => {
  const ask = words('bookings list --from today -o ndjson')

  test.each([
    ['count before the list', { count: 3, bookings: RECORDS }],
    ['count after the list', { bookings: RECORDS, count: 3 }],
    ['total after the list', { data: RECORDS, total: 17 }],
  ])('bookings list exits with code 13 if a %s exceeds the number of records', async (_where, answer) => {
    const run = await listed(ask, answer)
    expect(run).toMatchObject({ code: 13, stdout: '{"bookingId":"BK-1"}\n{"bookingId":"BK-2"}\n' })
    expect(reportedError(run).message).toMatch(/reported (3|17) records, but sent 2/)
  })

  test('bookings list exits with code 13 if the service reports a record count but sends no records', async () => {
    expect(await listed(ask, { count: 3, bookings: [] })).toMatchObject({ code: 13, stdout: '' })
    expect(await listed(ask, { total: 3, bookings: null })).toMatchObject({ code: 13, stdout: '' })
  })

  test('customers list exits with code 13 if the pages contain fewer records than the reported total', async () => {
    for (const name of ['count', 'total']) {
      const answer = { items: [{ id: 'C-1' }], [name]: 3 }
      expect(await listed(words('customers list -o ndjson'), answer, { items: [] })).toMatchObject({ code: 13 })
    }
  })

  test('a list that reaches --limit counts as complete, even if the service has more records', async () => {
    for (const limit of ['1', '2'])
      expect(await listed([...ask, '--limit', limit], { count: 9, bookings: RECORDS })).toMatchObject({ code: 0 })
    const page = { items: [{ id: 'C-1' }], total: 9 }
    expect(await listed(words('customers list --limit 1 -o ndjson'), page)).toMatchObject({ code: 0 })
  })

  test('bookings list accepts a list as complete if the reported count is too small, null or not a number', async () => {
    for (const count of [2, 1, 0, '7', null])
      expect(await listed(ask, { count, bookings: RECORDS })).toMatchObject({ code: 0, stderr: '' })
  })
})

test('customers list does not request an empty last page if the service reports the total', async () => {
  const server = await startRawServer((request): Act => {
    const start = Number(new URL(request.target, 'http://localhost').searchParams.get('StartIndex'))
    return answers(200, { data: [{ id: `C-${start}` }], total: 3 })
  })
  const run = await server.run('customers list -o ndjson')
  expect(run).toMatchObject({ code: 0, stdout: '{"id":"C-0"}\n{"id":"C-1"}\n{"id":"C-2"}\n' })
  expect(server.requests).toHaveLength(3)
})

test('api prints any list unchanged and does not mistake a malformed list for a lost connection', async () => {
  for (const body of [RECORDS, { data: RECORDS }, { message: 'Hello.' }, null]) {
    const run = await listed(words('api GET /Bookings'), body)
    expect(run).toMatchObject({ code: 0, stdout: JSON.stringify(body), stderr: '' })
  }
  const malformed = await startRawServer([answers(200, '[{"a":1},oops]', { 'content-type': 'application/json' })])
  const run = await malformed.run('api GET /Bookings')
  expect(run).toMatchObject({ code: 13, stderr: expect.not.stringMatching(/broke off|was lost/) })
})

test('bookings schedule refuses a response larger than 16 MiB', async () => {
  const day = { blockoutMessage: 'x'.repeat(1024 * 1024) }
  const run = listed(words('bookings schedule --date tomorrow --people 2'), Array(18).fill(day))
  await refused(run, 8, 'larger than 16 MiB')
})

test('bookings statuses accepts only the documented shape', () =>
  refused(
    listed(words('bookings statuses'), { data: [{ code: 'SEATED' }] }),
    8,
    'the response is an object, not a list',
  ))
