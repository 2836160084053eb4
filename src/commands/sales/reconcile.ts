import { MAP_FLAG } from '../../features/sales/reconcile/closings.ts'
import { reconcile } from '../../features/sales/reconcile/reconcile.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { flag, LOOK_FLAGS, MANY_FLAGS, repeated, toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

/** The columns of `sales list -o csv`; a till has other names. */
const COLUMNS = 'saleId=saleDetail.transactionId,total=saleDetail.total,closed=saleDetail.transactionDateTime'

export default class SalesReconcile extends PartnerCommand {
  static override usage = 'sales reconcile FILE|- [FLAGS]'
  static override summary = "Compare a day's closings at the POS with the sales that the service has."
  static override description =
    `FILE is what the POS has: NDJSON as sales import takes it, with amounts in whole cents, or CSV with --map, with amounts in currency units. It is compared with the list of sales, or with a copy of it (--copy). It only reads; --fix writes a file and sends nothing. A sale that this machine submitted and the service accepted, by the journals next to the files and the record of sales create, is unlinked and not missing.

It finds what is missing at the service, what only the service has (extra), what is there more than once (doubled), other totals (total), sales linked to no booking (unlinked) or to another one (booking), refunds without their sale (orphan-refund), and sales closed on another day (day). A sum by kind adds up to the cent. It ends with 11 when the books differ.

With --profiles, {profile} in FILE, --fix and --journal stands for the name of each profile.`
  static override examples = [
    `<%= config.bin %> sales list --from yesterday --to yesterday -o csv > till.csv && <%= config.bin %> <%= command.id %> till.csv --date yesterday --map ${COLUMNS}`,
    `<%= config.bin %> sales sync --to venue.db && <%= config.bin %> sales list --from yesterday --to yesterday -o csv > till.csv && <%= config.bin %> <%= command.id %> till.csv --date yesterday --map ${COLUMNS} --copy venue.db`,
  ]
  static override args = {
    file: requiredArgument('closings of the POS: NDJSON, or CSV with --map; - for standard input'),
  }
  static override baseFlags = { ...MANY_FLAGS, ...LOOK_FLAGS }
  static override flags = {
    date: flag('DAY', 'The day of the venue that is compared (default: the days of the closings in FILE).'),
    ...MAP_FLAG,
    copy: flag('TARGET', 'Compare with a copy that sales sync keeps (venue.db, postgres://…), and ask no service.'),
    source: flag('NAME', "Whose records of the copy are meant (default: the profile's name)."),
    fix: flag('FILE', 'Write the missing sales to FILE, as sales import takes them; nothing is sent.'),
    journal: repeated({
      helpValue: 'FILE',
      summary: 'Also read this journal of sales import, if it is in another folder. May be repeated.',
    }),
    force: toggle('With --fix, also write missing sales that the service may have.'),
  }

  async run(): Promise<void> {
    await reconcile(await this.open(SalesReconcile))
  }
}
