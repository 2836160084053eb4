import { MAP_FLAG } from '../../features/sales/reconcile/closings.ts'
import { reconcile } from '../../features/sales/reconcile/reconcile.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { flag, LOOK_FLAGS, MANY_FLAGS, PING_FLAG, repeated, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

/** The value of `--map` for the output of `sales list -o csv`. The examples use that output as the till's file. */
const COLUMNS = 'saleId=saleDetail.transactionId,total=saleDetail.total,closed=saleDetail.transactionDateTime'

export default class SalesReconcile extends PartnerCommand {
  static override usage = 'sales reconcile FILE|- [FLAGS]'
  static override summary = "Compare a day's sales in the POS with those in the service."
  static override description =
    `FILE contains the sales closed at the POS: NDJSON as for sales import, with amounts in whole cents, or CSV with --map, with amounts in currency units. They are compared with the service's list of sales, or with a copy of it (--copy). The command only reads; --fix writes a file and sends nothing. A sale that the service accepted from this machine, according to the journals next to the files and the record of sales create, counts as unlinked, not as missing.

It finds sales that the service lacks (missing), that only the service has (extra), that it has more than once (doubled), that have a different total (total), that are not linked to a booking (unlinked) or are linked to a different one (booking), that were closed on a different day (day), and refunds without their sale (orphan-refund). The totals by kind add up to the cent. The exit code is 11 if the books differ.

With --profiles, {profile} in FILE, --fix and --journal is replaced with the name of each profile.`
  static override examples = [
    `<%= config.bin %> sales list --from yesterday --to yesterday -o csv > till.csv && <%= config.bin %> <%= command.id %> till.csv --date yesterday --map ${COLUMNS}`,
    `<%= config.bin %> sales sync --to venue.db && <%= config.bin %> sales list --from yesterday --to yesterday -o csv > till.csv && <%= config.bin %> <%= command.id %> till.csv --date yesterday --map ${COLUMNS} --copy venue.db`,
  ]
  static override args = {
    file: requiredArgument('sales closed at the POS: NDJSON, or CSV with --map; - for standard input'),
  }
  static override baseFlags = { ...MANY_FLAGS, ...LOOK_FLAGS }
  static override flags = {
    date: flag('DAY', 'The day to compare, in the time zone of the venue (default: the days of the sales in FILE).'),
    ...MAP_FLAG,
    copy: flag(
      'TARGET',
      'Compare with a copy made by sales sync (venue.db, postgres://…), without making any requests.',
    ),
    source: flag('NAME', "Source of the records in the copy (default: the profile's name)."),
    fix: flag('FILE', 'Write the missing sales to FILE, for sales import; nothing is sent.'),
    journal: repeated({
      helpValue: 'FILE',
      summary: 'Also read this journal of a sales import in another directory. May be repeated.',
    }),
    force: toggle('With --fix, also write missing sales that may already have been accepted.'),
    ...PING_FLAG,
  }

  async run(): Promise<void> {
    await reconcile(await this.open(SalesReconcile))
  }
}
