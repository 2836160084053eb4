import { CONCURRENCY, importSales, MOST_AT_ONCE } from '../../features/sales/import.ts'
import { MAP_FLAG } from '../../features/sales/reconcile/closings.ts'
import { TABLE_MAP_FLAG } from '../../features/shared/table-map.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CHECKED_CALL_FLAGS, FORCE_FLAG, flag } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SalesImport extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Submit the sales of a file of NDJSON or CSV.'
  static override description =
    `Each line of NDJSON is the body of a sale, as sales create --data takes it, with amounts in cents. CSV has a column for each of saleId, total, currency, staffId and seats, and amounts in currency units; --map names columns that are called otherwise. A result line comes for each, as soon as it is known: NDJSON, and at a terminal a table; the exit code is 11 if any sale was not accepted.

A journal beside the file (FILE.journal) says what became of each sale. Run it again after whatever happened: what was accepted is not sent again, and what was rejected is.`
  static override usage = 'sales import FILE|- [FLAGS]'
  static override examples = [
    `echo '{"origin":{"saleId":"TILL-9"},"staff":{"id":"staff-1"},"table":{"seats":2,"number":"5"}}' | <%= config.bin %> <%= command.id %> - --dry-run`,
    `echo '{"origin":{"saleId":"TILL-9"},"staff":{"id":"staff-1"},"table":{"seats":2},"bookingId":"BK-1003","total":{"amount":4200,"currency":"AUD"}}' > sales.ndjson && <%= config.bin %> <%= command.id %> sales.ndjson`,
  ]
  static override args = { file: requiredArgument('file of NDJSON, or of CSV; - for standard input') }
  static override baseFlags = CHECKED_CALL_FLAGS
  static override flags = {
    concurrency: flag(
      'N',
      `How many sales are under way at the same time, 1 to ${MOST_AT_ONCE} (default: ${CONCURRENCY}).`,
    ),
    journal: flag('FILE', 'Where the journal is kept (default: FILE.journal; - has none).'),
    ...MAP_FLAG,
    ...TABLE_MAP_FLAG,
    ...FORCE_FLAG,
  }

  async run(): Promise<void> {
    await importSales(await this.open(SalesImport))
  }
}
