import { Failure } from '../base/failure/failure.ts'
import { examineAsCron } from '../features/support/doctor/cron.ts'
import { examine } from '../features/support/doctor/doctor.ts'
import { showRows } from '../features/support/doctor/show.ts'
import { targetKind } from '../sync/open-target.ts'
import { DEFAULT_STEP_MS, parseEffort } from '../terminal/input/command-line.ts'
import { EXAMINE_FLAGS, LEDGER_FLAG, MANY_FLAGS, repeated, toggle } from '../terminal/input/flags.ts'
import { Problems } from '../terminal/input/problems.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'
import { surroundingsOf } from '../terminal/runtime/host.ts'

export default class Doctor extends PartnerCommand {
  static override summary = 'Check everything between this machine and the service and report problems.'
  static override description =
    'If rows fail, start with the first one: the checks that depend on it are skipped. The doctor only reads, and calls each endpoint once. The exit code is 1 if a row failed. --timeout applies to each step (default: 10s). The ledger is also checked if --ledger, PARTNER_LEDGER or the profile names one. With --profiles, there is one row for each venue; -v also shows the checks of each venue.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile sandbox',
    '<%= config.bin %> <%= command.id %> --profile sandbox --json --query "rows[?status==\'fail\'].name"',
    '<%= config.bin %> <%= command.id %> --profile sandbox --cron --sync bookings.ndjson',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...EXAMINE_FLAGS }
  static override flags = {
    ...LEDGER_FLAG,
    cron: toggle(
      'Run the checks as if from cron or, on Windows, Task Scheduler: without the variables of your shell and without a terminal.',
    ),
    sync: repeated({
      helpValue: 'TARGET',
      summary: 'A copy to check, in the same form as --to of a sync. May be repeated.',
    }),
  }

  async run(): Promise<number> {
    const opened = await this.open(Doctor)
    const { flags, host } = opened
    const { timeoutMs } = parseEffort(flags, this.argv)
    await checkTargets(flags.sync ?? [])
    const rows = flags.cron
      ? examineAsCron(flags, host)
      : examine({
          around: surroundingsOf(host, flags.verbose === true),
          profile: flags.profile,
          baseUrl: flags['base-url'],
          ledger: flags.ledger,
          timeoutMs: timeoutMs ?? DEFAULT_STEP_MS,
          syncTargets: flags.sync ?? [],
        })
    return (await showRows(rows, opened)) ? 0 : 1
  }
}

/** Throws USAGE unless all names are valid targets. The message lists every invalid name. */
async function checkTargets(names: readonly string[]): Promise<void> {
  const problems = new Problems()
  for (const name of names)
    try {
      await targetKind(name, false)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'USAGE') throw error
      problems.add(error.words.replace(/^--to\b/, `--sync ${JSON.stringify(name)}`))
    }
  problems.throwIfAny('such as --sync bookings.ndjson, --sync venue.db or --sync postgres://reports@db.example/venue')
}
