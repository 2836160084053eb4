import type { JsonValue } from '../json/exact.ts'
import { valueAt } from '../json/paths.ts'
import { csvHeader, csvRow } from './formats/csv.ts'
import { jsonLine, jsonText } from './formats/json-text.ts'
import { remarkOn } from './list-remark.ts'
import type { WireRecord } from './record.ts'
import type { Screen } from './screen.ts'
import type { Column, ListOptions, ListView } from './view.ts'

/** Prints a list of any length, record by record. Each method returns the text to print now, '' when there is none. */
export interface ListWriter {
  write(record: WireRecord): string
  /** Closes the list. Call it once, after the last record. */
  end(): string
  /**
   * Ends a list that broke off, with the lines that are still held back. A JSON array is left open, so that no parser takes
   * it for whole.
   */
  abort(): string
  /** What a person should know about the list, for stderr, after `end` or `abort`: lines, or ''. */
  remark(stderr: Screen): string
}

type Body = Omit<ListWriter, 'remark'> & { readonly leftOut?: () => readonly Column[] }

/** Opens a writer for a list. It loads what a table needs, so open it while the answer is on its way. */
export async function openListWriter(options: ListOptions): Promise<ListWriter> {
  const body = await openBody(options)
  const missing = new Set(options.columns ?? [])
  let count = 0
  let isWhole = false
  return {
    write: (record) => {
      count++
      if (missing.size > 0) dropFound(missing, record.value)
      return body.write(record)
    },
    end: () => {
      isWhole = true
      return body.end()
    },
    abort: () => body.abort(),
    remark: (stderr) =>
      remarkOn(options, stderr, { count, isWhole, leftOut: body.leftOut?.() ?? [], missing: [...missing] }),
  }
}

/** The columns of a table: the view's, or those that the user named, as wide as the view allows. */
function tableColumns(view: ListView, columns: readonly string[] | null): readonly Column[] {
  if (!columns) return view.columns
  return columns.map((path, index) => {
    const known = view.columns.find((column) => column.path === path)
    const flex = known ? known.flex : NAMED_COLUMN_FLEX
    return { path, header: path, rank: index + 1, ...(flex === undefined ? {} : { flex }) }
  })
}

const NAMED_COLUMN_FLEX = 8

/** Drops the paths that a record has. Paths that are left at the end are in no record. */
function dropFound(missing: Set<string>, value: JsonValue): void {
  for (const path of missing) if (valueAt(value, path) !== undefined) missing.delete(path)
}

async function openBody(options: ListOptions): Promise<Body> {
  if (options.format === 'json') return jsonArray(options)
  if (options.format === 'ndjson') return jsonLines(options)
  return options.format === 'csv' ? csv(options) : await table(options)
}

function jsonArray({ columns, screen }: ListOptions): Body {
  let open = false
  const onTerminal = screen.columns !== null
  return {
    write: (record) => {
      const before = open ? ',\n' : '[\n'
      open = true
      if (!onTerminal) return before + jsonLine(record, columns, screen)
      return before + jsonText(record, columns, screen).replace(/^/gm, '  ')
    },
    end: () => (open ? '\n]\n' : '[]\n'),
    abort: () => (open ? '\n' : ''),
  }
}

function jsonLines({ columns, screen }: ListOptions): Body {
  return { write: (record) => `${jsonLine(record, columns, screen)}\n`, end: () => '', abort: () => '' }
}

function csv({ columns, view }: ListOptions): Body {
  const paths = columns ?? view.csvPaths
  let header = csvHeader(paths)
  const once = () => {
    const text = header
    header = ''
    return text
  }
  return { write: (record) => once() + csvRow(record.value, paths), end: once, abort: () => '' }
}

async function table({ view, columns, screen, context }: ListOptions): Promise<Body> {
  const [{ Table }, { openFrames }, { openRuler }] = await Promise.all([
    import('./table/table.ts'),
    import('./table/frame.ts'),
    import('./text/width.ts'),
  ])
  const tools = { ruler: await openRuler(null), frameOf: await openFrames(), screen }
  const drawn = new Table(tableColumns(view, columns), context, tools)
  return {
    write: (record) => drawn.row(record.value),
    end: () => drawn.flush(),
    abort: () => drawn.flush(),
    leftOut: () => drawn.leftOut,
  }
}
