import { MCP_FLAGS } from '../features/mcp/flags.ts'
import { PROFILE_FLAGS } from '../terminal/input/flags.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Mcp extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Serve tools for AI agents on standard input and output (Model Context Protocol).'
  static override description =
    'Your AI client starts this command: partner mcp config prints the configuration for it. The profile is fixed when the server starts, and no tool takes an address, a key or a file path. Without --allow, agents can only read. With --allow money, an agent prepares an order, you approve it, and it is sent once, however often the agent commits it. Text from guests and from the service is marked as data. The server ends when the client closes its input.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile sandbox < /dev/null',
    '<%= config.bin %> <%= command.id %> --profile sandbox --allow money --per-day 500 < /dev/null',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = MCP_FLAGS

  async run(): Promise<void> {
    const { host, flags, say } = await this.open(Mcp)
    // At a terminal, the server was started by a user, not by an MCP client.
    if (host.needsYes)
      await say(
        'waiting for an MCP client on standard input (press Ctrl-C to stop); to set up a client: partner mcp config --help',
      )
    const { serveMcp } = await import('../mcp/serve-mcp.ts')
    await serveMcp(host, flags)
  }
}
