import { describe, expect, test } from 'vitest'
import { agrees, checkNames } from '../../../src/features/tables/check.ts'
import { readNames } from '../../../src/features/tables/reading/names.ts'

const TABLES = ['T1', 'T2', 'T3', 'B3'].map((name) => ({ name, tableId: `id-${name}`, section: null }))

const checked = (text: string) => checkNames(readNames(text, { name: 'FILE', column: undefined }), TABLES)

function rows(text: string): string[] {
  return checked(text).map(({ pos, kind, service, doubled, next }) =>
    [pos, kind, service, doubled ? `doubled: ${/lines .*/.exec(next ?? '')?.[0]}` : ''].join(' ').trimEnd(),
  )
}

describe('checkNames for a list of tables', () => {
  test('checkNames reports lines that refer to the same table, even in different spellings', () =>
    expect(rows('T1\nT2\nt1\nT3\nT1\n')).toEqual([
      'T1 same T1 doubled: lines 1, 3, 5 refer to the same table: keep one',
      'T2 same T2',
      't1 spelling T1 doubled: lines 1, 3, 5 refer to the same table: keep one',
      'T3 same T3',
      ' unused B3',
    ]))

  test('checkNames does not report tables within joined or ambiguous names as duplicate or unused', () =>
    expect(rows('T1\nT1+T2\n3\nX\nX')).toEqual([
      'T1 same T1',
      'T1+T2 joined T1',
      '3 ambiguous',
      'X missing  doubled: lines 4, 5 refer to the same table: keep one',
    ]))

  test('checkNames names only the first 8 of 10,000 lines that refer to the same table', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `${' '.repeat(at % 100)}T${'0'.repeat(at / 100)}1`)
    const found = checked(names.join('\n'))
    expect(found[9_999]).toMatchObject({ service: 'T1', doubled: true })
    expect(found[9_999]?.next).toContain('lines 1, 2, 3, 4, 5, 6, 7, 8 and 9992 more refer to the same table: keep one')
  })

  test('agrees returns true only for an exact, unique table name', () =>
    expect(checked('T1\nT2\nT2\nt3').map(agrees)).toEqual([true, false, false, false]))
})

test('checkNames allows a sales file to repeat tables and to omit others', () => {
  const sales = '{"table":{"number":"T1"}}\n{"table":{"number":"T1"}}\n{"table":{"number":"t1"}}\n'
  expect(rows(sales)).toEqual(['T1 same T1', 't1 spelling T1'])
})
