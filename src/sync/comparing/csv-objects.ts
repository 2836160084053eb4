import type { JsonObject } from '../../base/json/exact.ts'

const FIELD = /"((?:[^"]|"")*)"(,|\r?\n|$)|([^,\r\n]*)(,|\r?\n|$)/y

/** The rows of CSV as objects: a text under the name of each column. A guard against formulas is taken off. */
export function csvObjects(text: string): JsonObject[] {
  const rows = [...rowsIn(text)]
  const [names = [], ...others] = rows
  return others.map((fields) => Object.fromEntries(names.map((name, at) => [name, unguarded(fields[at] ?? '')])))
}

function* rowsIn(text: string): Generator<readonly string[]> {
  let fields: string[] = []
  FIELD.lastIndex = 0
  while (FIELD.lastIndex <= text.length) {
    const match = FIELD.exec(text)
    if (match === null) return
    const [, quoted, quotedEnd, bare, bareEnd] = match
    fields.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if ((quotedEnd ?? bareEnd) === ',') continue
    yield fields
    fields = []
    if (FIELD.lastIndex >= text.length) return
  }
}

/** A field that a spreadsheet would take for a formula has an apostrophe before it. */
function unguarded(field: string): string {
  return /^'[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(field) ? field.slice(1) : field
}
