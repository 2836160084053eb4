import { resolve } from 'node:path'
import { usageFailure } from '../../base/failure/failure.ts'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import { databaseKind } from '../../sync/database-kind.ts'
import { type FlagValues, requiredFlag } from '../../terminal/input/flags.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { copyOwner, settingsOf } from '../shared/copies.ts'
import { CLIENTS, type ClientSetup, isClient, setupFor } from './clients.ts'
import { MCP_FLAGS, type McpFlags, readMcpFlags } from './flags.ts'
import { setupCard, setupList } from './views.ts'

export const MCP_CONFIG_FLAGS = {
  client: requiredFlag(CLIENTS.join('|'), 'The MCP client that starts the server, or json for any other client.'),
  ...MCP_FLAGS,
} as const

/** Environment variables that a client does not pass on by itself. They contain no secrets. */
const PASSED_VARIABLES = [
  ...['PARTNER_CONFIG_DIR', 'PARTNER_DATA_DIR', 'PARTNER_CACHE_DIR'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS'],
]

/** Shows the configuration that adds the server to a client. Throws USAGE or NO_PROFILE. */
export async function showMcpConfig({
  flags,
  show,
  host,
  warn,
}: Opened<FlagValues<typeof MCP_CONFIG_FLAGS>, object>): Promise<void> {
  const { client } = flags
  if (!isClient(client))
    throw usageFailure(
      [`--client must be ${CLIENTS.join(', ')}, not ${JSON.stringify(client)}`],
      'for any other client: --client json',
    )
  if (flags['base-url'] !== undefined)
    throw usageFailure(
      ['--base-url cannot be used in a client configuration, because the server also needs a key'],
      'add a profile: partner profiles add --help',
    )
  // If PARTNER_LEDGER applies to this command, pass its value as a flag: the server runs with --profile and would
  // ignore the variable.
  const ledger = flags.ledger ?? (flags.profile === undefined ? host.env['PARTNER_LEDGER'] || undefined : undefined)
  const given = { ...flags, ledger }
  readMcpFlags(given, host.env)
  const settings = settingsOf(host, flags)
  const { profile } = copyOwner(settings)
  if (profile === null)
    throw usageFailure(
      ["a configuration needs a profile, as clients do not pass on this shell's environment variables"],
      'add a profile and select it with --profile: partner profiles add --help',
    )
  const { apiKey } = settings
  if (apiKey !== null && 'env' in apiKey.value)
    await warn(
      `the profile ${profile} reads its key from ${apiKey.value.env}, which clients do not pass on: store it elsewhere with partner profiles set ${quoteShellWord(profile)} --api-key-stdin`,
    )
  const args = [resolve(process.argv[1] ?? ''), 'mcp', '--profile', profile, ...givenFlags(given)]
  const env = Object.fromEntries(PASSED_VARIABLES.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : [])))
  const setup = setupFor(
    client,
    { command: process.execPath, args, env },
    { env: host.env, platform: process.platform },
  )
  if (show.isPlain) await show.text(textOf(setup))
  else await show.one({ ...setup }, { card: setupCard, list: setupList })
}

/**
 * Returns the given flags as command-line arguments. A client runs the server in another directory, so paths become
 * absolute.
 */
function givenFlags(flags: McpFlags): string[] {
  const names = Object.keys(MCP_FLAGS) as (keyof McpFlags)[]
  return names.flatMap((name) => {
    const value = flags[name]
    if (value === undefined) return []
    const isFile = (name === 'copy' || name === 'journal') && databaseKind(value) !== 'postgres'
    return [`--${name}`, isFile ? resolve(value) : value]
  })
}

function textOf({ client, file, config, add }: ClientSetup): string {
  const json = `${JSON.stringify(config, null, 2)}\n`
  if (file === null) return json
  if (add !== null)
    return `# Run this command, which changes ${file}:\n${add}\n\n# Or, for one project, put this into its .mcp.json:\n${json}`
  const restart = client === 'claude-desktop' ? ', then restart Claude' : ''
  return `# Put this into ${file}${restart}:\n${json}`
}
