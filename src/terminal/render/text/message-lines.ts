import type { Screen } from '../screen.ts'
import { wrapPasteable } from './pasteable.ts'
import { terminalSafe } from './safe-text.ts'
import { paint } from './tone.ts'
import { openRuler } from './width.ts'

const MAX_CHARACTERS = 1000
const MAX_LINES = 20
/** The maximum number of characters that are printed on one row if stderr is not a terminal. */
const MAX_ROW_IN_PIPE = 300

const BAR = '│'
const MARGIN = '  '
const MIN_WIDTH = 16

/**
 * Formats text that is not partner's own, with a bar before each line. Truncates long text and says how much is
 * missing.
 */
export async function quotedLines(texts: readonly string[], screen: Screen): Promise<string[]> {
  const whole = texts
    .map((text) => text.trimEnd())
    .join('\n')
    .replace(/\r\n?/g, '\n')
  const shown = beginningOf(whole).split('\n').slice(0, MAX_LINES)
  const rows = await rowsOf(shown, screen, `${MARGIN}${BAR} `.length)
  const barred = rows.map((row) => `${MARGIN}${paint('dim', BAR, screen)} ${row}`.trimEnd())
  const missing = whole.length - shown.join('\n').length
  return missing === 0 ? barred : [...barred, `${MARGIN}… ${missingText(missing)}`]
}

/**
 * Formats partner's own text after a label. Rows after the first are indented, so that quoted text cannot look like a
 * label.
 */
export async function labelledLines(label: string, painted: string, text: string, screen: Screen): Promise<string[]> {
  const shown = beginningOf(text)
  const missing = text.length - shown.length
  const whole = missing === 0 ? text : `${shown}… (${missingText(missing)})`
  return ownLines(whole, `${painted} `, ' '.repeat(label.length + 1), screen)
}

/** Formats partner's own text with an indent before every row. */
export async function indentedLines(text: string, indent: string, screen: Screen): Promise<string[]> {
  return ownLines(text, indent, indent, screen)
}

/** Formats partner's own text with an indent before every row except the first. */
export async function hangingLines(text: string, screen: Screen): Promise<string[]> {
  return ownLines(text, '', MARGIN, screen)
}

/** Returns whether text fits on one row if `start` columns are already used. */
export async function fitsOneRow(text: string, start: number, screen: Screen): Promise<boolean> {
  if (/[\r\n]/.test(text) || text.length > MAX_CHARACTERS) return false
  const safe = terminalSafe(text)
  return (await openRuler([safe])).width(safe) <= (screen.columns ?? MAX_ROW_IN_PIPE) - start
}

/** Escapes and wraps partner's own text. Prefixes the first row with `first`, and the others with `indent`. */
async function ownLines(text: string, first: string, indent: string, { columns }: Screen): Promise<string[]> {
  const safe = terminalSafe(text)
  if (columns === null) return [first + safe]
  const rows = wrapPasteable(safe, Math.max(MIN_WIDTH, columns - indent.length), await openRuler([safe]))
  return rows.map((row, index) => (index === 0 ? first : indent) + row)
}

/** Escapes lines and wraps them. The first `start` columns of each row are already used. */
async function rowsOf(lines: readonly string[], { columns }: Screen, start: number): Promise<string[]> {
  const safe = lines.map(terminalSafe)
  if (columns === null) return safe
  const ruler = await openRuler(safe)
  return safe.flatMap((line) => ruler.wrap(line, Math.max(MIN_WIDTH, columns - start)))
}

/** Truncates long text, but never between the two halves of a surrogate pair. */
function beginningOf(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
}

function missingText(missing: number): string {
  return `${missing} more ${missing === 1 ? 'character' : 'characters'}; --json shows the full text`
}
