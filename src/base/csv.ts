/** A row of CSV, with the number of the line on which it begins. */
export type CsvRow = { readonly line: number; readonly fields: readonly string[] }

/**
 * The supported field separators. In many locales, spreadsheets export with semicolons; copied cells are separated by
 * tabs.
 */
export const SEPARATORS = [',', ';', '\t'] as const

/** Thrown for invalid CSV. `line` is the number of the line on which the problem was found. */
export class CsvError extends Error {
  readonly line: number

  constructor(line: number, why: string) {
    super(why)
    this.line = line
  }
}

/** Yields the non-empty rows of CSV text. Accepts any line endings. Throws {@link CsvError} if quotes are invalid. */
export function* parseCsv(text: string, separator: string): Generator<CsvRow> {
  let line = 1
  for (let at = 0; at < text.length; line++) {
    const begun = line
    const fields: string[] = []
    for (; ; at++) {
      const start = at
      if (text[at] === '"') {
        at = quotedEnd(text, at)
        if (at === 0) throw new CsvError(line, 'a quoted field is never closed')
        const value = text.slice(start + 1, at - 1).replaceAll('""', '"')
        line += value.match(/\r\n|\n|\r/g)?.length ?? 0
        fields.push(value)
      } else {
        while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
        fields.push(text.slice(start, at))
      }
      if (text[at] !== separator) break
    }
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r')
      throw new CsvError(line, 'text follows a closing quote')
    if (fields.some((field) => field.trim() !== '')) yield { line: begun, fields }
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
}

/** Returns the index after the closing quote of the field that begins at `from`, or 0 if the quote is missing. */
function quotedEnd(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1)
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  return quote + 1
}

/** Returns the separator that occurs most often outside quotes in a line, or a comma if the line contains none. */
export function detectSeparator(line: string): string {
  const bare = line.replace(/"(?:[^"]|"")*"/g, '')
  const count = (separator: string) => bare.split(separator).length
  return [...SEPARATORS].sort((a, b) => count(b) - count(a))[0] ?? ','
}

/** Removes the leading apostrophe that stops spreadsheets from interpreting a field as a formula. */
export function stripFormulaGuard(field: string): string {
  return /^'[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(field) ? field.slice(1) : field
}
