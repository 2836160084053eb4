import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import { toGiven } from '../../../src/mcp/tools/arguments.ts'
import { failureOf } from '../../support/failure.ts'
import { TOOLS, toolNamed } from './all-tools.ts'

/** Returns the problems that `toGiven` reports for a tool's arguments. */
function problemsOf(name: string, values: unknown): readonly string[] {
  const { code, lines, message } = failureOf(() => toGiven(toolNamed(name), values))
  expect(code).toBe('USAGE')
  return lines.length > 0 ? lines : [message]
}

test('toGiven converts members to arguments and flags, and returns the limit separately', () => {
  const values = { updated_from: '-24h', include_customer: true, exclude_cancelled: false, limit: 7 }
  expect(toGiven(toolNamed('bookings_list'), values)).toEqual({
    ...{ args: {}, stdin: null, limit: 7 },
    flags: { 'updated-from': '-24h', 'include-customer': true },
  })
  const table = ['Main Dining/T7', '--yes']
  expect(toGiven(toolNamed('bookings_update_tables'), { id: 'BK-1', table })).toEqual({
    ...{ args: { id: 'BK-1' }, flags: { table }, stdin: null, limit: null },
  })
  expect(toGiven(toolNamed('money_commit'), { handle: 'mcp_x' })).toMatchObject({ args: { handle: 'mcp_x' } })
})

test('toGiven accepts whole numbers as numbers and as strings', () => {
  for (const people of [4, '4', 4.0])
    expect(toGiven(toolNamed('bookings_update_pax'), { id: 'B', people }).args).toEqual({ id: 'B', people: '4' })
  for (const people of [4.5, 'four', '', '4.0', 2 ** 60, true, null])
    expect(problemsOf('bookings_update_pax', { id: 'B', people })).toEqual([
      expect.stringMatching(/^people must be a whole number, not /),
    ])
})

test('toGiven limits a list to 50 records by default, and rejects a limit that is not between 1 and 500', () => {
  const limitOf = (limit: unknown) => toGiven(toolNamed('sales_list'), { limit }).limit
  expect(toGiven(toolNamed('sales_list'), undefined).limit).toBe(50)
  expect([limitOf(1), limitOf('500')]).toEqual([1, 500])
  for (const limit of [0, 501, -1, 1.5, '0', 'all', null, [5], {}, 1e300])
    expect(problemsOf('sales_list', { limit })).toEqual([
      expect.stringMatching(/^limit must be a whole number from 1 to 500, not /),
    ])
  expect(problemsOf('bookings_get', { id: 'BK-1', limit: 5 })).toEqual(['"limit" is not a member'])
})

test('toGiven reports all problems together', () =>
  expect(problemsOf('giftcards_redeem_prepare', { amount: 10.25, note: 'x', force: true, email: null })).toEqual([
    '"note" is not a member; did you mean notes?',
    '"force" is not a member',
    'card is required: Card number, XXXXX-XXXXXXXX-XXXX.',
    'amount must be a string, not 10.25',
    'email must be a string, not null',
  ]))

test('toGiven suggests the right name for a misspelled member', () =>
  expect(problemsOf('bookings_list', { updatedFrom: '-1h', 'updated-to': 'now', Status: 'X' })).toEqual([
    '"updatedFrom" is not a member; did you mean updated_from?',
    '"updated-to" is not a member; did you mean updated_to?',
    '"Status" is not a member; did you mean status?',
  ]))

test('toGiven names only the first 10 of many unknown members', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, at]))
  const problems = problemsOf('bookings_list', many)
  expect(problems).toHaveLength(11)
  expect(problems.at(-1)).toBe('99990 more members are unknown')
})

test('toGiven rejects arguments that are not an object', () => {
  for (const values of [null, [], 'x', 5, true])
    expect(problemsOf('bookings_list', values)).toEqual(['the arguments must be an object'])
})

test('toGiven rejects a value that the member does not allow', () =>
  expect(problemsOf('customers_list', { sort: 'descc' })).toEqual([
    'sort must be asc or desc, not "descc"; did you mean desc?',
  ]))

test('toGiven rejects control characters, lone surrogates, and values that are empty or too large', () => {
  for (const guest of ['a\u0000b', 'a\nb', '\u001b[2J', '\u0085'])
    expect(problemsOf('bookings_list', { guest })).toEqual(['guest must not contain control characters or line breaks'])
  expect(problemsOf('bookings_list', { guest: '\ud800' })[0]).toContain('surrogate')
  expect(problemsOf('bookings_list', { guest: 'é'.repeat(32 * 1024 + 1) })).toEqual(['guest must be at most 64 KiB'])
  expect(problemsOf('bookings_update_tables', { id: 'B', table: Array(101).fill('T') })[0]).toContain('at most 100')
  expect(problemsOf('bookings_update_tables', { id: 'B', table: [] })).toEqual(['table must not be empty'])
  expect(problemsOf('bookings_update_tables', { id: 'B', table: ['T1', 2] })).toEqual([
    'table [1] must be a string, not 2',
  ])
})

test('toGiven rejects "-", which would mean standard input', () => {
  for (const id of ['-', ' - ']) expect(problemsOf('customers_unsubscribe', { id })).toEqual(['id must not be "-"'])
})

test('toGiven passes the sign_verify body unchanged, even if it looks like a file name', () => {
  for (const body of ['@/etc/hostname', '-', 'file:/etc/hostname', '{\n\t"a": 1\r\n}', '']) {
    const { flags } = toGiven(toolNamed('sign_verify'), { signature: 'ab', url: 'https://x.example/', body })
    expect(flags['body']).toBe(body)
  }
})

test('toGiven passes the sales to reconcile as lines on standard input', () => {
  const records = [{ origin: { saleId: 'S-1' }, total: { amount: 12500 } }, { origin: { saleId: 'S\n2' } }]
  expect(toGiven(toolNamed('sales_reconcile'), { records, date: 'yesterday' })).toEqual({
    ...{ args: { file: '-' }, flags: { date: 'yesterday' }, limit: null },
    stdin: '{"origin":{"saleId":"S-1"},"total":{"amount":12500}}\n{"origin":{"saleId":"S\\n2"}}\n',
  })
})

test('toGiven rejects sales that are malformed, inexact or too large', () => {
  const problemWith = (records: unknown) => problemsOf('sales_reconcile', { records })[0]
  for (const records of ['[]', [], {}, null]) expect(problemWith(records)).toContain('a list of at least one object')
  expect(problemWith([{}, 5])).toBe('records [1] must be an object')
  expect(problemWith([{ total: { amount: 2 ** 60 } }])).toContain('too large to represent exactly')
  expect(problemWith([JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)])).toContain('8 levels deep')
  expect(problemWith(Array(10_001).fill({}))).toContain('at most 10000 items')
  expect(problemWith([{ a: 'x'.repeat(5 * 1024 * 1024) }])).toContain('at most 4 MiB')
})

/** Generates arguments that are often almost valid: mostly known members with random values. */
function anyArguments(names: readonly string[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constantFrom('-', '@x', 'env:X', 1e308, -0))
  const members = fc.dictionary(fc.constantFrom(...names, 'limit', '__proto__', 'force'), value)
  return fc.oneof(fc.jsonValue(), members)
}

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  'toGiven converts the arguments of %s or fails with USAGE',
  (_, tool) => {
    fc.assert(
      fc.property(anyArguments(Object.keys(tool.members)), (values) => {
        try {
          const { args, flags, stdin, limit } = toGiven(tool, values)
          expect(Object.values(args).every((text) => typeof text === 'string')).toBe(true)
          expect(Object.values(flags).includes(false)).toBe(false)
          expect(args['file'] === '-').toBe(stdin !== null)
          expect(limit !== null).toBe(tool.form === 'list')
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          expect(error.code).toBe('USAGE')
        }
      }),
    )
  },
)
