import type { ResourceName } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { MAIN_TABLES } from './all.ts'
import { filledColumns } from './ddl.ts'
import type { ChildTable, Column, Row, Table, Value } from './table.ts'
import { instantText, isInstantText, textOf, valueFor } from './values.ts'
import type { VenueClock } from './venue-clock.ts'

/** The rows that represent a record. `main` has the values of the table's {@link filledColumns}. */
export interface RecordRows {
  readonly main: Row
  /** The rows of each child table, in the order of the main table's `children`. */
  readonly children: readonly (readonly Row[])[]
}

type Members = Readonly<Record<string, unknown>>

/** The values in a row that do not come from the record. `position` and `extraOf` are set again for each child row. */
interface RowContext {
  readonly source: string
  readonly id: string
  position: number
  extraOf: number | null
  readonly changed: string | null
  readonly digest: string | null
  readonly raw: string
  readonly clock: VenueClock
  /**
   * Whether every string can be stored unchanged. True if the record has no `\u` escapes, because JSON in UTF-8 can
   * contain an unstorable character only as an escape.
   */
  readonly isPlain: boolean
}

type Reader = (members: Members, context: RowContext) => Value

const readers = new Map<Table, readonly Reader[]>()
const NOTHING: Members = {}
const FINER_THAN_COLUMNS = /:\d\d\.\d{4}/
const NO_ROWS: readonly Row[] = []

/** Converts a record to rows. Always returns a main row, with `null` for values that only `raw` can store. */
export function rowsOf(resource: ResourceName, source: string, record: SyncRecord, clock: VenueClock): RecordRows {
  const table = MAIN_TABLES[resource]
  const parsed: unknown = record.parsed ?? JSON.parse(record.text)
  const members = isMembers(parsed) ? parsed : NOTHING
  const isNamedByDate = table.hasChangeDate && record.changedMs !== null && !FINER_THAN_COLUMNS.test(record.version)
  const context: RowContext = {
    source,
    id: textOf(resource === 'sales' ? memberAt(members, 'saleDetail', 'transactionId') : record.id) ?? record.version,
    position: 0,
    extraOf: null,
    changed: changeOf(members, record),
    digest: isNamedByDate ? null : record.version,
    raw: record.text,
    clock,
    isPlain: !record.text.includes('\\u'),
  }
  return {
    main: rowOf(table, members, context),
    children: table.children.map((child) => childRows(child, members, context)),
  }
}

function changeOf(members: Members, { changedMs }: SyncRecord): string | null {
  if (changedMs === null) return null
  const sent = members['lastModifiedDate']
  return typeof sent === 'string' && isInstantText(sent) ? sent : instantText(changedMs)
}

function childRows(table: ChildTable, members: Members, context: RowContext): readonly Row[] {
  const list = members[table.listPath]
  if (!Array.isArray(list) || list.length === 0) return NO_ROWS
  const rows: Row[] = []
  const add = (item: unknown, extraOf: number | null) => {
    context.position = rows.length
    context.extraOf = extraOf
    rows.push(rowOf(table, isMembers(item) ? item : NOTHING, context))
  }
  for (const item of list) {
    const position = rows.length
    add(item, null)
    const extras = table.extrasPath === null || !isMembers(item) ? null : item[table.extrasPath]
    if (Array.isArray(extras)) for (const extra of extras) add(extra, position)
  }
  return rows
}

function rowOf(table: Table, members: Members, context: RowContext): Row {
  let list = readers.get(table)
  if (list === undefined) {
    list = filledColumns(table).map(readerOf)
    readers.set(table, list)
  }
  const row = new Array<Value>(list.length)
  for (let at = 0; at < row.length; at++) row[at] = (list[at] as Reader)(members, context)
  return row
}

function readerOf({ origin, type, required }: Column): Reader {
  if ('wallPath' in origin) {
    const { wallPath } = origin
    return (members, { clock }) => {
      const wall = valueFor('wall', members[wallPath])
      // The specification does not allow a time zone here. A time that has one anyway is already an instant.
      return typeof wall === 'string' ? clock.instantOf(wall) : valueFor('instant', members[wallPath])
    }
  }
  if ('path' in origin) {
    const [first = '', second] = origin.path.split('.')
    // Key columns are never null. A sale without a booking has an empty booking ID.
    const missing = required ? '' : null
    const convert = (value: unknown, { isPlain }: RowContext): Value => {
      if (value === null || value === undefined) return missing
      if (type === 'text' && isPlain && typeof value === 'string') return value
      return valueFor(type, value) ?? missing
    }
    return second === undefined
      ? (members, context) => convert(members[first], context)
      : (members, context) => convert(memberAt(members, first, second), context)
  }
  const { given } = origin
  return given === 'kept' ? () => null : (_members, context) => context[given]
}

function memberAt(members: Members, first: string, second: string): unknown {
  const value = members[first]
  return isMembers(value) ? value[second] : undefined
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
