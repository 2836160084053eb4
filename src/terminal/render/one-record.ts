import { isJsonObject } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { jsonLine, jsonText } from './formats/json-text.ts'
import { jsonTerminalSafe } from './text/safe-text.ts'
import type { CardView, ListOptions } from './view.ts'

/** How to print one record. */
export interface OneOptions extends Omit<ListOptions, 'view'> {
  readonly view: CardView
  /** The record's view in a list: for CSV, and for a table with named columns. */
  readonly listView: ListOptions['view']
}

/** Renders a record: a card, JSON, or a header and a row. Named columns make a table with one row. */
export async function renderOne(record: WireRecord, options: OneOptions): Promise<string> {
  const { format, columns, screen, view, listView, ...rest } = options
  if (format === 'json') return `${jsonText(record, columns, screen)}\n`
  if (format === 'ndjson') return `${jsonLine(record, columns, screen)}\n`
  if (format === 'table' && !columns) {
    const { value } = record
    if (!isJsonObject(value)) return `${jsonTerminalSafe(record.text.trim())}\n`
    const { drawCard } = await import('./card/card.ts')
    return drawCard(value, view, screen, rest.context)
  }
  const { openListWriter } = await import('./list-writer.ts')
  const writer = await openListWriter({ format, view: listView, columns, screen, ...rest })
  return `${await writer.write([record])}${await writer.end()}`
}
