import { BUNDLE_FLAGS, writeBundle } from '../../features/support/bundle/run.ts'
import { READING_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SupportBundle extends PartnerCommand {
  static override summary = 'Collect what support needs to see in one file, without guests and secrets.'
  static override description =
    `The zip holds what the doctor and drift find, the settings, the open money writes and the traffic of these reads; with --har and --journal also what you recorded. Guests get pseudonyms: the same guest the same one throughout, and nobody can turn them back. Free text is dropped. Nothing is sent anywhere but to the service, which is only read.

Before it is written, all of it is searched for secrets, e-mail addresses, phone and card numbers. If one is left, nothing is written, and the exit code is 1. A part that cannot be collected, because the service is down, is left out and named; the exit code is 0. Look through the file before you send it.`
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
