import type { Screen } from '../screen.ts'
import { wrapPasteable } from './pasteable.ts'
import { terminalSafe } from './safe-text.ts'
import { paint } from './tone.ts'
import { openRuler } from './width.ts'

const MOST_CHARACTERS = 1000
const MOST_LINES = 20
const LONGEST_ROW = 300

/** Marks each line that somebody else wrote. */
const BAR = '│'
const MARGIN = '  '
/** Lines are not wrapped to less than this, however narrow the screen. */
const NARROWEST = 16

/** Texts that somebody else wrote, each line behind a bar, so that nobody takes one for ours. Long texts are cut, and say so. */
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

/** Our own text behind a label, whose further rows are indented, so that no quoted text is where a label is. `painted`: the label. */
export async function labelledLines(label: string, painted: string, text: string, screen: Screen): Promise<string[]> {
  const shown = beginningOf(text)
  const missing = text.length - shown.length
  const whole = missing === 0 ? text : `${shown}… (${missingText(missing)})`
  return ownLines(whole, `${painted} `, ' '.repeat(label.length + 1), screen)
}

/** Our own text, indented. On a screen the rest of a long line is, too. */
export async function indentedLines(text: string, indent: string, screen: Screen): Promise<string[]> {
  return ownLines(text, indent, indent, screen)
}

/** Our own text. On a screen, all its rows but the first are indented. */
export async function hangingLines(text: string, screen: Screen): Promise<string[]> {
  return ownLines(text, '', MARGIN, screen)
}

/** Whether a text fits on one row, behind something that takes `start` columns. */
export async function fitsOneRow(text: string, start: number, screen: Screen): Promise<boolean> {
  if (/[\r\n]/.test(text) || text.length > MOST_CHARACTERS) return false
  const safe = terminalSafe(text)
  return (await openRuler([safe])).width(safe) <= (screen.columns ?? LONGEST_ROW) - start
}

/** Wraps our own text behind an indent, in whose place the first row has `first`; the rows are safe for a terminal. */
async function ownLines(text: string, first: string, indent: string, { columns }: Screen): Promise<string[]> {
  const safe = terminalSafe(text)
  if (columns === null) return [first + safe]
  const rows = wrapPasteable(safe, Math.max(NARROWEST, columns - indent.length), await openRuler([safe]))
  return rows.map((row, index) => (index === 0 ? first : indent) + row)
}

/** Wraps lines for a screen on which `start` columns are taken; the rows are safe for a terminal. */
async function rowsOf(lines: readonly string[], { columns }: Screen, start: number): Promise<string[]> {
  const safe = lines.map(terminalSafe)
  if (columns === null) return safe
  const ruler = await openRuler(safe)
  return safe.flatMap((line) => ruler.wrap(line, Math.max(NARROWEST, columns - start)))
}

/** The part of a text that is shown; it never ends in half a character. */
function beginningOf(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
}

function missingText(missing: number): string {
  return `${missing} more ${missing === 1 ? 'character' : 'characters'}; --json has all of it`
}
