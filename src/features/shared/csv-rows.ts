/** A row of CSV, and the line on which it begins. */
export interface CsvRow {
  readonly line: number
  readonly fields: readonly string[]
}

/** What stands between fields: a comma, in many locales a semicolon, from a spreadsheet a tab. */
export const SEPARATORS = [',', ';', '\t'] as const

/** A text that is no CSV, and where. */
export class CsvTrouble extends Error {
  readonly line: number

  constructor(line: number, why: string) {
    super(why)
    this.line = line
  }
}

/**
 * The rows of a text of CSV as any program writes it: LF, CRLF or CR, fields in quotes that may hold line breaks, and quotes doubled inside of
 * them. Rows with nothing in them are left out. Fails: {@link CsvTrouble}.
 */
export function* csvRows(text: string, separator: string): Generator<CsvRow> {
  let at = 0
  let line = 1
  let begun = 1
  let fields: string[] = []
  while (at <= text.length) {
    const field = text[at] === '"' ? quoted(text, at, line) : bare(text, at, separator)
    fields.push(field.value)
    line += field.breaks
    at = field.end
    if (text[at] === separator) {
      at++
      continue
    }
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r')
      throw new CsvTrouble(line, 'text follows a closing quote')
    if (fields.some((one) => one.trim() !== '')) yield { line: begun, fields }
    fields = []
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    line++
    begun = line
    if (at === text.length) return
  }
}

interface Field {
  readonly value: string
  /** Where the field ends. */
  readonly end: number
  /** How many line breaks it has. */
  readonly breaks: number
}

function bare(text: string, start: number, separator: string): Field {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { value: text.slice(start, end), end, breaks: 0 }
}

function quoted(text: string, start: number, line: number): Field {
  let value = ''
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new CsvTrouble(line, 'a quote is opened and never closed')
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1, breaks: value.match(/\r\n|\n|\r/g)?.length ?? 0 }
    value += '"'
    at = quote + 2
  }
}
