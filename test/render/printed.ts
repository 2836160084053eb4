import { type ListWriter, openListWriter } from '../../src/render/list-writer.ts'
import { WireRecord } from '../../src/render/record.ts'
import type { Screen } from '../../src/render/screen.ts'
import type { Format, ListView } from '../../src/render/view.ts'

export const pipe: Screen = { columns: null, color: false }
export const terminal = (columns: number, color = false): Screen => ({ columns, color })

/** A small view with one column of each kind. */
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

export async function open({
  format,
  columns,
  screen = pipe,
  view = things,
  headerless = false,
}: Asked): Promise<ListWriter> {
  return openListWriter({
    format,
    view,
    columns: columns ?? null,
    headerless,
    screen,
    context: { timezone: null, now: 0 },
  })
}

/** All that a list of JSON texts prints. */
export async function printed(asked: Asked, records: readonly string[]): Promise<string> {
  const writer = await open(asked)
  return records.map((record) => writer.write(new WireRecord(record))).join('') + writer.end()
}
