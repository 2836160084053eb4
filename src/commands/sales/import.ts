import { DEFAULT_CONCURRENCY, importSales, MAX_CONCURRENCY } from '../../features/sales/import.ts'
import { MAP_FLAG } from '../../features/sales/reconcile/closings.ts'
import { TABLE_MAP_FLAG } from '../../features/shared/table-map.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CHECKED_CALL_FLAGS, FORCE_FLAG, flag, LEDGER_FLAG, PING_FLAG } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SalesImport extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Submit the sales in an NDJSON or CSV file.'
  static override description =
    `Each line of NDJSON is the body of a sale, as for sales create --data, with amounts in cents. CSV has columns named saleId, total, currency, staffId and seats, with amounts in currency units; use --map for other column names. The result of each sale is printed as soon as it is known, as NDJSON, or as a table at a terminal. The exit code is 11 if any sale was not accepted.

A journal next to the file (FILE.journal) records the outcome of each sale. You can always run the import again: it sends rejected sales again, but not accepted ones.`
  static override usage = 'sales import FILE|- [FLAGS]'
  static override examples = [
    `echo '{"origin":{"saleId":"TILL-9"},"staff":{"id":"staff-1"},"table":{"seats":2,"number":"5"}}' | <%= config.bin %> <%= command.id %> - --dry-run`,
    `echo '{"origin":{"saleId":"TILL-9"},"staff":{"id":"staff-1"},"table":{"seats":2},"bookingId":"BK-1003","total":{"amount":4200,"currency":"AUD"}}' > sales.ndjson && <%= config.bin %> <%= command.id %> sales.ndjson`,
  ]
  static override args = { file: requiredArgument('NDJSON or CSV file; - for standard input') }
  static override baseFlags = CHECKED_CALL_FLAGS
  static override flags = {
    concurrency: flag(
      'N',
      `How many sales to submit at the same time, 1 to ${MAX_CONCURRENCY} (default: ${DEFAULT_CONCURRENCY}).`,
    ),
    journal: flag('FILE', 'Path of the journal (default: FILE.journal; required for standard input).'),
    ...MAP_FLAG,
    ...TABLE_MAP_FLAG,
    ...LEDGER_FLAG,
    ...FORCE_FLAG,
    ...PING_FLAG,
  }

  async run(): Promise<void> {
    await importSales(await this.open(SalesImport))
  }
}
