import type { Screen } from '../screen.ts'

/** The meaning of some text, such as a warning. Its colour is chosen when the text is drawn. */
export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'strong'

/** A cell's content in a table or card. It is escaped for the terminal when it is drawn. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

/**
 * Escape codes for colours that are readable on dark and light backgrounds: the 16 basic colours, except bright white
 * and black.
 */
const CODES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  dim: [2, 22],
  strong: [1, 22],
}

export function cellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text
}

export function cellTone(cell: Cell): Tone | null {
  return typeof cell === 'string' ? null : cell.tone
}

/** Returns `text` as a cell with the tone listed for `word`, or as plain text if `tones` does not list the word. */
export function toned(word: string, tones: Readonly<Record<string, Tone>>, text = word): Cell {
  // The word comes from the service, so it could even be `constructor`.
  const tone = Object.hasOwn(tones, word) ? tones[word] : undefined
  return tone ? { text, tone } : text
}

/** Colours text if the terminal supports colours. */
export function paint(tone: Tone | null, text: string, screen: Screen): string {
  if (tone === null || text === '' || !screen.color) return text
  const [on, off] = CODES[tone]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
