import { describe, expect, test } from 'vitest'
import { formatTableMap, TableMap } from '../../../src/features/shared/table-map.ts'
import { seededRandom } from '../../base/json/seeded.ts'
import { failureOf } from '../../support/failure.ts'
import { luckOf } from './venues.ts'

const PIECES = [...`=+-@'",;\t\n\r \uff1dT70酒\u202e🌿`]

function problemOf(text: string): string {
  const { exitCode, words } = failureOf(() => TableMap.parse(text, 'map.csv'))
  expect(exitCode).toBe(2)
  return words
}

const at = (number: unknown, more = {}) => ({ ...more, table: { seats: 2, number } }) as never

describe('table maps', () => {
  test('a table map can be written and read back, regardless of the names in it', () => {
    for (let seed = 0; seed < 300; seed++) {
      const luck = luckOf(seededRandom(seed))
      const word = () => Array.from({ length: 1 + luck.below(5) }, () => luck.pick(PIECES)).join('')
      const rows = Array.from({ length: 8 }, () => ({ pos: word(), service: `x${word()}` }))
      const kept = [...new Map(rows.filter(({ pos }) => pos.trim() !== '').map((row) => [row.pos, row])).values()]
      const text = formatTableMap(kept)
      const map = TableMap.parse(text, 'map.csv')
      for (const { pos, service } of kept)
        expect([seed, text, map.applyTo(at(pos)).sale]).toEqual([seed, text, at(service)])
    }
  })

  test('a table map escapes names that a spreadsheet would run as formulas', () => {
    const row = (pos: string | null, service: string) => ({ pos, service })
    expect(formatTableMap([row('=cmd()', '@sum'), row("'=a", '-1'), row(null, 'T1')])).toBe(
      "pos,service\n'=cmd(),'@sum\n''=a,'-1\n",
    )
  })

  test.each([
    ['a map from a spreadsheet', '\ufeffpos;service\r\n07;T7\r\n'.slice(1)],
    ['a map with other columns, in another order', 'service,remark,Pos\nT7,"by the\nwindow",07\n'],
    ['a map with tabs and quotes', 'pos\tservice\n"07"\t"T7"'],
    ['a map that repeats a row', 'pos,service\n07,T7\n\n07,T7\n'],
  ])('TableMap.parse accepts %s', (_what, text) =>
    expect(TableMap.parse(text, 'map.csv').applyTo(at('07')).sale).toEqual(at('T7')),
  )

  test.each([
    ['', 'line 1: it must begin with the columns pos,service'],
    ['07,T7\n', 'line 1: it must begin with the columns pos,service'],
    ['pos,service\n1,T1\n2\n', "line 3: its number of columns (1) differs from line 1's (2)"],
    ['pos,service\n1,T1\n12,13,T12\n', "line 3: its number of columns (3) differs from line 1's (2)"],
    ['pos,service\n1,T1\n,T2\n', 'line 3: the column pos is empty'],
    ['pos,service\n1,T1\n2,T2\n1,T3\n', 'line 4: "1" is mapped to a different table on line 2'],
    ['pos,service\n1,"T1\n2,T2\n', 'line 2: a quoted field is never closed'],
    ['pos,service\n1,"T1"x\n', 'line 2: text follows a closing quote'],
    ['pos,service\n"a\nb",T1\n2\n', 'line 4: its number of columns (1)'],
  ])('TableMap.parse refuses the table map %j and names the line', (text, says) =>
    expect(problemOf(text)).toContain(`--table-map: map.csv, ${says}`),
  )
})

describe('table maps and sales', () => {
  const map = TableMap.parse('pos,service\n07,T7\n99,\nTakeaway,Takeaway\n', 'map.csv')

  test('a table map changes only the table number of a sale', () => {
    const sale = { origin: { saleId: 'S-1' }, table: { seats: 2, number: '07', note: 'x' } }
    expect(map.applyTo(sale)).toEqual({ sale: { ...sale, table: { ...sale.table, number: 'T7' } }, problem: null })
    expect(TableMap.parse('pos,service\n7,T7\n', 'm').applyTo(at(7)).sale).toEqual(at('T7'))
  })

  test.each([
    ['that is not in the map', '7', 'map.csv has no table "7"'],
    ['without a service name in the map', '99', 'map.csv, line 3, has no service name for "99"'],
  ])('a table map reports a sale at a table %s, unless the sale has a booking', (_what, number, problem) => {
    expect(map.applyTo(at(number))).toEqual({ sale: at(number), problem })
    const linked = at(number, { bookingId: 'BK-1' })
    expect(map.applyTo(linked)).toEqual({ sale: linked, problem: null })
  })

  test.each([{}, { table: { seats: 2 } }, { table: null }, at(''), at(null), at(['07'])])(
    'a table map does not change a sale without a table number: %j',
    (sale) => expect(map.applyTo(sale as never)).toEqual({ sale, problem: null }),
  )
})
