import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../base/json/exact.ts'
import { commandList } from '../features/surface/commands.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Commands extends PartnerCommand {
  static override summary = 'List all commands; with --json, print them as data for scripts and agents.'
  static override description =
    'WRITES shows what a command can change in the service: nothing (none), venue data (booking: bookings, customers or subscriptions), or money. With --json, the output also contains the arguments, flags and possible exit codes of each command, and the JSON Schema of its --json output. Nothing is sent.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    `<%= config.bin %> <%= command.id %> --json --query "[?writes=='money'].id"`,
    `<%= config.bin %> <%= command.id %> --json --query "[?id=='bookings list'].outputSchema | [0]"`,
  ]

  async run(): Promise<void> {
    const { host, show } = await this.open(Commands)
    await show.all(JSON.parse(readFileSync(join(host.dist, 'commands.json'), 'utf8')) as JsonObject[], commandList)
  }
}
