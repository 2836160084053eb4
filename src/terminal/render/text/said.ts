import type { Screen } from '../screen.ts'
import { wrapPasteable } from './pasteable.ts'
import { terminalSafe } from './safe-text.ts'
import { paint } from './tone.ts'
import { openRuler } from './width.ts'

const MOST_CHARACTERS = 1000
const MOST_LINES = 20
const LONGEST_ROW = 300

const BAR = '│'
const MARGIN = '  '
const NARROWEST = 16

/** Formats texts of others, each line after a bar, so that they do not pass for ours. Says if they are cut. */
export async function saidLines(texts: readonly string[], screen: Screen): Promise<string[]> {
  const whole = texts
    .map((text) => text.trimEnd())
    .join('\n')
    .replace(/\r\n?/g, '\n')
  const shown = beginningOf(whole).split('\n').slice(0, MOST_LINES)
  const rows = await rowsOf(shown, screen, `${MARGIN}${BAR} `.length)
  const barred = rows.map((row) => `${MARGIN}${paint('dim', BAR, screen)} ${row}`.trimEnd())
  const missing = whole.length - shown.join('\n').length
  return missing === 0 ? barred : [...barred, `${MARGIN}… ${missingText(missing)}`]
}

/** Formats our own text after a label, with further rows indented, so that no quoted text is in a label's place. */
export async function labelledLines(label: string, painted: string, text: string, screen: Screen): Promise<string[]> {
  const shown = beginningOf(text)
  const missing = text.length - shown.length
  const whole = missing === 0 ? text : `${shown}… (${missingText(missing)})`
  return ownLines(whole, `${painted} `, ' '.repeat(label.length + 1), screen)
}

/** Formats our own text with an indent on every row. */
export async function indentedLines(text: string, indent: string, screen: Screen): Promise<string[]> {
  return ownLines(text, indent, indent, screen)
}

/** Formats our own text with an indent on all rows but the first. */
export async function hangingLines(text: string, screen: Screen): Promise<string[]> {
  return ownLines(text, '', MARGIN, screen)
}

/** Whether a text fits on one row after `start` columns. */
export async function fitsOneRow(text: string, start: number, screen: Screen): Promise<boolean> {
  if (/[\r\n]/.test(text) || text.length > MOST_CHARACTERS) return false
  const safe = terminalSafe(text)
  return (await openRuler([safe])).width(safe) <= (screen.columns ?? LONGEST_ROW) - start
}

/** Wraps our own text after an indent, or `first` on the first row, safe for a terminal. */
async function ownLines(text: string, first: string, indent: string, { columns }: Screen): Promise<string[]> {
  const safe = terminalSafe(text)
  if (columns === null) return [first + safe]
  const rows = wrapPasteable(safe, Math.max(NARROWEST, columns - indent.length), await openRuler([safe]))
  return rows.map((row, index) => (index === 0 ? first : indent) + row)
}

/** Wraps lines after `start` columns, safe for a terminal. */
async function rowsOf(lines: readonly string[], { columns }: Screen, start: number): Promise<string[]> {
  const safe = lines.map(terminalSafe)
  if (columns === null) return safe
  const ruler = await openRuler(safe)
  return safe.flatMap((line) => ruler.wrap(line, Math.max(NARROWEST, columns - start)))
}

/** Never ends in half a character. */
function beginningOf(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
}

function missingText(missing: number): string {
  return `${missing} more ${missing === 1 ? 'character' : 'characters'}; --json has all of it`
}
