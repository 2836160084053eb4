import { requiredArgument } from '../../cli/input/arguments.ts'
import { buildBody, TAKEN_OUT } from '../../cli/input/body.ts'
import { BODY_CALL_FLAGS, repeated, toggle } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { updateTables } from '../../contract/bookings/changes.ts'
import { receiptCard, receiptList } from '../../views/bookings/receipt.ts'
import { showChanged } from './_changed.ts'

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
    const { args, flags, service, show, warn } = await this.open(BookingsUpdateTables)
    const problems = new Problems()
    const tables = flags.table?.map((typed) => parseTable(typed, problems))
    const repeats = (flags.table ?? []).filter((typed, at, all) => all.indexOf(typed) !== at)
    for (const typed of new Set(repeats)) problems.add(`--table ${JSON.stringify(typed)} is given twice`)
    const allowTableBookingConflict = flags['allow-conflict'] ? true : undefined
    const body = await buildBody(flags, { tables, allowTableBookingConflict, bookingId: TAKEN_OUT }, problems)
    if (!flags['no-validate']) await validate(updateTables.body, body, FLAG_NAMES, problems)
    problems.throwIfAny('see partner bookings tables --date DATE; for example --table "Main Dining/T4"')
    const check = `partner bookings get ${args.id}`
    const answer = await service.send(updateTables, { path: { bookingId: args.id }, body }, { check })
    await showChanged(
      { service, show, warn },
      answer,
      args.id,
      { card: receiptCard, list: receiptList },
      { bookingId: args.id },
    )
  }
}

/** `Main Dining/T4`; a section may have a slash in its name. */
function parseTable(typed: string, problems: Problems): { name: string; section: string } {
  const slash = typed.lastIndexOf('/')
  const [section, name] = [typed.slice(0, Math.max(slash, 0)).trim(), typed.slice(slash + 1).trim()]
  if (section === '' || name === '') problems.add(`--table must be SECTION/NAME, not ${JSON.stringify(typed)}`)
  // A placeholder keeps the check of the body from reporting the same problem again.
  return { section: section || '-', name: name || '-' }
}
