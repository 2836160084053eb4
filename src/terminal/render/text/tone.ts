import type { Screen } from '../screen.ts'

/** The meaning of a text, not its look. */
export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'strong'

/** A value of a table or card. It is made safe for a terminal when it is drawn. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

/** Colours that are readable on dark and light backgrounds: the terminal's own 16, without bright white and black. */
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

/** A word with its tone from a table, plain if it has none. */
export function toned(word: string, tones: Readonly<Record<string, Tone>>, text = word): Cell {
  // The service may use any word, even `constructor`.
  const tone = Object.hasOwn(tones, word) ? tones[word] : undefined
  return tone ? { text, tone } : text
}

/** Colours a text, if the screen has colour. */
export function paint(tone: Tone | null, text: string, screen: Screen): string {
  if (tone === null || text === '' || !screen.color) return text
  const [on, off] = CODES[tone]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
