import { checkTableNames } from '../../features/tables/run.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CALL_FLAGS, flag, MANY_FLAGS, repeated } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class TablesCheck extends PartnerCommand {
  static override summary = "Compare the POS's table names with the service's, and make a map of them."
  static override description =
    `FILE is CSV, a list with one name a line, or sales in NDJSON, as sales import takes them. A name gets one table or none: where two could be meant, both are named and neither is chosen.

--map-out writes what the service calls each name, as CSV (pos,service) to edit by hand; sales create and sales import take it as --table-map. The service lists free tables only, so seven days are asked for; a table that is never free on them counts as missing. The exit code is 11 when anything differs.

With --profiles, {profile} in FILE and in --map-out stands for the name of each profile.`
  static override usage = 'tables check FILE|- [FLAGS]'
  static override examples = [
    `echo '{"table":{"number":"T1"}}' | <%= config.bin %> <%= command.id %> - --json --query "[?kind!='same']"`,
    '<%= config.bin %> bookings tables --date tomorrow --duration 15 -o csv > tables.csv && <%= config.bin %> <%= command.id %> tables.csv --date tomorrow --column name --map-out map.csv',
  ]
  static override args = { file: requiredArgument('file of table names, or - for standard input') }
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    column: flag('NAME', 'Column of the CSV that has the names, or its number (default: the header tells).'),
    'map-out': flag('FILE', 'Write the map there; --yes replaces one that is there.'),
    date: repeated({
      helpValue: 'DAY',
      summary: 'A day whose tables to ask for (default: seven days from today). May be repeated.',
    }),
  }

  async run(): Promise<void> {
    const opened = await this.open(TablesCheck)
    await checkTableNames(opened.args.file, opened.flags, opened)
  }
}
