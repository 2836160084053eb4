import { formatCommand } from '../../base/failure/suggested.ts'
import { type JsonObject, jsonObjects } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { findNamed } from '../../client/named.ts'
import { listTables } from '../../contract/bookings/availability.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { updateTables } from '../../contract/bookings/changes.ts'
import { buildBody, type ExtraBody, REMOVED, type TypedMembers } from '../../terminal/input/body.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { validate } from '../../terminal/input/validate.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { describeMissingTable } from '../shared/look-up.ts'
import { parseTables } from '../shared/venue.ts'
import { textAt } from '../shared/views/wording.ts'
import { changeBooking } from './changed.ts'

const FLAG_NAMES = { tables: '--table', allowTableBookingConflict: '--allow-conflict' }

interface MoveFlags extends ExtraBody {
  readonly table?: readonly string[] | undefined
  readonly 'allow-conflict'?: boolean | undefined
  readonly 'no-validate'?: boolean | undefined
}

/**
 * Moves a booking to the tables that the flags name and shows the booking. Throws a USAGE error that lists all
 * problems. Also throws any error from `changeBooking`.
 */
export async function moveToTables(opened: Opened<MoveFlags, { readonly id: string }>): Promise<void> {
  const { args, flags, service } = opened
  const { id } = args
  const problems = new Problems()
  const isChecked = !flags['no-validate']
  const tables = flags.table?.map(parseTable)
  if (isChecked) checkTables(flags.table ?? [], problems)
  // Use a placeholder for a section that is looked up later and for an empty name that has already been reported, so
  // that the body check does not report them.
  const missing = isChecked ? '-' : ''
  const members: TypedMembers = {
    tables: tables?.map(({ section, name }) => ({ section: section || missing, name: name || missing })),
    allowTableBookingConflict: flags['allow-conflict'] ? true : undefined,
    bookingId: REMOVED,
  }
  const given = await buildBody(flags, members, problems)
  if (isChecked) await validate(updateTables.body, given, FLAG_NAMES, problems)
  problems.throwIfAny(
    'name tables, such as --table "Main Dining/T4"; to list them: partner bookings tables --date today',
  )
  const path = { bookingId: id }
  // Reject a malformed ID before any request is sent.
  service.complete(updateTables, { path, body: given })
  const isNamed = isChecked && tables?.some(({ section }) => section === null) === true
  const body = isNamed ? { ...given, tables: await findTables(service, id, tables) } : given
  await changeBooking(opened, updateTables, { path, body }, { id })
}

/** A table as the user typed it. `section` is `null` if the section must be looked up. */
type TypedTable = { readonly name: string; readonly section: string | null }

function checkTables(typed: readonly string[], problems: Problems): void {
  for (const one of typed) {
    const { section, name } = parseTable(one)
    if (section === '' || name === '') problems.add(`--table must be SECTION/NAME or NAME, not ${JSON.stringify(one)}`)
  }
  // `problems` drops duplicates, so a table that is given three times is reported once.
  for (const [at, one] of typed.entries())
    if (typed.indexOf(one) !== at) problems.add(`--table ${JSON.stringify(one)} is given twice`)
}

/** Parses a table such as `Main Dining/T4` or `T4`. The section's name may contain slashes. */
function parseTable(typed: string): TypedTable {
  const slash = typed.lastIndexOf('/')
  return { section: slash < 0 ? null : typed.slice(0, slash).trim(), name: typed.slice(slash + 1).trim() }
}

/**
 * Looks up the section of each table that the user typed without a section. Searches the booking's current tables and
 * the tables that are free on the booking's day. Throws USAGE for a table that is unknown or ambiguous. Also throws any
 * error from the requests.
 */
async function findTables(service: Service, id: string, typed: readonly TypedTable[]): Promise<JsonObject[]> {
  const booking = (await service.read(getBooking, { path: { id } })).value
  const date = String(valueAt(booking, 'bookingTime') ?? '').slice(0, 'yyyy-MM-dd'.length)
  const known = (tableId: string, name: string, section: string) => ({
    ...{ id: tableId, names: [`${section}/${name}`, name] },
    table: { section, name },
  })
  const own = jsonObjects(valueAt(booking, 'tables')).map((table) =>
    known(textAt(table, 'tableId'), textAt(table, 'tableName'), textAt(table, 'sectionName')),
  )
  const free = await service.readAll(listTables, { query: { Date: date, Duration: 1 } })
  const tables = [...own, ...parseTables(free).map((one) => known(one.id, one.names[0] ?? '', one.sectionName))]
  const problems = new Problems()
  const found = typed.map(({ name, section }) => {
    if (section !== null) return { section, name }
    const one = problems.check(() => findNamed(name, '--table', tables))
    if (one === null) problems.add(`--table: ${describeMissingTable(name, tables)}`)
    return one?.table ?? { name }
  })
  problems.throwIfAny(`see ${formatCommand`bookings tables --date ${date}`}, and use SECTION/NAME; nothing was sent`)
  return found
}
