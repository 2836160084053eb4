import type { JsonObject } from '../../base/json/exact.ts'
import type { Cell } from '../../terminal/render/text/tone.ts'
import type { ListView } from '../../terminal/render/view.ts'
import { textAt } from '../shared/views/wording.ts'

/** What became of each line of an import. */
export const importedList: ListView = {
  columns: [
    { path: 'line', header: 'LINE', align: 'right', rank: 2 },
    { path: 'saleId', header: 'SALE ID', rank: 1 },
    { path: 'outcome', header: 'OUTCOME', cell: outcome, rank: 3 },
    { path: 'status', header: 'STATUS', align: 'right', rank: 5, optional: true },
    { path: 'message', header: 'MESSAGE', flex: 20, rank: 4, optional: true },
  ],
  csvPaths: ['line', 'saleId', 'outcome', 'status', 'message'],
  empty: 'No lines.',
  one: 'line',
  many: 'lines',
}

/** What the sales of a file come to, one row for each currency and type. */
export const importTotalsList: ListView = {
  columns: [
    { path: 'currency', header: 'CURRENCY', rank: 1 },
    { path: 'type', header: 'TYPE', rank: 2 },
    { path: 'sales', header: 'SALES', align: 'right', rank: 3 },
    { path: 'total', header: 'TOTAL (UNITS)', align: 'right', rank: 4 },
  ],
  csvPaths: ['currency', 'type', 'sales', 'totalCents', 'total'],
  empty: 'No sales that can be sent.',
  one: 'total',
  many: 'totals',
}

function outcome(line: JsonObject): Cell {
  const text = textAt(line, 'outcome')
  return { text, tone: text === 'accepted' ? 'good' : 'warn' }
}
