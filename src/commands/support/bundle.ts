import { BUNDLE_FLAGS, writeBundle } from '../../features/support/bundle/run.ts'
import { READING_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SupportBundle extends PartnerCommand {
  static override summary = 'Write one file with everything that support needs, without guest data or secrets.'
  static override description =
    `The zip contains the results of doctor and drift, the settings, the open money writes and the traffic of these checks; with --har and --journal, also what you recorded. Guests are replaced by pseudonyms: each guest has the same one throughout, and no one can reverse it. Free text is dropped. The command contacts only the service, and only reads from it.

Before the file is written, all of it is searched for secrets, e-mail addresses, phone numbers and card numbers. If any remain, nothing is written, and the exit code is 1. Parts that cannot be collected, for example because the service is down, are omitted and named; the exit code is 0. Look through the file before you send it.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --list',
    '<%= config.bin %> customers list --limit 5 --har seen.har && <%= config.bin %> <%= command.id %> --last 1h --har seen.har --out bundle.zip',
  ]
  static override baseFlags = READING_FLAGS
  static override flags = BUNDLE_FLAGS

  async run(): Promise<void> {
    await writeBundle(await this.open(SupportBundle), this.argv)
  }
}
