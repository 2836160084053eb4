import { describe, expect, test } from 'vitest'
import { CLIENTS, type Machine, setupFor } from '../../../src/features/mcp/clients.ts'

const LAUNCH = { command: '/opt/node', args: ['/opt/partner/bin/run.js', 'mcp', '--profile', 'the city'], env: {} }

const LINUX: Machine = { platform: 'linux', env: { HOME: '/home/ada' } }
const MAC: Machine = { platform: 'darwin', env: { HOME: '/Users/ada' } }
const WINDOWS: Machine = {
  platform: 'win32',
  env: { USERPROFILE: 'C:\\Users\\ada', APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
}

describe('MCP client configuration files', () => {
  test.each([
    ['claude-code', '/home/ada/.claude.json', '/Users/ada/.claude.json', 'C:\\Users\\ada\\.claude.json'],
    [
      'claude-desktop',
      '/home/ada/.config/Claude/claude_desktop_config.json',
      '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ],
    ['cursor', '/home/ada/.cursor/mcp.json', '/Users/ada/.cursor/mcp.json', 'C:\\Users\\ada\\.cursor\\mcp.json'],
    [
      'vscode',
      '/home/ada/.config/Code/User/mcp.json',
      '/Users/ada/Library/Application Support/Code/User/mcp.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
    ],
    ['json', null, null, null],
  ] as const)('setupFor returns the configuration file of %s on each platform', (client, linux, mac, windows) => {
    expect([LINUX, MAC, WINDOWS].map((machine) => setupFor(client, LAUNCH, machine).file)).toEqual([
      linux,
      mac,
      windows,
    ])
  })

  test('setupFor respects XDG_CONFIG_HOME on Linux', () => {
    const env = { ...LINUX.env, XDG_CONFIG_HOME: '/etc/ada' }
    expect(setupFor('vscode', LAUNCH, { ...LINUX, env }).file).toBe('/etc/ada/Code/User/mcp.json')
  })
})

describe('MCP client configurations', () => {
  const { command, args } = LAUNCH

  test.each([
    ['claude-code', { mcpServers: { partner: { type: 'stdio', command, args } } }],
    ['claude-desktop', { mcpServers: { partner: { command, args } } }],
    ['cursor', { mcpServers: { partner: { command, args } } }],
    ['vscode', { servers: { partner: { type: 'stdio', command, args } } }],
    ['json', { mcpServers: { partner: { command, args } } }],
  ] as const)('setupFor configures %s to start the server with the given command', (client, config) => {
    expect(setupFor(client, LAUNCH, LINUX)).toMatchObject({ client, command, args, config })
  })

  test('setupFor adds environment variables to the configuration if any are given', () => {
    const env = { PARTNER_CONFIG_DIR: '/srv/a b' }
    expect(setupFor('cursor', { ...LAUNCH, env }, LINUX).config).toEqual({
      mcpServers: { partner: { command, args, env } },
    })
  })

  test('setupFor returns a shell-quoted command that adds the server, but only for Claude Code', () => {
    const env = { PARTNER_CONFIG_DIR: '/srv/a b' }
    expect(setupFor('claude-code', { ...LAUNCH, env }, LINUX).add).toBe(
      "claude mcp add --env 'PARTNER_CONFIG_DIR=/srv/a b' --transport stdio partner -- /opt/node /opt/partner/bin/run.js mcp --profile 'the city'",
    )
    const others = CLIENTS.filter((client) => client !== 'claude-code')
    expect(others.map((client) => setupFor(client, LAUNCH, LINUX).add)).toEqual([null, null, null, null])
  })
})
