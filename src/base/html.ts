/** Text that is already valid HTML and must not be escaped again. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in an HTML template. Strings are escaped; `null` produces no output. */
export type HtmlValue = string | number | null | Html | readonly HtmlValue[]

/** Builds HTML and escapes every interpolated value. The result is safe as text and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...pieces: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(pieces[at - 1] ?? null) + part))
}

/** Isolates text, so that its reading direction does not affect the text around it. */
export function bdi(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`
}

function textOf(piece: HtmlValue): string {
  if (piece === null) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'number') return String(piece)
  return typeof piece === 'string' ? escaped(piece) : piece.map(textOf).join('')
}

const ENTITY: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML. Replaces control characters, which HTML does not allow, with U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (sign) => ENTITY[sign] ?? sign)
}
