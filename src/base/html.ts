/** Text that is already HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in an HTML template. Strings are escaped; null is nothing. */
export type Piece = string | number | null | Html | readonly Piece[]

/** Builds HTML and escapes every interpolated value, for text and quoted attributes. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(pieces[at - 1] ?? null) + part))
}

/** Isolates text in either reading direction from the text around it. */
export function bdi(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`
}

function textOf(piece: Piece): string {
  if (piece === null) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'number') return String(piece)
  return typeof piece === 'string' ? escaped(piece) : piece.map(textOf).join('')
}

const ENTITY: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes for HTML. Control characters, which a page must not contain, become replacement characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (sign) => ENTITY[sign] ?? sign)
}
