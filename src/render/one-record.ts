import { isJsonObject } from '../json/exact.ts'
import { jsonLine, jsonText } from './formats/json-text.ts'
import type { WireRecord } from './record.ts'
import { jsonTerminalSafe } from './text/safe-text.ts'
import type { CardView, ListOptions } from './view.ts'

export interface OneOptions extends Omit<ListOptions, 'view'> {
  readonly view: CardView
  /** How the record would stand in a list: its columns are those of CSV, and of a table when the user names some. */
  readonly listView: ListOptions['view']
}

/**
 * One record as text: a card for `table`, its own bytes for JSON in a pipe, a header and a row for CSV. Ends in a line end.
 * A table of named columns is drawn as a table of one row.
 */
export async function renderOne(record: WireRecord, options: OneOptions): Promise<string> {
  const { format, columns, screen, context, view, listView } = options
  if (format === 'json') return `${jsonText(record, columns, screen)}\n`
  if (format === 'ndjson') return `${jsonLine(record, columns, screen)}\n`
  if (format === 'table' && !columns) {
    const { value } = record
    if (!isJsonObject(value)) return `${jsonTerminalSafe(record.text.trim())}\n`
    const { cardText } = await import('./card/card.ts')
    return cardText(value, view, screen, context)
  }
  const { openListWriter } = await import('./list-writer.ts')
  const writer = await openListWriter({ format, view: listView, columns, screen, context })
  return writer.write(record) + writer.end()
}
