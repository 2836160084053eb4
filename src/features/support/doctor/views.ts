import type { Screen } from '../../../terminal/render/screen.ts'
import { labelledLines } from '../../../terminal/render/text/message-lines.ts'
import { terminalSafe } from '../../../terminal/render/text/safe-text.ts'
import { paint, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { CardView } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { textAt } from '../../shared/views/wording.ts'
import type { DoctorRow } from '../output.ts'

const TONES: Readonly<Record<string, Tone>> = { ok: 'good', warn: 'warn', fail: 'bad', skip: 'dim' }
const STATUS_COLUMNS = 4
/** The width of the name column. Only names that contain an argument are wider. */
const NAME_COLUMNS = 14

/**
 * Yields rows as text. A row's next step follows on a separate line, which is never wrapped, so that it can be copied.
 * Adjacent rows that were skipped for the same reason share a line.
 */
export async function* doctorLines(rows: AsyncIterable<DoctorRow>, screen: Screen): AsyncGenerator<string> {
  const skipped: DoctorRow[] = []
  for await (const row of rows) {
    if (skipped.length > 0 && (row.status !== 'skip' || row.message !== skipped[0]?.message))
      yield skippedText(skipped.splice(0), screen)
    if (row.status === 'skip') skipped.push(row)
    else yield rowText(row, screen)
  }
  if (skipped.length > 0) yield skippedText(skipped, screen)
}

async function rowText({ name, status, message, next }: DoctorRow, screen: Screen): Promise<string> {
  const label = `${status.padEnd(STATUS_COLUMNS)}  ${terminalSafe(name).padEnd(NAME_COLUMNS)}`
  const lines = await labelledLines(label, painted(label, status, screen), message, screen)
  const step =
    next === null ? [] : [`${' '.repeat(STATUS_COLUMNS + 2)}${paint('strong', 'next:', screen)} ${terminalSafe(next)}`]
  return [...lines, ...step].map((line) => `${line}\n`).join('')
}

async function skippedText(rows: readonly DoctorRow[], screen: Screen): Promise<string> {
  const [first] = rows
  if (rows.length === 1 && first) return rowText(first, screen)
  const label = 'skip '.padEnd(STATUS_COLUMNS + 1)
  const text = `${rows.map(({ name }) => name).join(', ')}: ${first?.message}`
  const lines = await labelledLines(label, painted(label, 'skip', screen), text, screen)
  return lines.map((line) => `${line}\n`).join('')
}

/** Returns a label with its status in colour. */
function painted(label: string, status: string, screen: Screen): string {
  return `${paint(TONES[status] ?? null, status, screen)}${label.slice(status.length)}`
}

/** The list view of the checks: `{name, status, message, next}`. */
export const doctorList = listOf('row', 'rows', 'Nothing was checked.', {
  columns: [
    { path: 'name', header: 'NAME', rank: 1 },
    { path: 'status', header: 'STATUS', cell: (row) => toned(textAt(row, 'status'), TONES), rank: 2 },
    { path: 'message', header: 'MESSAGE', flex: 24, rank: 3 },
    { path: 'next', header: 'NEXT', flex: 24, wraps: true, rank: 4 },
  ],
})

/** The list view of several venues, with one row for each venue: `{status, name, message, next, checks}`. */
export const doctorVenues = listOf('venue', 'venues', 'No venue.', {
  columns: [
    { path: 'status', header: 'STATUS', cell: (row) => toned(textAt(row, 'status'), TONES), rank: 1 },
    { path: 'name', header: 'START WITH', rank: 2 },
    { path: 'message', header: 'MESSAGE', flex: 24, rank: 3 },
    // A narrow table hides this column instead of truncating it, because a truncated command cannot be copied.
    { path: 'next', header: 'NEXT', rank: 4 },
    { path: 'checks', header: 'CHECKS', rank: 5 },
  ],
  footnote: () => 'to show all checks: -v',
})

/** The card view of all checks as one object: `{rows: […]}`. */
export const doctorCard: CardView = {
  title: () => ['Checks'],
  sections: [{ heading: 'Rows', path: 'rows', columns: doctorList.columns }],
}
