import { describe, expect, test } from 'vitest'
import { formatTableMap, TableMap } from '../../../src/features/shared/table-map.ts'
import { checkNames } from '../../../src/features/tables/check.ts'
import { type Match, TableNames } from '../../../src/features/tables/match.ts'
import type { Difference, ServiceTable } from '../../../src/features/tables/output.ts'
import { DIFFERENCES } from '../../../src/features/tables/spelling.ts'
import { seededRandom } from '../../base/json/seeded.ts'
import { luckOf, MUTATIONS, randomTables } from './venues.ts'

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed)

function named(...names: readonly string[]): ServiceTable[] {
  return names.map((name, at) => ({ name, tableId: `id-${at}`, section: 'Main' }))
}

function said({ kind, table, differences, candidates, parts }: Match): string {
  const list = (tables: readonly ServiceTable[]) => tables.map(({ name }) => name).join(' ')
  return [kind, table?.name, differences.join('+'), list(candidates), list(parts)].filter(Boolean).join(': ')
}

/** Expects a match to have either a table or candidates, but not both. */
function expectOneAnswer({ kind, table, candidates }: Match): void {
  const isFound = ['same', 'spelling', 'joined', 'id'].includes(kind)
  expect(table !== null).toBe(isFound)
  if (isFound) expect(candidates).toEqual([])
  if (kind === 'ambiguous') expect(candidates.length).toBeGreaterThan(1)
}

describe('TableNames.match', () => {
  test.each<readonly [name: string, tables: readonly string[], says: string]>([
    ['7', ['7', '07'], 'same: 7'],
    ['007', ['7', '70'], 'spelling: 7: zeros'],
    ['7', ['T07'], 'spelling: T07: zeros+prefix'],
    ['T12', ['12'], 'spelling: 12: prefix'],
    ['Table 12', ['12'], 'spelling: 12: prefix'],
    ['Tbl-12', ['12', '2'], 'spelling: 12: prefix'],
    ['Table No. 12', ['12'], 'spelling: 12: prefix'],
    ['Table T12', ['T12'], 'spelling: T12: prefix'],
    ['#12', ['12'], 'spelling: 12: punctuation'],
    ['t12', ['T12', '12'], 'spelling: T12: case'],
    ['t 12', ['T12', 't12'], 'spelling: t12: spaces'],
    ['bar 3', ['Bar 3'], 'spelling: Bar 3: case'],
    ['1.05', ['1.5'], 'missing'],
    ['1 2', ['12'], 'missing'],
    ['12-13', ['1213'], 'missing'],
    ['', ['1'], 'missing'],
    ['---', ['1'], 'missing'],
    ['1'.repeat(100), ['1'], 'missing'],
    ['Tablet', ['t'], 'missing'],
    ['TableT12', ['T12'], 'spelling: T12: prefix'],
  ])('TableNames matches %j against %j: %s', (name, tables, says) => {
    expect(said(new TableNames(named(...tables)).match(name))).toBe(says)
  })

  test.each<readonly [name: string, table: string]>([
    ['１２', '12'],
    ['Ｔ１２', 'T12'],
    ['١٢', '12'],
    ['Cafe\u0301 2', 'Café 2'],
    ['\ufeffT1', 'T1'],
    ['شرفة\u200f 3', 'شرفة 3'],
    ['🌿\ufe0f 2', '🌿 2'],
    ['No\u00a012', 'No 12'],
  ])('TableNames recognizes %j as %s written in other characters', (name, table) => {
    expect(said(new TableNames(named(table, 'other')).match(name))).toBe(`spelling: ${table}: unicode`)
  })

  test.each<readonly [name: string, tables: readonly string[], says: string]>([
    ['4', ['T4', 'B4'], 'ambiguous: T4 B4'],
    ['Table 4', ['T4', 'B4', 'T5'], 'ambiguous: T4 B4'],
    ['T1', ['t1', 'T 1'], 'ambiguous: t1 T 1'],
    ['07', ['7', 'T07'], 'ambiguous: 7 T07'],
    ['7', ['7 ', ' 7'], 'ambiguous: 7   7'],
    ['4+5', ['T4', 'B4', 'T5'], 'ambiguous: T4 B4'],
    ['B1+2', ['B1', 'B2', '2'], 'ambiguous: 2 B2'],
    ['1', ['1', '1'], 'ambiguous: 1 1'],
  ])('TableNames chooses no table for %j, which could mean several of %j', (name, tables, says) => {
    const match = new TableNames(named(...tables)).match(name)
    expect(said(match)).toBe(says)
    expectOneAnswer(match)
  })

  test('TableNames does not match a bare number such as 4 with a table such as B4', () => {
    expect(said(new TableNames(named('B4')).match('4'))).toBe('missing: B4')
    expect(said(new TableNames(named('4', 'B4')).match('Table 4'))).toBe('spelling: 4: prefix')
  })

  test.each([' ', '-', '+', '0', 'a', '🌿'])(
    'TableNames quickly handles a name that repeats %j a million times',
    (piece) => {
      const long = piece.repeat(1_000_000)
      expect(said(new TableNames(named('1', `${long}1`)).match(`1${long}`))).toBe('missing')
    },
  )

  test('TableNames finds a table by its ID', () =>
    expect(said(new TableNames(named('A', 'B')).match('id-1'))).toBe('id: B'))

  test.each<readonly [name: string, tables: readonly string[], says: string]>([
    ['12+13', ['12', '13'], 'joined: 12: 12 13'],
    ['12/13', ['T12', 'T13'], 'joined: T12: T12 T13'],
    ['12-13', ['12', '13'], 'joined: 12: 12 13'],
    ['12 , 13', ['12', '13'], 'joined: 12: 12 13'],
    ['t12+13', ['T12', 'T13', '1'], 'joined: T12: T12 T13'],
    ['B1+2+3', ['B1', 'B2', 'B3'], 'joined: B1: B1 B2 B3'],
    ['B4+13', ['B4', '13'], 'joined: B4: B4 13'],
    ['12/13', ['12+13', '12', '13'], 'joined: 12+13'],
    ['13-12', ['12 & 13'], 'joined: 12 & 13'],
    ['12+13', ['T12/13'], 'joined: T12/13'],
    ['12+99', ['12', '13'], 'missing: 12'],
    ['12+12', ['12'], 'missing'],
    ['12+', ['12'], 'missing'],
    ['T-12', ['12'], 'spelling: 12: prefix'],
    ['Bar-Lounge', ['Bar', 'Lounge'], 'missing'],
  ])('TableNames looks up the joined tables %j among %j: %s', (name, tables, says) => {
    expect(said(new TableNames(named(...tables)).match(name))).toBe(says)
  })
})

describe('TableNames in random venues', () => {
  test.each(DIFFERENCES)('TableNames finds a name that differs in %s, and reports that difference', (difference) => {
    let tried = 0
    for (const seed of SEEDS) {
      const luck = luckOf(seededRandom(seed))
      const tables = randomTables(luck, 20)
      const table = luck.pick(tables)
      const name = MUTATIONS[difference](table.name, luck)
      if (name === table.name || tables.some((other) => other.name === name)) continue
      tried++
      const match = new TableNames(tables).match(name)
      expectOneAnswer(match)
      expect([seed, name, said(match)]).toEqual([seed, name, `spelling: ${table.name}: ${difference}`])
    }
    expect(tried).toBeGreaterThan(100)
  })

  test("a table map corrects a name even if it differs from the service's name in several ways", () => {
    for (const seed of SEEDS) {
      const luck = luckOf(seededRandom(1000 + seed))
      const tables = randomTables(luck, 12)
      const meant = new Map<string, readonly [table: ServiceTable, done: readonly Difference[]]>()
      for (const table of tables) {
        const done = DIFFERENCES.filter(() => luck.below(3) === 0)
        const order = [...done.filter((one) => one !== 'unicode'), ...done.filter((one) => one === 'unicode')]
        meant.set(
          order.reduce((name, one) => MUTATIONS[one](name, luck), table.name),
          [table, done],
        )
      }
      const names = new Map([...meant.keys()].map((name, at) => [name, [at + 1]]))
      const rows = checkNames({ names, isSales: false }, tables)
      const map = TableMap.parse(formatTableMap(rows), 'map.csv')
      for (const [name, [table, done]] of meant) {
        const row = rows.find(({ pos }) => pos === name)
        expect([seed, name, row?.service]).toEqual([seed, name, table.name])
        expect(done, `${seed} ${name}`).toEqual(expect.arrayContaining([...(row?.differences ?? [])]))
        expect(map.applyTo({ table: { seats: 2, number: name } })).toEqual({
          sale: { table: { seats: 2, number: table.name } },
          problem: null,
        })
      }
      expect(rows.every(({ kind, doubled }) => ['same', 'spelling'].includes(kind) && !doubled)).toBe(true)
    }
  })

  test('TableNames finds joined tables and recognizes missing and ambiguous names', () => {
    for (const seed of SEEDS) {
      const luck = luckOf(seededRandom(2000 + seed))
      const tables = randomTables(luck, 10)
      const [one, other] = [tables[luck.below(5)], tables[5 + luck.below(5)]] as [ServiceTable, ServiceTable]
      const service = new TableNames(tables)
      const joined = service.match(`${one.name}${luck.pick(['+', '/', ' - ', ', '])}${other.name}`)
      expectOneAnswer(joined)
      expect([joined.kind, joined.table, joined.parts]).toEqual(['joined', one, [one, other]])
      expect(service.match(`${luck.pick(['T', '', 'Zelt '])}9${one.name.replace(/\D/g, '')}`).kind).toBe('missing')
      const twin = { name: `Z${/\d+/.exec(one.name)?.[0]}`, tableId: 'twin', section: null }
      const number = new TableNames([{ ...one, name: `B${/\d+/.exec(one.name)?.[0]}` }, twin]).match(
        /\d+/.exec(one.name)?.[0] ?? '',
      )
      expect(number.kind).toBe('ambiguous')
      expectOneAnswer(number)
    }
  })
})
