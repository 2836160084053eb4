/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a page: text of anybody, which is escaped; HTML; several of them; nothing for null. */
export type Piece = string | number | null | Html | readonly Piece[]

/** HTML of which all that is put in is escaped, in text and in quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(pieces[at - 1] ?? null) + part))
}

/** A text of somebody else, set apart from ours whichever way it is read. */
export function bdi(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`
}

function textOf(piece: Piece): string {
  if (piece === null) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'number') return String(piece)
  return typeof piece === 'string' ? escaped(piece) : piece.map(textOf).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** No page may hold control characters; they show as a replacement. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
