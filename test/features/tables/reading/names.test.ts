import { describe, expect, test } from 'vitest'
import { readNames } from '../../../../src/features/tables/reading/names.ts'
import { failureOf } from '../../../support/failure.ts'

function read(text: string, column?: string): Record<string, readonly number[]> {
  return Object.fromEntries(readNames(text, { name: 'FILE', column }).names)
}

function refusal(text: string, column?: string): string {
  const { exitCode, words, hint } = failureOf(() => read(text, column))
  expect(exitCode).toBe(2)
  return `${words} | ${hint}`
}

const SALE_AT_T1 = '{"table":{"number":"T1"}}'

describe('readNames', () => {
  test.each<readonly [what: string, text: string, names: Readonly<Record<string, readonly number[]>>]>([
    ['names from a list', 'T1\nBar 2\n\nT1\n', { T1: [1, 4], 'Bar 2': [2] }],
    ['names from a list with a heading and CRLF line ends', 'Table\r\nT1\r\nT2', { T1: [2], T2: [3] }],
    [
      'joined tables and quoted names',
      'T1\n12,13\n"say ""x"""\n" 7"',
      { T1: [1], '12,13': [2], 'say "x"': [3], ' 7': [4] },
    ],
    ['a single joined table', '12,13\n', { '12,13': [1] }],
    ['names from CSV', 'id,Table Name,seats\n1,T1,2\n2,"12,13",4\n3,,1\n', { T1: [2], '12,13': [3] }],
    ['names from CSV of a spreadsheet', 'Nr;Table;Ort\n1;"T;1";x\n', { 'T;1': [2] }],
    ['names from CSV with a likely heading', 'id,name\n9,T1\n', { T1: [2] }],
    ['names from CSV with more separators than columns', 'table,seats\nT1,2,,\n', { T1: [2] }],
    [
      'table numbers from sales',
      `${SALE_AT_T1}\n{"table":{"number":7}}\n{"bookingId":"B"}\n\n${SALE_AT_T1}`,
      { T1: [1, 5], 7: [2] },
    ],
    ['names in other scripts', '\u202eشرفة\n🌿👨‍👩‍👧\n１２\n', { '\u202eشرفة': [1], '🌿👨‍👩‍👧': [2], '１２': [3] }],
  ])('readNames reads %s', (_what, text, names) => expect(read(text)).toEqual(names))

  test.each([
    ['by its name', 'id,table,seats\n1,T1,2\n', 'seats', '2'],
    ['by its name in another spelling', 'id,pos label\n1,T1\n', 'POS Label', 'T1'],
    ['by its number', 'x,y\nz,T1\n', '2', 'y'],
    ['by its number, below a heading', 'x,table\nz,T1\n', '2', 'T1'],
    ['by its name in a file with one column', 'label\nT1\n', 'label', 'T1'],
  ])('readNames reads a column selected %s', (_what, text, column, first) => {
    expect(Object.keys(read(text, column))[0]).toBe(first)
  })

  test('readNames reads 10,000 names from a CSV file', () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `${at},"Table ${at}"`)
    expect(readNames(`id,table\n${lines.join('\n')}`, { name: 'FILE', column: undefined }).names.size).toBe(10_000)
  })
})

test.each<readonly [text: string, column: string | undefined, says: string]>([
  ['', undefined, 'FILE has no table names'],
  ['\n \n', undefined, 'FILE has no table names'],
  ['table\n', undefined, 'FILE has no table names'],
  ['a,b\nc,d\n', undefined, 'FILE has 2 columns, but no header that shows which one contains the table names'],
  [
    'name,number\nT1,1\n',
    undefined,
    'FILE has more than one column that could contain the table names | choose one with --column NAME: "name", "number"',
  ],
  ['id,table\n1,T1\n', 'tabel', '--column: FILE has no column "tabel" | did you mean table?'],
  ['id,table\n1,T1\n', '3', '--column: FILE has no column "3"'],
  ['id,table\n1,T1\n2\n', undefined, "FILE, line 3: its number of columns (1) differs from the first line's (2)"],
  ['id,table\n1,T1\n2,12,13\n', undefined, 'FILE, line 3: its number of columns (3)'],
  ['id,table\n1,"T1\n', undefined, 'FILE, line 2: a quoted field is never closed'],
  ['["T1"]', undefined, 'FILE is a JSON array'],
  [`${SALE_AT_T1}\nT2\n`, undefined, 'FILE, line 2: the line is not a JSON object'],
  [`${SALE_AT_T1}\n`, 'table', '--column works only with CSV'],
])('readNames refuses %j with --column %s', (text, column, says) => expect(refusal(text, column)).toContain(says))
