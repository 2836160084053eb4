import type { Screen } from '../screen.ts'
import { paint, type Tone } from './tone.ts'
import type { Ruler } from './width.ts'

const LABEL_GAP = 2
/** Labels wider than this do not affect the column where the text starts. */
const MAX_LABEL_WIDTH = 24
/** The minimum width of wrapped text, even on a narrower screen. */
export const MIN_TEXT_WIDTH = 16

/** Returns the column where the text after these labels starts. */
export function textStart(labels: readonly string[], ruler: Ruler): number {
  const widths = labels.map((label) => ruler.width(label))
  return Math.max(0, ...widths.filter((width) => width <= MAX_LABEL_WIDTH)) + LABEL_GAP
}

/** Draws a label and its text. All rows except the first are indented. `rowsOf` wraps the text. */
export function labelledRows(
  label: string,
  rowsOf: (room: number) => readonly string[],
  tone: Tone | null,
  start: number,
  screen: Screen,
  ruler: Ruler,
): string[] {
  const width = ruler.width(label)
  const from = Math.max(start, width + LABEL_GAP)
  const room = screen.columns === null ? Number.POSITIVE_INFINITY : Math.max(MIN_TEXT_WIDTH, screen.columns - from)
  return rowsOf(room).map((text, index) => {
    const lead = index === 0 ? paint('dim', label, screen) + ' '.repeat(from - width) : ' '.repeat(from)
    return lead + paint(tone, text, screen)
  })
}
