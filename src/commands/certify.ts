import { CERTIFY_FLAGS, certify } from '../features/sandbox/certify/run.ts'
import { PAGE_OUTPUT_FLAGS, PING_FLAG } from '../terminal/input/flags.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Certify extends PartnerCommand {
  static override summary = 'Test an integration against the sandbox, item by item, and sign the result.'
  static override description =
    `CMD is a shell command. It is started once for each step, with the variables of sandbox exec, with CERTIFY_COPY (the file for its copy of the bookings, one line of JSON each), and with one line of JSON on standard input: {"do":"poll"}, redeem, sale, inbound or serve. Exit code 0 means that the step is done, or was already done.

All its requests are observed. The result of each item contains the evidence, and how to fix problems. The exit code is 11 if an item failed. The signature covers the whole result; certify verify verifies it. More: partner help certify`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --list',
    '<%= config.bin %> <%= command.id %> --run "<%= config.bin %> bookings list" --only no-redirect-with-key',
  ]
  static override baseFlags = PAGE_OUTPUT_FLAGS
  static override flags = { ...CERTIFY_FLAGS, ...PING_FLAG }

  async run(): Promise<void> {
    await certify(await this.open(Certify))
  }
}
