import { CsvError, parseCsv } from '../../base/csv.ts'
import { readPieces } from './read-lines.ts'

/** Yields the rows in the first `length` bytes of a CSV file that `partner` wrote. `text` includes the newline. */
export function* readCsvRows(descriptor: number, length: number) {
  let open = ''
  for (const piece of readPieces(descriptor, length)) {
    for (const line of piece.toString('utf8').split(/(?<=\n)/)) {
      open += line
      // Quotes inside a quoted field are doubled. An odd number of quotes therefore means that a field is still open.
      if (open.split('"').length % 2 === 0) continue
      yield { fields: fieldsOf(open), text: open }
      open = ''
    }
  }
}

/** Returns the fields of a row, or an empty list if the row is damaged. */
function fieldsOf(row: string): readonly string[] {
  try {
    return parseCsv(row, ',').next().value?.fields ?? []
  } catch (error) {
    if (error instanceof CsvError) return []
    throw error
  }
}
