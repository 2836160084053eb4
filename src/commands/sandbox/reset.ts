import { join } from 'node:path'
import { ApiCommand } from '../../cli/api-command.ts'
import { flag, OUTPUT_FLAGS } from '../../cli/flags.ts'
import { dataDirectory } from '../../files/directories.ts'
import { resetSandbox } from '../../sandbox/start.ts'

export default class SandboxReset extends ApiCommand {
  static override summary = 'Throw the venue of the sandbox away; the next start makes a new one.'
  static override examples = ['<%= config.bin %> <%= command.id %> --yes']
  static override baseFlags = OUTPUT_FLAGS
  static override flags = { data: flag('DIR', "Where the venue is kept (default: the sandbox profile's own).") }

  async run(): Promise<void> {
    const { flags } = await this.input(SandboxReset)
    const data = flags.data ?? join(dataDirectory(this.host.env), 'sandbox')
    await this.confirm(`Throw away the sandbox in ${data}?`)
    await resetSandbox(data)
    if (this.format === 'table') await this.say('the sandbox is empty; the next command makes a new venue')
    else await this.print(`${JSON.stringify({ reset: data })}\n`)
  }
}
