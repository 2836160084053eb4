import { MCP_CONFIG_FLAGS, showMcpConfig } from '../../features/mcp/config.ts'
import { PROFILE_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class McpConfig extends PartnerCommand {
  static override summary = 'Print what to put into the configuration of an AI client, and where.'
  static override description =
    'The configuration starts partner mcp with the given flags, for the profile that is now in use. It contains paths on this machine. Nothing is written and no secret is printed: the server reads the key from the profile.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --client claude-code --profile sandbox',
    '<%= config.bin %> <%= command.id %> --client cursor --profile production --allow bookings',
    '<%= config.bin %> <%= command.id %> --client json --profile sandbox --json --query config',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = MCP_CONFIG_FLAGS

  async run(): Promise<void> {
    await showMcpConfig(await this.open(McpConfig))
  }
}
