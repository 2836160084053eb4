import { existsSync } from 'node:fs'
import { MAP_FLAG } from '../../features/sales/reconcile/closings.ts'
import { checkFix } from '../../features/sales/reconcile/fix-file.ts'
import { type ReconcileParts, readDay, reconcile } from '../../features/sales/reconcile/reconcile.ts'
import { ONE_SOURCE } from '../../features/shared/copies.ts'
import { kindToRead } from '../../sync/open-target.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { flag, LOOK_FLAGS, MANY_FLAGS, repeated, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { venueFile } from '../../terminal/runtime/many/venue-file.ts'

/** What a list of sales calls what is compared: a till has other names. */
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
    const opened = await this.open(SalesReconcile)
    const { host } = opened
    const problems = new Problems()
    const { args, flags } = filesOf(opened, problems)
    problems.check(() => readDay(flags.date, { now: host.now(), timezone: null }))
    problems.check(() => checkFix(flags.fix))
    const { copy } = flags
    if (copy !== undefined) problems.check(() => kindToRead(copy, '--copy'))
    for (const journal of flags.journal ?? [])
      if (!existsSync(journal))
        problems.add(
          `--journal ${JSON.stringify(journal)} does not exist`,
          'name the journal of an import: FILE.journal',
        )
    if (flags.force === true && flags.fix === undefined) problems.add('--force needs --fix')
    if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'leave it out')
    if (flags.source !== undefined && copy === undefined) problems.add('--source needs --copy')
    problems.throwIfAny()
    await reconcile({ ...opened, args, flags })
  }
}

/** The command line with the files of the venue that the run is for. */
function filesOf({ args, flags, host }: ReconcileParts, problems: Problems): Pick<ReconcileParts, 'args' | 'flags'> {
  const fileOf = (given: string, what: string, example: string) =>
    problems.check(() => venueFile(host, given, { what, example })) ?? given
  const file = fileOf(args.file, 'FILE', 'closings-{profile}.ndjson')
  const journal = flags.journal?.map((path) => fileOf(path, '--journal', '{profile}.journal'))
  if (flags.fix === undefined) return { args: { file }, flags: { ...flags, journal } }
  return { args: { file }, flags: { ...flags, journal, fix: fileOf(flags.fix, '--fix', 'missing-{profile}.ndjson') } }
}
