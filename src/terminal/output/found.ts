import { isJsonObject, type JsonValue, parseExact } from '../../base/json/exact.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import type { Found, Query } from '../input/query.ts'
import { jsonLine } from '../render/formats/json-text.ts'
import { foundCard, foundList } from '../render/found-records.ts'
import type { Screen } from '../render/screen.ts'
import { isAmountPath } from '../render/text/amount.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import type { CardView, Format, ListView } from '../render/view.ts'

interface Shown {
  readonly records: readonly WireRecord[]
  /** False: there is one record, which is no list. */
  readonly isList: boolean
  readonly listView: ListView
  readonly card: CardView
}

/** How to print what a query found: whole records as their view says, a list of lists in columns, anything else by its members. */
export function foundAs(
  { json, whole }: Found,
  { members }: Pick<Query, 'members'>,
  view: ListView,
  format: Format,
): Shown {
  const result = parseExact(json, Number.POSITIVE_INFINITY)
  const isList = Array.isArray(result)
  const found = isList ? (result as readonly JsonValue[]) : [result]
  const isText = format === 'json' || format === 'ndjson'
  if (whole !== null || isText) {
    const shape =
      whole === null
        ? { listView: foundList(found), card: foundCard }
        : { listView: view, card: view.card ?? foundCard }
    return { records: found.map((one) => WireRecord.of(one)), isList, ...shape }
  }
  const isCard = format === 'table' && !isList
  const isListOfLists = isList && found.length > 0 && found.every(Array.isArray)
  const names = members?.map(({ name }) => name) ?? []
  // In part by name and in part by place, the columns would change places.
  const isNamed = new Set(names).size === names.length && members?.every(({ path }) => path !== null) === true
  const nameOf = (index: number) => (isNamed ? names[index] : undefined) ?? String(index)
  const rows = isListOfLists ? inColumns(found, nameOf) : isCard ? found : found.map(asObject)
  const paths = new Map(members?.map(({ name, path }, index) => [isListOfLists ? nameOf(index) : name, path]))
  const listView = foundList(rows, (name) => isAmountPath(paths.get(name) ?? name))
  return { records: rows.map((row) => WireRecord.of(row)), isList, listView, card: foundCard }
}

/** One value a line: strings without quotes, as they are in a file or pipe, and made safe at a terminal; the rest as JSON. */
export function rawLines({ json }: Found, columns: readonly string[] | null, screen: Screen): string {
  const result = parseExact(json, Number.POSITIVE_INFINITY)
  const values = Array.isArray(result) ? (result as readonly JsonValue[]) : [result]
  return values.map((value) => `${rawText(value, columns, screen)}\n`).join('')
}

function rawText(value: JsonValue, columns: readonly string[] | null, screen: Screen): string {
  if (typeof value === 'string') return screen.columns === null ? value : terminalSafe(value)
  return jsonLine(WireRecord.of(value), isJsonObject(value) ? columns : null, screen)
}

function inColumns(lists: readonly JsonValue[], nameOf: (index: number) => string): JsonValue[] {
  return lists.map((list) =>
    Object.fromEntries((list as readonly JsonValue[]).map((value, index) => [nameOf(index), value])),
  )
}

/** Wraps a value that is not an object as one, so that a table can show it in a column. */
function asObject(value: JsonValue): JsonValue {
  return isJsonObject(value) ? value : { value }
}
