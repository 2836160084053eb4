import { suggest } from '../../base/failure/suggested.ts'
import { type JsonObject, jsonObjects } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { findNamed } from '../../client/named.ts'
import { listTables } from '../../contract/bookings/availability.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { updateTables } from '../../contract/bookings/changes.ts'
import { changeBooking } from '../../features/bookings/changed.ts'
import { noTable } from '../../features/shared/look-up.ts'
import { diaryTableRows } from '../../features/shared/views/diary-tables.ts'
import { textAt } from '../../features/shared/views/wording.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody, TAKEN_OUT } from '../../terminal/input/body.ts'
import { BODY_CALL_FLAGS, repeated, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { validate } from '../../terminal/input/validate.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Service } from '../../terminal/runtime/service.ts'

const FLAG_NAMES = { tables: '--table', allowTableBookingConflict: '--allow-conflict' }

export default class BookingsUpdateTables extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Move a booking to other tables.'
  static override description =
    'Give tables by section and name, as bookings tables lists them; a name alone will do when no other section has it. They replace all current tables of the booking.'
  static override usage = 'bookings update-tables ID --table SECTION/NAME [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1004 --table "Main Dining/T7" --table "Main Dining/T8" --allow-conflict',
    '<%= config.bin %> <%= command.id %> BK-1001 --table T1',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    table: repeated({
      helpValue: 'SECTION/NAME',
      summary: 'A table: its section and name, or its name. May be repeated.',
    }),
    'allow-conflict': toggle('Allow tables that another booking has at that time.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(BookingsUpdateTables)
    const { args, flags, service } = opened
    const problems = new Problems()
    const isChecked = !flags['no-validate']
    const tables = flags.table?.map(parseTable)
    if (isChecked) checkTables(flags.table ?? [], problems)
    const allowTableBookingConflict = flags['allow-conflict'] ? true : undefined
    const typed = tables?.map((table) => inBody(table, isChecked ? '-' : ''))
    const given = await buildBody(flags, { tables: typed, allowTableBookingConflict, bookingId: TAKEN_OUT }, problems)
    if (isChecked) await validate(updateTables.body, given, FLAG_NAMES, problems)
    problems.throwIfAny('see partner bookings tables --date today; for example --table "Main Dining/T4"')
    // An ID that cannot be one is told before anything is read.
    service.complete(updateTables, { path: { bookingId: args.id }, body: given })
    const isNamed = isChecked && tables?.some(({ section }) => section === null) === true
    const body = isNamed ? { ...given, tables: await findTables(service, args.id, tables) } : given
    await changeBooking(opened, updateTables, { path: { bookingId: args.id }, body }, { id: args.id })
  }
}

/** A table as it was typed; without a section it has to be looked up. */
interface TypedTable {
  readonly name: string
  readonly section: string | null
}

function checkTables(typed: readonly string[], problems: Problems): void {
  for (const one of typed) {
    const { section, name } = parseTable(one)
    if (section === '' || name === '')
      problems.add(`--table must be SECTION/NAME or a name, not ${JSON.stringify(one)}`)
  }
  const repeats = typed.filter((one, at) => typed.indexOf(one) !== at)
  for (const one of new Set(repeats)) problems.add(`--table ${JSON.stringify(one)} is given twice`)
}

/** `Main Dining/T4`, or `T4`; a section may have a slash in its name. */
function parseTable(typed: string): TypedTable {
  const slash = typed.lastIndexOf('/')
  return { section: slash < 0 ? null : typed.slice(0, slash).trim(), name: typed.slice(slash + 1).trim() }
}

/** A placeholder keeps the check of the body from reporting what is still to be found, or was reported already. */
function inBody({ name, section }: TypedTable, missing: string): JsonObject {
  return { section: section || missing, name: name || missing }
}

/** The tables with their sections, which are those of the booking, or of the diary on its day. Fails: USAGE; as `Service.look`. */
async function findTables(service: Service, id: string, typed: readonly TypedTable[]): Promise<JsonObject[]> {
  const booking = (await service.look(getBooking, { path: { id } })).value
  const date = String(valueAt(booking, 'bookingTime') ?? '').slice(0, 'yyyy-MM-dd'.length)
  const own = jsonObjects(valueAt(booking, 'tables')).map((table) => known(table, 'tableId', 'tableName'))
  const free = await service.lookAtAll(listTables, { query: { Date: date, Duration: 1 } })
  const tables = [...own, ...diaryTableRows(free).map((table) => known(table, '_id', 'name'))]
  const problems = new Problems()
  const found = typed.map(({ name, section }) => {
    if (section !== null) return { section, name }
    const table = problems.check(() => findNamed(name, '--table', tables))
    if (table === null) problems.add(`--table: ${noTable(name, tables)}`)
    return table ? { section: table.section, name: table.tableName } : { name }
  })
  problems.throwIfAny(`see ${suggest`bookings tables --date ${date}`}, and give SECTION/NAME; nothing was sent`)
  return found
}

function known(table: JsonObject, id: string, name: string) {
  const [tableName, section] = [textAt(table, name), textAt(table, 'sectionName')]
  return { id: textAt(table, id), names: [`${section}/${tableName}`, tableName], tableName, section }
}
