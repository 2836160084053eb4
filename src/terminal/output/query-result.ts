import { isJsonObject, type JsonValue, parseExact } from '../../base/json/exact.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import type { Found, Query } from '../input/query.ts'
import { jsonLine } from '../render/formats/json-text.ts'
import { genericCardView, genericListView } from '../render/generic-views.ts'
import type { Screen } from '../render/screen.ts'
import { isAmountPath } from '../render/text/amount.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import type { Format, ListView } from '../render/view.ts'

/**
 * Decides how to print a query result. Complete records are shown in the command's view, and other values as generic
 * columns.
 */
export function presentQueryResult({ json, whole }: Found, { members }: Query, view: ListView, format: Format) {
  const result = parseExact(json, Number.POSITIVE_INFINITY)
  const isList = Array.isArray(result)
  const found = isList ? (result as readonly JsonValue[]) : [result]
  const isText = format === 'json' || format === 'ndjson'
  if (whole !== null || isText) {
    const records = found.map((one) => WireRecord.of(one))
    if (whole === null) return { records, isList, listView: genericListView(found), card: genericCardView }
    return { records, isList, listView: view, card: view.card ?? genericCardView }
  }
  const isCard = format === 'table' && !isList
  const isListOfLists = isList && found.length > 0 && found.every(Array.isArray)
  const names = members?.map(({ name }) => name) ?? []
  // JavaScript objects list numeric keys first, so mixing names and indices would reorder the columns.
  const isNamed = new Set(names).size === names.length && members?.every(({ path }) => path !== null) === true
  const nameOf = (index: number) => (isNamed ? names[index] : undefined) ?? String(index)
  const rows = isListOfLists
    ? columnsOfLists(found, nameOf)
    : isCard
      ? found
      : found.map((value) => (isJsonObject(value) ? value : { value }))
  const paths = new Map(members?.map(({ name, path }, index) => [isListOfLists ? nameOf(index) : name, path]))
  const listView = genericListView(rows, (name) => isAmountPath(paths.get(name) ?? name))
  return { records: rows.map((row) => WireRecord.of(row)), isList, listView, card: genericCardView }
}

/** Formats one value per line. Strings are unquoted, and escaped for a terminal. Other values are JSON. */
export function rawLines({ json }: Found, columns: readonly string[] | null, screen: Screen): string {
  const result = parseExact(json, Number.POSITIVE_INFINITY)
  const values = Array.isArray(result) ? (result as readonly JsonValue[]) : [result]
  return values.map((value) => `${rawText(value, columns, screen)}\n`).join('')
}

function rawText(value: JsonValue, columns: readonly string[] | null, screen: Screen): string {
  if (typeof value === 'string') return screen.columns === null ? value : terminalSafe(value)
  return jsonLine(WireRecord.of(value), isJsonObject(value) ? columns : null, screen)
}

function columnsOfLists(lists: readonly JsonValue[], nameOf: (index: number) => string): JsonValue[] {
  return lists.map((list) =>
    Object.fromEntries((list as readonly JsonValue[]).map((value, index) => [nameOf(index), value])),
  )
}
