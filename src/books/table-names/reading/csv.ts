/** A row of a CSV file. */
export interface CsvRow {
  /** Where it begins, from 1. */
  readonly line: number
  readonly fields: readonly string[]
}

/** What keeps a text from being CSV, and where. */
export class CsvDamage extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** What stands between fields: a comma, in many locales a semicolon, from a spreadsheet a tab. */
export const SEPARATORS = [',', ';', '\t'] as const

export type Separator = (typeof SEPARATORS)[number]

/** The separator that comes most often in a line, outside quotes; a comma where there is none. */
export function separatorOf(line: string): Separator {
  const bare = line.replace(/"(?:[^"]|"")*"/g, '')
  const count = (separator: string) => bare.split(separator).length
  return [...SEPARATORS].sort((a, b) => count(b) - count(a))[0] ?? ','
}

/** Reads CSV by RFC 4180, with either line end. Lines with nothing on them are no rows. Fails: CsvDamage. */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow> {
  const token = new RegExp(String.raw`"([^"]*(?:""[^"]*)*)" *|([^"${separator}\r\n][^${separator}\r\n]*)|`, 'y')
  let at = 0
  let line = 1
  while (at < text.length) {
    const fields: string[] = []
    const start = line
    const begin = at
    for (;;) {
      token.lastIndex = at
      const [whole, quoted, plain = ''] = token.exec(text) ?? ['']
      if (whole === '' && text[at] === '"') throw new CsvDamage(line, 'a quote is opened and never closed')
      fields.push(quoted?.replaceAll('""', '"') ?? plain)
      line += whole.split('\n').length - 1
      at += whole.length
      if (text[at] !== separator) break
      at++
    }
    const end = /^(?:\r\n|\n|\r|$)/.exec(text.slice(at, at + 2))
    if (end === null) throw new CsvDamage(line, 'text follows a closing quote')
    const isBlank = text.slice(begin, at).trim() === ''
    at += end[0].length
    line++
    if (!isBlank) yield { line: start, fields }
  }
}
