import { printFacts } from '../../features/sandbox/serving.ts'
import { flag } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SandboxEnv extends PartnerCommand {
  static override summary = 'Print the shell variables for the running sandbox.'
  static override description =
    'Evaluate the printed lines in your shell. They set PARTNER_BASE_URL, PARTNER_API_KEY and the other variables that make partner and your own programs use the running sandbox. To start a sandbox in another terminal: partner sandbox start.'
  static override examples = [
    'eval "$(<%= config.bin %> <%= command.id %>)"',
    '<%= config.bin %> <%= command.id %> --json',
  ]
  static override flags = {
    'base-url': flag('URL', 'The sandbox at this address (default: the only one that is running).'),
  }

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxEnv)
    const { readRunning } = await import('../../sandbox/control/running.ts')
    await printFacts(await readRunning(flags['base-url']), show)
    // A PARTNER_PROFILE that is set in this shell would override the printed variables, so it must be unset.
    if (host.env['PARTNER_PROFILE'] && show.format === 'table' && !show.columns)
      await show.text('unset PARTNER_PROFILE\n')
  }
}
