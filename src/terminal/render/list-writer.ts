import { isJsonObject, type JsonObject } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { valueAt } from '../../base/json/paths.ts'
import { CopiedRows } from './formats/copied-rows.ts'
import { delimitedLines } from './formats/delimited.ts'
import { jsonLine, jsonText } from './formats/json-text.ts'
import { remarkOn } from './list-remark.ts'
import type { Screen } from './screen.ts'
import { isAmountPath, isIdPath, memberText } from './text/amount.ts'
import { watchForUnknownColumns } from './unknown-columns.ts'
import type { CellOf, Column, ListOptions, ListView } from './view.ts'

/** Formats a list of any length. Each method returns the text to print next, which may be empty. */
export interface ListWriter {
  /** Formats records as text, or as bytes if the received records can be copied without decoding. */
  write(records: readonly WireRecord[]): Promise<string | Uint8Array>
  /** Ends the list. Must be called once, after the last record. */
  end(): Promise<string>
  /** Ends an incomplete list. Leaves a JSON array open, so that no parser accepts it as complete. */
  abort(): Promise<string>
  /** Returns lines about the list for stderr, or ''. Must be called after `end` or `abort`. */
  remark(stderr: Screen): string
}

interface Body {
  write(records: readonly WireRecord[]): Promise<string> | string | Uint8Array
  end(): Promise<string> | string
  abort(): Promise<string> | string
  readonly hidden?: () => readonly Column[]
}

/** Opens a writer for a list. This takes time, so call it while waiting for the response. */
export async function openListWriter(options: ListOptions): Promise<ListWriter> {
  const body = await openBody(options)
  const unknown = watchForUnknownColumns(options.columns, options.view)
  let count = 0
  let isWhole = false
  return {
    write: async (records) => {
      count += records.length
      for (const record of records) unknown.see(record)
      return body.write(records)
    },
    end: async () => {
      isWhole = true
      return body.end()
    },
    abort: async () => body.abort(),
    remark: (stderr) => unknown.remark() + remarkOn(options, stderr, { count, isWhole, hidden: body.hidden?.() ?? [] }),
  }
}

/**
 * Returns the columns that the user named, or the view's own columns if the user named none. Named columns have the
 * same widths as in the view.
 */
function tableColumns(view: ListView, columns: readonly string[] | null): readonly Column[] {
  if (!columns) return view.columns
  return columns.map((path, index) => {
    const known = view.columns.find((column) => column.path === path)
    const flex = known ? known.flex : isIdPath(path) || isAmountPath(path) ? undefined : NAMED_COLUMN_FLEX
    const column = { path, header: path, rank: index + 1, isRequested: true, ...(flex === undefined ? {} : { flex }) }
    if (!known?.cell) return column
    return { ...column, cell: memberCell(path, known.cell), ...(known.align ? { align: known.align } : {}) }
  })
}

const NAMED_COLUMN_FLEX = 8

/** Returns a function that formats the member at a path. The view's own `cell` is used only for lists and objects. */
function memberCell(path: string, cell: CellOf): CellOf {
  return (record, context) => {
    const value = valueAt(record, path)
    return Array.isArray(value) || isJsonObject(value) ? cell(record, context) : memberText(value, path)
  }
}

async function openBody(options: ListOptions): Promise<Body> {
  if (options.format === 'json') return jsonArray(options)
  if (options.format === 'ndjson') return jsonLines(options)
  return options.format === 'table' ? table(options) : delimited(options, options.format)
}

function jsonArray({ columns, screen }: ListOptions): Body {
  let open = false
  const onTerminal = screen.columns !== null
  const lineOf = (record: WireRecord) => {
    const before = open ? ',\n' : '[\n'
    open = true
    if (!onTerminal) return before + jsonLine(record, columns, screen)
    return before + jsonText(record, columns, screen).replace(/^/gm, '  ')
  }
  return {
    write: (records) => {
      const own = open && !onTerminal && columns === null ? ownBytes(records, ',\n', '') : null
      return own ?? records.map(lineOf).join('')
    },
    end: () => (open ? '\n]\n' : '[]\n'),
    abort: () => (open ? '\n' : ''),
  }
}

function jsonLines({ columns, screen }: ListOptions): Body {
  const isOwn = screen.columns === null && columns === null
  const lineOf = (record: WireRecord) => `${jsonLine(record, columns, screen)}\n`
  return {
    write: (records) => (isOwn ? ownBytes(records, '', '\n') : null) ?? records.map(lineOf).join(''),
    end: () => '',
    abort: () => '',
  }
}

function delimited({ columns, view, headerless, screen, hide }: ListOptions, format: 'csv' | 'tsv'): Body {
  const paths = columns ?? view.csvPaths
  const lines = delimitedLines(format, paths, screen)
  const copied = screen.columns === null ? new CopiedRows(format, paths, lines) : null
  let first = headerless ? '' : lines.header
  const once = () => {
    const text = first
    first = ''
    return text
  }
  const write = (records: readonly WireRecord[]) => {
    if (copied === null) return once() + records.map(({ value }) => lines.rowOf(value)).join('')
    const bytes = copied.of(once(), records)
    return hide?.(bytes) ?? bytes.toString()
  }
  return { write, end: once, abort: () => '' }
}

async function table({ view, columns, headerless, screen, context }: ListOptions): Promise<Body> {
  const [{ Table }, { openFrames }] = await Promise.all([import('./table/table.ts'), import('./table/frame.ts')])
  const tools = { frameOf: await openFrames(), screen, headerless, isLive: view.isLive }
  const drawn = new Table(tableColumns(view, columns), context, tools)
  const { total } = view
  const added: JsonObject[] = []
  return {
    write: (records) => {
      const rows = records.map(({ value }) => value)
      if (total !== undefined) added.push(...rows.filter(isJsonObject))
      return drawn.rows(rows)
    },
    end: async () => {
      const last = total === undefined || added.length < 2 ? '' : await drawn.rows([total(added)])
      return last + (await drawn.flush())
    },
    abort: () => drawn.flush(),
    hidden: () => drawn.hidden,
  }
}

/**
 * Joins the received bytes of the records, with the ASCII strings `before` and `after` around each record. This is
 * twice as fast as decoding them. Returns `null` unless each record is on a single line.
 */
function ownBytes(records: readonly WireRecord[], before: string, after: string): Buffer | null {
  let size = records.length * (before.length + after.length)
  for (const { place } of records) {
    if (!place?.isOneLine) return null
    size += place.to - place.from
  }
  const out = Buffer.allocUnsafe(size)
  let at = 0
  for (const { place } of records) {
    if (place === null) return null
    at = put(before, out, at)
    at += place.bytes.copy(out, at, place.from, place.to)
    at = put(after, out, at)
  }
  return out
}

function put(text: string, out: Buffer, from: number): number {
  for (let index = 0; index < text.length; index++) out[from + index] = text.charCodeAt(index)
  return from + text.length
}
