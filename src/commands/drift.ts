import { option } from '@oclif/core/flags'
import { lookForDrift } from '../features/support/drift/ask-service.ts'
import { differing, driftFailure, FAIL_ON, remarks, summaryLine } from '../features/support/drift/lines.ts'
import { driftList } from '../features/support/drift/views.ts'
import { flag, LOOK_FLAGS, MANY_FLAGS, toggle } from '../terminal/input/flags.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Drift extends PartnerCommand {
  static override summary = 'Compare what the service answers with the contract.'
  static override description =
    `Asks once for each list and for a few of its records, and changes nothing. What the answers look like (types, nulls, forms of times, members that are missing or unknown) is compared with what the specification documents and with what is assumed beyond it. No value of an answer is kept or shown, but for a single word where the contract lists the words.

Commands with --record collect the same as they go, and drift counts it too. With --har it asks nobody and looks at the answers in a HAR. It ends with 0 whatever it finds, unless --fail-on is given; an unknown member never fails, as services may add some.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile sandbox',
    '<%= config.bin %> <%= command.id %> --profile sandbox --fail-on documented -o json',
    '<%= config.bin %> bookings list --profile sandbox --har traffic.har && <%= config.bin %> <%= command.id %> --har traffic.har',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...LOOK_FLAGS }
  static override flags = {
    har: flag('FILE', 'Look at the answers in a HAR, of --har or of a browser, and ask nobody.'),
    'fail-on': option({ options: FAIL_ON })({
      helpValue: FAIL_ON.join('|'),
      summary: 'End with 11 when what is documented is contradicted; assumed: when anything is.',
    }),
    all: toggle('In a table, show what is confirmed and what was not seen yet, too.'),
    forget: toggle('Leave out what --record collected so far, for good.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(Drift)
    const { flags, host, connection, show, say, warn } = opened
    const { report, unkept } =
      flags.har === undefined
        ? await lookForDrift(await connection.session(), host, flags.forget)
        : await (await import('../features/support/drift/read-har.ts')).driftOfHar(opened, flags.har)
    const entries = show.isPlain && !flags.all ? differing(report.entries) : report.entries
    await show.all(entries, driftList)
    for (const line of remarks(report)) await say(line)
    await say(summaryLine(report))
    if (unkept !== null) await warn(unkept)
    const failure = driftFailure(report, flags['fail-on'])
    if (failure) throw failure
  }
}
