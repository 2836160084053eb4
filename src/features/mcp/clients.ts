import { posix, win32 } from 'node:path'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import { homeDirectory, roamingDirectory, type Variables } from '../../base/storage/directories.ts'

/** The MCP clients whose configuration is known. `json` is for all other clients. */
export const CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'json'] as const

type Client = (typeof CLIENTS)[number]

/** How a client starts the server. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The configuration that adds the server to a client. */
export interface ClientSetup {
  readonly client: Client
  /** The absolute path of the client's configuration, or `null` if it is not known. */
  readonly file: string | null
  readonly command: string
  readonly args: readonly string[]
  readonly config: JsonObject
  /** The command line that adds the server, or `null` if the client has no such command. */
  readonly add: string | null
}

/** The environment and platform of the computer that runs the client. */
export interface Machine {
  readonly env: Variables
  readonly platform: NodeJS.Platform
}

/** The name of the server in the client's configuration. */
const NAME = 'partner'

export function isClient(name: string): name is Client {
  return (CLIENTS as readonly string[]).includes(name)
}

export function setupFor(client: Client, { command, args, env }: Launch, machine: Machine): ClientSetup {
  const hasVariables = Object.keys(env).length > 0
  const server = { command, args, ...(hasVariables ? { env } : {}) }
  const isTyped = client === 'vscode' || client === 'claude-code'
  const servers = { [NAME]: isTyped ? { type: 'stdio', ...server } : server }
  const config = client === 'vscode' ? { servers } : { mcpServers: servers }
  const add = client === 'claude-code' ? addCommand({ command, args, env }) : null
  return { client, file: fileOf(client, machine), command, args, config, add }
}

/**
 * Builds the command line of `claude mcp add`. `--env` takes any number of values, so another option must separate them
 * from the name.
 */
function addCommand({ command, args, env }: Launch): string {
  const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const words = ['claude', 'mcp', 'add', ...variables, '--transport', 'stdio', NAME, '--', command, ...args]
  return words.map(quoteShellWord).join(' ')
}

function fileOf(client: Client, { env, platform }: Machine): string | null {
  const { join } = platform === 'win32' ? win32 : posix
  const home = homeDirectory(env, platform)
  const settings = () => {
    if (platform === 'win32') return roamingDirectory(env)
    if (platform === 'darwin') return join(home, 'Library', 'Application Support')
    return env['XDG_CONFIG_HOME'] || join(home, '.config')
  }
  switch (client) {
    case 'claude-code':
      return join(home, '.claude.json')
    case 'claude-desktop':
      return join(settings(), 'Claude', 'claude_desktop_config.json')
    case 'cursor':
      return join(home, '.cursor', 'mcp.json')
    case 'vscode':
      return join(settings(), 'Code', 'User', 'mcp.json')
    case 'json':
      return null
  }
}
