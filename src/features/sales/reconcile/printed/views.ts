import type { JsonObject } from '../../../../base/json/exact.ts'
import type { Screen } from '../../../../terminal/render/screen.ts'
import { indentedLines } from '../../../../terminal/render/text/message-lines.ts'
import { terminalSafe } from '../../../../terminal/render/text/safe-text.ts'
import { type Cell, paint, type Tone } from '../../../../terminal/render/text/tone.ts'
import { openRuler } from '../../../../terminal/render/text/width.ts'
import type { CardView, Column } from '../../../../terminal/render/view.ts'
import { listOf } from '../../../shared/views/list.ts'
import { textAt } from '../../../shared/views/wording.ts'
import type { PrintedDifference } from '../../output.ts'

const COLUMNS: readonly Column[] = [
  { path: 'kind', header: 'KIND', cell: kindCell, rank: 2 },
  { path: 'saleId', header: 'SALE ID', rank: 1 },
  { path: 'pos', header: 'POS', align: 'right', rank: 4 },
  { path: 'service', header: 'SERVICE', align: 'right', rank: 5 },
  { path: 'difference', header: 'DIFFERENCE', align: 'right', rank: 3 },
  { path: 'detail', header: 'WHAT', flex: 24, rank: 6 },
  { path: 'next', header: 'NEXT', flex: 24, rank: 7 },
]

export const reconciledList = listOf('difference', 'differences', 'The books agree.', { columns: COLUMNS })

/** The card view of a whole comparison: `{differences, totals}`. */
export const reconciledCard: CardView = {
  title: () => ['Comparison of closings and sales'],
  sections: [{ heading: 'Differences', path: 'differences', columns: COLUMNS }],
}

/**
 * The list view of the statement. It has one row per kind with the amounts of both sides, and a last row with the
 * totals.
 */
export const statementList = listOf('row', 'rows', 'No sales.', {
  columns: [
    { path: 'kind', header: 'KIND', cell: kindCell, rank: 1 },
    { path: 'sales', header: 'SALES', align: 'right', rank: 5 },
    { path: 'pos', header: 'POS', align: 'right', rank: 3 },
    { path: 'service', header: 'SERVICE', align: 'right', rank: 4 },
    { path: 'difference', header: 'DIFFERENCE', align: 'right', rank: 2 },
  ],
})

const GAP = '  '
const INDENT = '  '

/**
 * Formats differences as text. Each difference has one row, followed by its detail and next step, wrapped to the width
 * of the terminal.
 */
export async function differenceLines(
  differences: readonly PrintedDifference[],
  screen: Screen,
  isHeaderless: boolean,
): Promise<string> {
  const shown = COLUMNS.slice(0, 5)
  const rows = differences.map((one) => shown.map(({ path }) => terminalSafe(textAt(one, path))))
  const headers = shown.map(({ header }) => header)
  const ruler = await openRuler(rows.flat())
  const widths = shown.map((_, at) => Math.max(...[headers, ...rows].map((row) => ruler.width(row[at] ?? ''))))
  const lineOf = (cells: readonly string[], tone: Tone | null) =>
    shown
      .map(({ align }, at) => {
        const text = cells[at] ?? ''
        const pad = ' '.repeat(Math.max(0, (widths[at] ?? 0) - ruler.width(text)))
        const painted = tone !== null || at === 0 ? paint(tone ?? 'warn', text, screen) : text
        return align === 'right' ? pad + painted : painted + pad
      })
      .join(GAP)
      .trimEnd()
  const lines = isHeaderless ? [] : [lineOf(headers, 'dim')]
  for (const [at, one] of differences.entries()) {
    lines.push(lineOf(rows[at] ?? [], null))
    lines.push(...(await indentedLines(one.detail, INDENT, screen)))
    lines.push(...(await indentedLines(`next: ${one.next}`, INDENT, screen)))
  }
  return lines.map((line) => `${line}\n`).join('')
}

function kindCell(row: JsonObject): Cell {
  const text = textAt(row, 'kind')
  if (text === 'all') return text
  return { text, tone: text === 'equal' ? 'good' : 'warn' }
}
