import { checkTableNames } from '../../features/tables/run.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CALL_FLAGS, flag, MANY_FLAGS, repeated } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class TablesCheck extends PartnerCommand {
  static override summary = "Compare the POS's table names with the service's and write a map between them."
  static override description =
    `FILE is CSV, a list with one name per line, or sales in NDJSON, in the format of sales import. If a name could mean two tables, both are listed and neither is chosen.

--map-out writes the service's name for each name to a CSV file (pos,service) that you can edit; sales create and sales import accept it as --table-map. The service only lists free tables, so this command requests seven days; a table that is not free on any of them counts as missing. The exit code is 11 if anything differs.

With --profiles, {profile} in FILE and in --map-out is replaced with the name of each profile.`
  static override usage = 'tables check FILE|- [FLAGS]'
  static override examples = [
    `echo '{"table":{"number":"T1"}}' | <%= config.bin %> <%= command.id %> - --json --query "[?kind!='same']"`,
    '<%= config.bin %> bookings tables --date tomorrow --duration 15 -o csv > tables.csv && <%= config.bin %> <%= command.id %> tables.csv --date tomorrow --column name --map-out map.csv',
  ]
  static override args = { file: requiredArgument('file with table names, or - for standard input') }
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    column: flag('NAME', 'Name or number of the CSV column with the names (default: detected from the headings).'),
    'map-out': flag('FILE', 'Write the map to FILE; --yes replaces an existing file.'),
    date: repeated({
      helpValue: 'DAY',
      summary: 'Request the tables for this day (default: today and the next six days). May be repeated.',
    }),
  }

  async run(): Promise<void> {
    const opened = await this.open(TablesCheck)
    await checkTableNames(opened.args.file, opened.flags, opened)
  }
}
