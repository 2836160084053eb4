import type { Screen } from '../../render/screen.ts'
import { terminalSafe } from '../../render/text/safe-text.ts'
import { labelledLines } from '../../render/text/said.ts'
import { paint, type Tone, toned } from '../../render/text/tone.ts'
import type { CardView, ListView } from '../../render/view.ts'
import { textAt } from '../wording.ts'

/** One thing that was looked at. */
interface ShownRow {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly next: string | null
}

const TONES: Readonly<Record<string, Tone>> = { ok: 'good', warn: 'warn', fail: 'bad', skip: 'dim' }
const STATUS_COLUMNS = 4
/** The longest of the usual names. */
const NAME_COLUMNS = 14

/**
 * A row as a person sees it, and what to do next below it: on a line of its own that is never broken, so that the terminal gives it
 * back whole.
 */
export async function doctorLines({ name, status, message, next }: ShownRow, screen: Screen): Promise<string> {
  const shownName = terminalSafe(name).padEnd(NAME_COLUMNS)
  const label = `${status.padEnd(STATUS_COLUMNS)}  ${shownName}`
  const painted = `${paint(TONES[status] ?? null, status, screen)}${label.slice(status.length)}`
  const lines = await labelledLines(label, painted, message, screen)
  const step =
    next === null ? [] : [`${' '.repeat(STATUS_COLUMNS + 2)}${paint('strong', 'next:', screen)} ${terminalSafe(next)}`]
  return [...lines, ...step].map((line) => `${line}\n`).join('')
}

/** What was looked at: `{name, status, message, next}`. */
export const doctorList: ListView = {
  columns: [
    { path: 'name', header: 'NAME', rank: 1 },
    { path: 'status', header: 'STATUS', cell: (row) => toned(textAt(row, 'status'), TONES), rank: 2 },
    { path: 'message', header: 'MESSAGE', flex: 24, rank: 3 },
    { path: 'next', header: 'NEXT', flex: 24, rank: 4 },
  ],
  csvPaths: ['name', 'status', 'message', 'next'],
  empty: 'Nothing was looked at.',
  one: 'row',
  many: 'rows',
}

/** All rows at once: `{rows: […]}`. */
export const doctorCard: CardView = {
  title: () => ['What was looked at'],
  sections: [{ heading: 'Rows', path: 'rows', columns: doctorList.columns }],
}
