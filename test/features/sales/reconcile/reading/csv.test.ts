import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../../../src/features/sales/reconcile/reading/csv.ts'
import { parseMap } from '../../../../../src/features/sales/reconcile/reading/map.ts'
import { unitsText } from '../../../../../src/features/sales/reconcile/units.ts'
import { failureOf } from '../../../../support/failure.ts'

const MAP = 'saleId=Bill,total=Total,tax=Tax,bookingId=Booking,closed=Closed,type=Type,originalSaleId=Of,currency=Cur'
const TOTALS = 'saleId=Bill,total=Total'

function read(text: string | Buffer, map = MAP) {
  return readCsv(Buffer.from(text as string), parseMap([map]), 'till.csv').sales
}

/** Reads a tab-separated file with one of these cells in each row, and returns the totals of the rows. */
function totals(...cells: readonly string[]): string[] {
  const rows = cells.map((cell, at) => `B-${at}\t${cell}`)
  return read(['Bill\tTotal', ...rows].join('\n'), TOTALS).map(({ total }) => unitsText(total ?? 0n))
}

function trouble(work: () => unknown): readonly string[] {
  const { code, lines, words } = failureOf(work)
  expect(code).toBe('USAGE')
  return lines.length > 0 ? lines : [words]
}

const refused = (text: string | Buffer, map = TOTALS) => trouble(() => read(text, map))

/** 2026-11-20 at 21:40 in Sydney. */
const CLOSED_MS = Date.UTC(2026, 10, 20, 10, 40)

describe('sales CSV rows', () => {
  test('a sales CSV file may have any separator and line ending, and may contain quoted line breaks', () => {
    const saleIds = (text: string) => read(text, TOTALS).map(({ line, saleId }) => `${line} ${saleId}`)
    expect(saleIds('Bill,Total\nA,1\n\nB,2')).toEqual(['2 A', '4 B'])
    expect(saleIds('\ufeffBill;Total\r\nA;1\r\n;;\r\nB;2,5;\r\n')).toEqual(['2 A', '4 B'])
    expect(saleIds('sep=;\r\nBill;Total\r\nA;1\r\n')).toEqual(['3 A'])
    const quoted = '"Bill";"Total"\n"A;""1""";"1,50"\n"two\r\nlines";2\nC;3\n'
    expect(saleIds(quoted)).toEqual(['2 A;"1"', '3 two\r\nlines', '5 C'])
    expect(saleIds(' Bill \tTOTAL\rA\t1\r')).toEqual(['2 A'])
  })

  test('readCsv reads all columns of sales and refunds, and returns null for missing values', () => {
    const header = 'Bill,Total,Tax,Booking,Closed,Type,Of,Cur,Waiter'
    const [sale, refund, bare] = read(
      `${header}\n007,12.50,1.14,BK-1,2026-11-20 21:40,sale,,aud,Ada\nR-1,5,0.45,,2026-11-20T10:40:00Z,Refund,007,AUD,\nX,0,,,20.11.2026,,,,\n`,
    )
    expect(sale).toMatchObject({
      ...{ line: 2, saleId: '007', bookingId: 'BK-1', type: 'SALE', originalSaleId: null, currency: 'AUD' },
      closed: { local: '2026-11-20T21:40:00' },
    })
    expect(unitsText(sale?.total ?? 0n)).toBe('12.50')
    expect(unitsText(sale?.tax ?? 0n)).toBe('1.14')
    expect(refund).toMatchObject({ type: 'REFUND', originalSaleId: '007', closed: { ms: CLOSED_MS } })
    expect(unitsText(refund?.total ?? 0n)).toBe('-5.00')
    expect(bare).toMatchObject({
      closed: { day: '2026-11-20' },
      type: 'SALE',
      bookingId: null,
      currency: null,
      tax: null,
    })
  })

  test('all unreadable rows of a sales CSV file are reported together, each with its line number', () => {
    expect(
      refused(
        'Bill,Total,Closed,Type,Cur\nA,12,50,,\n,1,,,\nB,,,,\nC,x,,,\nD,1,05/11/2026 10:00,,\nE,1,,GIFT,\nF,1,,,Dollar\nG,1,2026-02-30,,\nH,1.005,,,\nI,1,,,,,x\n',
        `${TOTALS},closed=Closed,type=Type,currency=Cur`,
      ),
    ).toEqual([
      expect.stringMatching(/line 2: Closed "50" is not an unambiguous time/),
      'till.csv: line 3: Bill is empty: a sale needs its ID',
      'till.csv: line 4: Total is empty: a sale needs its total',
      'till.csv: line 5: Total "x" is not an amount',
      expect.stringMatching(/line 6: Closed "05\/11\/2026 10:00" is not an unambiguous time/),
      'till.csv: line 7: Type must be SALE, REFUND or VOID, not "GIFT"',
      'till.csv: line 8: Cur must be a code such as AUD, not "Dollar"',
      expect.stringMatching(/line 9: Closed "2026-02-30" is not an unambiguous time/),
      expect.stringMatching(/line 10: Total "1.005" may be 1005 or 1.005/),
      expect.stringMatching(/line 11: it has 7 fields, but the first line has 5/),
    ])
    expect(refused('Bill,Total\nA,12,50\n')).toEqual([
      expect.stringMatching(/line 2: it has 3 fields, but the first line has 2/),
    ])
    expect(refused('Bill,Total\nA,"12\n')).toEqual(['till.csv: line 2: a quoted field is never closed'])
    // An unclosed quote is the only problem that is reported, even if earlier rows have other problems.
    expect(refused('Bill,Total\nA,x\nB,1,2\nC,"3\n')).toEqual(['till.csv: line 4: a quoted field is never closed'])
    expect(refused('Bill,Total\nA,"12"50\n')[0]).toContain('line 2')
    expect(refused(Buffer.from('Bill,Total\nCaf\xe9,1\n', 'latin1'))).toEqual(['till.csv: line 2 is not UTF-8'])
    expect(refused(Buffer.from('\ufeffBill,Total\n', 'utf16le'))).toEqual([
      "till.csv is UTF-16, as PowerShell's > writes it",
    ])
    expect(refused('{"origin":{}}\n')).toEqual(['till.csv is NDJSON, but --map is for CSV'])
    expect(refused('')).toEqual(['till.csv is empty'])
    const many = Array.from({ length: 30 }, () => ',1').join('\n')
    expect(refused(`Bill,Total\n${many}\n`).at(-1)).toContain('10 more lines')
  })
})

describe('sales CSV amounts', () => {
  test.each<readonly [string, readonly string[], string]>([
    ['decimal points', ['12.5', '1234.50', '0.07', '3', '1,234'], '12.50 1234.50 0.07 3.00 1234.00'],
    ['decimal commas', ['12,5', '1.234,50', '0,07', '3', '1.234'], '12.50 1234.50 0.07 3.00 1234.00'],
    [
      'thousands separators of all kinds',
      ['1,234,567.00', '1 234.50', "1'234.50", '1\u00a0234', '12,345.5'],
      '1234567.00 1234.50 1234.50 1234.00 12345.50',
    ],
    ['no decimals', ['12', '1250'], '12.00 1250.00'],
    ['signs in any position', ['-1.5', '1.5-', '(1.5)', '\u22121.5', '+1.5'], '-1.50 -1.50 -1.50 -1.50 1.50'],
    [
      'currency signs and codes',
      ['$1.5', '1.5 \u20ac', 'AUD 1.5', '-$1.5', '$-1.5', 'A$1.5'],
      '1.50 1.50 1.50 -1.50 -1.50 1.50',
    ],
    ['trailing zeros', ['1.500', '2.50'], '1.50 2.50'],
    ['more digits than a float can hold', ['90071992547409.93', '0.10'], '90071992547409.93 0.10'],
  ])('amounts in a sales CSV file may have %s', (_, cells, expected) =>
    expect(totals(...cells).join(' ')).toBe(expected),
  )

  test('an ambiguous or invalid amount in a sales CSV file is rejected, with its line number', () => {
    expect(trouble(() => totals('12', '1,234'))).toEqual([
      'till.csv: line 3: Total "1,234" may be 1234 or 1.234: write amounts with two decimal places',
    ])
    expect(trouble(() => totals('12.50', '3', '1,5'))).toEqual([
      'till.csv: line 4: Total "1,5" has a decimal comma, but "12.50" on line 2 has a decimal point',
    ])
    expect(trouble(() => totals('12.50', '1.005'))).toEqual([
      'till.csv: line 3: Total "1.005" has a fraction of a cent',
    ])
    for (const cell of '1.2.3|12,34,5|--1|(1|1)|(-1)|1e3|.5|5.|1 2|1,23.4|NaN|-|1.234.56'.split('|'))
      expect(trouble(() => totals(cell, '0.50'))[0], cell).toMatch(/line 2: Total .* is not an amount/)
  })
})

describe('sales reconcile --map', () => {
  test('--map accepts column names with spaces, commas and quotes, and may be repeated', () =>
    expect([...parseMap(['saleId = Bill no , total="Total, ""gross"""', 'tax=GST (10%)'])]).toEqual([
      ['saleId', 'Bill no'],
      ['total', 'Total, "gross"'],
      ['tax', 'GST (10%)'],
    ]))

  test.each([
    ['saleId=A', '--map must name the column for total'],
    ['saleid=A,total=B', '--map: there is no key "saleid"; did you mean saleId?'],
    ['saleId=A,total=B,total=C', '--map: total is given twice'],
    ['saleId=,total=B', '--map: saleId has no column'],
    ['saleId', '--map must be KEY=COLUMN,KEY=COLUMN, not "saleId"'],
  ])('--map %s fails: %s', (map, says) => expect(trouble(() => parseMap([map]))).toContain(says))

  test('--map rejects a column that is missing from the file or occurs twice', () => {
    expect(refused('Bill,Sum\nA,1\n')).toEqual(['till.csv has no column "Total" (--map total)'])
    expect(refused('Bill,Total,Total\nA,1,2\n')).toEqual(['till.csv has more than one column "Total" (--map total)'])
  })
})
