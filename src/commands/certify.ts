import { CERTIFY_FLAGS, certify } from '../features/sandbox/certify/run.ts'
import { PAGE_OUTPUT_FLAGS } from '../terminal/input/flags.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Certify extends PartnerCommand {
  static override summary = 'Try an integration on the sandbox, item by item, and sign what came of it.'
  static override description =
    `CMD is a line of shell. It is started for each step, with the variables of sandbox exec, CERTIFY_COPY (where it keeps its copy of the bookings, a line of JSON each) and one line of JSON on standard input: {"do":"poll"}, redeem, sale, inbound or serve. Exit 0 says that the step is done, or was already.

What it does is watched on the wire. Each item ends with its evidence and how to mend what is wrong; the exit code is 11 when one failed. The result is signed as a whole: certify verify checks it. More: partner help certify`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --list',
    "<%= config.bin %> <%= command.id %> --run '<%= config.bin %> bookings list > /dev/null' --only no-redirect-with-key",
  ]
  static override baseFlags = PAGE_OUTPUT_FLAGS
  static override flags = CERTIFY_FLAGS

  async run(): Promise<void> {
    await certify(await this.open(Certify))
  }
}
