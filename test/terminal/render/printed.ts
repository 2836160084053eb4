import { WireRecord } from '../../../src/base/json/list/wire-record.ts'
import { type ListWriter, openListWriter } from '../../../src/terminal/render/list-writer.ts'
import type { Screen } from '../../../src/terminal/render/screen.ts'
import type { Format, ListView } from '../../../src/terminal/render/view.ts'

export const pipe: Screen = { columns: null, color: false }
export const terminal = (columns: number, color = false): Screen => ({ columns, color })

/** A small view that has one column of each kind. */
export const things: ListView = {
  columns: [
    { path: 'name', header: 'NAME', flex: 8, rank: 2 },
    { path: 'price', header: 'PRICE', align: 'right', rank: 3 },
    { path: 'notes', header: 'NOTES', flex: 6, rank: 4, optional: true },
    { path: 'id', header: 'ID', rank: 1 },
  ],
  csvPaths: ['id', 'price', 'deep.er', 'list'],
  empty: 'No things.',
  one: 'thing',
  many: 'things',
  footnote: () => 'prices in AUD',
}

interface Asked {
  readonly format: Format
  readonly columns?: readonly string[]
  readonly screen?: Screen
  readonly view?: ListView
  readonly headerless?: boolean
}

interface RecordWriter extends Omit<ListWriter, 'write'> {
  write(record: WireRecord): Promise<string>
}

export async function open({
  format,
  columns,
  screen = pipe,
  view = things,
  headerless = false,
}: Asked): Promise<RecordWriter> {
  const writer = await openListWriter({
    format,
    view,
    columns: columns ?? null,
    headerless,
    screen,
    context: { timezone: null, now: 0 },
  })
  return { ...writer, write: async (record) => Buffer.from(await writer.write([record])).toString() }
}

export async function printed(asked: Asked, records: readonly string[]): Promise<string> {
  const writer = await open(asked)
  let text = ''
  for (const record of records) text += await writer.write(new WireRecord(record))
  return text + (await writer.end())
}
