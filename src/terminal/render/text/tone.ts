import type { Screen } from '../screen.ts'

/** What a text means, not how it looks. */
export type Tone = 'good' | 'warn' | 'bad' | 'dim' | 'strong'

/** One value of a table or card: plain text, or text with a tone. It is made safe for a terminal when it is drawn. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

/** Colours that read well on dark and light backgrounds: the terminal's own 16, without bright white and black. */
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

/** A word in the tone that it has among these; plain where it has none. */
export function toned(word: string, tones: Readonly<Record<string, Tone>>): Cell {
  // A word of the service may be any, `constructor` too.
  const tone = Object.hasOwn(tones, word) ? tones[word] : undefined
  return tone ? { text: word, tone } : word
}

/** Puts a text into the colours of its tone; on a screen without colour it stays as it is. */
export function paint(tone: Tone | null, text: string, screen: Screen): string {
  if (tone === null || text === '' || !screen.color) return text
  const [on, off] = CODES[tone]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
