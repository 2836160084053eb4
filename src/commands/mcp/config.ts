import { MCP_CONFIG_FLAGS, showMcpConfig } from '../../features/mcp/config.ts'
import { PROFILE_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class McpConfig extends PartnerCommand {
  static override summary = 'Print the configuration that an AI client needs to start partner mcp.'
  static override description =
    'The output shows which file to change and what to add to it. For claude-code, it also contains a command that makes this change. The client then starts the server with the flags that you use here, and with the profile that this command uses. The configuration contains paths on this machine, but no secret: the server reads the key from the profile. No file is changed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --client claude-code --profile sandbox',
    '<%= config.bin %> <%= command.id %> --client cursor --profile sandbox --allow bookings',
    '<%= config.bin %> <%= command.id %> --client json --profile sandbox --json --query config',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = MCP_CONFIG_FLAGS

  async run(): Promise<void> {
    await showMcpConfig(await this.open(McpConfig))
  }
}
