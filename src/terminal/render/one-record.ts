import { isJsonObject } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { jsonLine, jsonText } from './formats/json-text.ts'
import { jsonTerminalSafe } from './text/safe-text.ts'
import type { CardView, ListOptions } from './view.ts'

export interface OneOptions extends Omit<ListOptions, 'view'> {
  readonly view: CardView
  /** The view for a list of these records, which is used for CSV, TSV and tables with named columns. */
  readonly listView: ListOptions['view']
}

/**
 * Renders a record as a card, as JSON, or as a header and a row. With named columns, the record is shown as a table
 * instead of a card.
 */
export async function renderOne(record: WireRecord, options: OneOptions): Promise<string> {
  let text = ''
  for await (const part of renderParts(record, options)) text += part
  return text
}

/** Works like {@link renderOne}, but yields the text in parts, so that a record with long lists needs little memory. */
export async function* renderParts(record: WireRecord, options: OneOptions): AsyncGenerator<string> {
  const { format, columns, screen, view, listView, ...rest } = options
  if (format === 'json' || format === 'ndjson') {
    const jsonOf = format === 'json' ? jsonText : jsonLine
    if (columns === null && screen.columns === null && record.isOwn) yield* record.parts()
    else yield jsonOf(record, columns, screen)
    yield '\n'
  } else if (format === 'table' && !columns) {
    const { value } = record
    const { drawCard } = await import('./card/card.ts')
    if (isJsonObject(value)) yield* drawCard(value, view, screen, rest.context)
    else yield `${jsonTerminalSafe(record.text.trim())}\n`
  } else {
    const { openListWriter } = await import('./list-writer.ts')
    const writer = await openListWriter({ format, view: listView, columns, screen, ...rest })
    yield `${await writer.write([record])}${await writer.end()}`
  }
}
