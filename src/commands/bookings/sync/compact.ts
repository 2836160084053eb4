import { COMPACT_FLAGS, compact } from '../../../features/copies/compact.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { OUTPUT_FLAGS } from '../../../terminal/input/flags.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class BookingsSyncCompact extends PartnerCommand {
  static override summary = 'Drop all but the newest version of each booking from a copy in a .ndjson file.'
  static override description =
    `FILE is a log that bookings sync --to FILE.ndjson maintains: each change to a booking adds a line. The command writes the newest version of each booking to a new file, which then replaces FILE atomically: if the command is killed, FILE is either the old or the new file. A sync may run meanwhile, even with --every: it replaces FILE itself, between two windows, and continues with the new file. If it does not do so within ten minutes, the exit code is 12.

The next sync, sync status, sync verify and the reports find the same bookings as before. Earlier versions are lost, so webhooks gaps and timeline booking know only the newest change to a booking.`
  static override examples = [
    '<%= config.bin %> bookings sync --to bookings.ndjson && <%= config.bin %> <%= command.id %> bookings.ndjson',
    '<%= config.bin %> bookings sync --to bookings.ndjson && <%= config.bin %> <%= command.id %> bookings.ndjson --dry-run --json --query dropped',
  ]
  static override args = { file: requiredArgument('the log, such as bookings.ndjson') }
  static override baseFlags = OUTPUT_FLAGS
  static override flags = COMPACT_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(BookingsSyncCompact)
    await compact(opened, opened.args.file)
  }
}
