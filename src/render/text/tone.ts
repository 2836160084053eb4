import type { Screen } from '../screen.ts'

/** How a text is meant, not how it looks. */
export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'strong'

/** What a place in a table or card holds: plain text, or text with a tone. Never yet made safe for a terminal. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

/** Codes that read well on dark and on light backgrounds: the terminal's own 16 colours, no bright white, no black. */
const CODES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  dim: [2, 22],
  strong: [1, 22],
}

/** The text of a cell, without its tone. */
export function cellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text
}

/** The tone of a cell, or null when it is plain. */
export function cellTone(cell: Cell): Tone | null {
  return typeof cell === 'string' ? null : cell.tone
}

/** The text in the colours of its tone, or as it is on a screen without colour. */
export function paint(tone: Tone | null, text: string, screen: Screen): string {
  if (tone === null || text === '' || !screen.color) return text
  const [on, off] = CODES[tone]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
