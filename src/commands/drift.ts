import { option } from '@oclif/core/flags'
import { findDrift } from '../features/support/drift/ask-service.ts'
import { differences, driftFailure, FAIL_ON, remarks, summaryLine } from '../features/support/drift/lines.ts'
import { driftList } from '../features/support/drift/views.ts'
import { flag, LOOK_FLAGS, MANY_FLAGS, toggle } from '../terminal/input/flags.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Drift extends PartnerCommand {
  static override summary = "Compare the service's responses with the contract."
  static override description =
    `Requests each list once, and a few of its records, and changes nothing. The form of the responses (types, nulls, time formats, missing or unknown members) is compared with what the specification documents and with what is assumed beyond it. No value is stored or shown, except a single word where the contract lists the allowed words.

Commands with --record collect the same information as they run, and drift includes it. With --har, drift makes no requests and compares the responses in a HAR file. The exit code is 0 whatever drift finds, unless --fail-on is given; an unknown member is never a failure, because services may add some.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile sandbox',
    '<%= config.bin %> <%= command.id %> --profile sandbox --fail-on documented -o json',
    '<%= config.bin %> bookings list --profile sandbox --har traffic.har && <%= config.bin %> <%= command.id %> --har traffic.har',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...LOOK_FLAGS }
  static override flags = {
    har: flag('FILE', 'Compare the responses in a HAR file from --har or a browser, without sending a request.'),
    'fail-on': option({ options: FAIL_ON })({
      helpValue: FAIL_ON.join('|'),
      summary:
        'Exit with code 11 if the service contradicts a documented fact or, with --fail-on assumed, an assumption.',
    }),
    all: toggle('In a table, also show members that are confirmed or have not been seen yet.'),
    forget: toggle('Permanently delete what --record has collected so far.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(Drift)
    const { flags, host, connection, show, say, warn } = opened
    const { report, saveProblem } =
      flags.har === undefined
        ? await findDrift(await connection.session(), host, flags.forget)
        : await (await import('../features/support/drift/read-har.ts')).driftOfHar(opened, flags.har)
    const entries = show.isPlain && !flags.all ? differences(report.entries) : report.entries
    await show.all(entries, driftList)
    for (const line of remarks(report)) await say(line)
    await say(summaryLine(report))
    if (saveProblem !== null) await warn(saveProblem)
    const failure = driftFailure(report, flags['fail-on'])
    if (failure) throw failure
  }
}
