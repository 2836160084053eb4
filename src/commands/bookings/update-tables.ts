import { requiredArgument } from '../../cli/input/arguments.ts'
import { buildBody, TAKEN_OUT } from '../../cli/input/body.ts'
import { BODY_CALL_FLAGS, repeated, toggle } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { updateTables } from '../../contract/bookings/changes.ts'
import { receiptCard, receiptList } from '../../views/bookings/receipt.ts'

const FLAG_NAMES = { tables: '--table', allowTableBookingConflict: '--allow-conflict' }

export default class BookingsUpdateTables extends PartnerCommand {
  static override summary = 'Move a booking to other tables.'
  static override description =
    'Give tables by section and name, as bookings tables lists them, not by ID. They replace all current tables of the booking.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> BK-1 --table "Main Dining/T4" --table "Main Dining/T5"',
    '<%= config.bin %> <%= command.id %> BK-1 --table Bar/B1 --allow-conflict',
  ]
  static override args = { id: requiredArgument('booking ID, as bookings list prints it') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    table: repeated({ helpValue: 'SECTION/NAME', summary: 'Section and name of a table. May be repeated.' }),
    'allow-conflict': toggle('Allow tables that another booking has at that time.'),
  }

  async run(): Promise<void> {
    const { args, flags, service, show } = await this.open(BookingsUpdateTables)
    const problems = new Problems()
    const isChecked = !flags['no-validate']
    if (isChecked) checkTables(flags.table ?? [], problems)
    const tables = flags.table?.map((typed) => parseTable(typed, isChecked))
    const allowTableBookingConflict = flags['allow-conflict'] ? true : undefined
    const body = await buildBody(flags, { tables, allowTableBookingConflict, bookingId: TAKEN_OUT }, problems)
    if (isChecked) await validate(updateTables.body, body, FLAG_NAMES, problems)
    problems.throwIfAny('see partner bookings tables --date DATE; for example --table "Main Dining/T4"')
    const check = `partner bookings get ${args.id}`
    const answer = await service.send(updateTables, { path: { bookingId: args.id }, body }, { check })
    await show.answer(answer, { card: receiptCard, list: receiptList }, { bookingId: args.id })
  }
}

function checkTables(typed: readonly string[], problems: Problems): void {
  for (const one of typed) {
    const { section, name } = parseTable(one, false)
    if (section === '' || name === '') problems.add(`--table must be SECTION/NAME, not ${JSON.stringify(one)}`)
  }
  const repeats = typed.filter((one, at) => typed.indexOf(one) !== at)
  for (const one of new Set(repeats)) problems.add(`--table ${JSON.stringify(one)} is given twice`)
}

/** `Main Dining/T4`; a section may have a slash in its name. Where one is missing, a placeholder keeps it from being reported twice. */
function parseTable(typed: string, hasPlaceholders: boolean): { name: string; section: string } {
  const slash = typed.lastIndexOf('/')
  const [section, name] = [typed.slice(0, Math.max(slash, 0)).trim(), typed.slice(slash + 1).trim()]
  const missing = hasPlaceholders ? '-' : ''
  return { section: section || missing, name: name || missing }
}
