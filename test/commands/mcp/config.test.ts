import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { expectRefusal } from '../../support/refusal.ts'

const KEY = 'a-key-that-nobody-sees'

/** Sets up partner with a `city` profile that has the given key. */
async function desk(key = 'env:CITY_KEY') {
  const cwd = freshDirectory()
  const env = { ...freshHome(), CITY_KEY: KEY }
  const run = (...line: readonly string[]) => runPartner(line, { env, cwd })
  const added = await run('profiles', 'add', 'city', '--base-url', 'https://service.example', '--api-key', key)
  expect(added.code, added.stderr).toBe(0)
  const config = (...line: readonly string[]) => run('mcp', 'config', ...line)
  return { config, cwd, env }
}

const SANDBOX = ['--profile', 'sandbox'] as const

describe('partner mcp config', () => {
  test('partner mcp config --client json prints only the configuration, as JSON', async () => {
    const { config, env } = await desk()
    const { code, stdout, stderr } = await config('--client', 'json', ...SANDBOX)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { command, args, env: passed } = JSON.parse(stdout).mcpServers.partner
    expect(command).toBe(resolve(command))
    expect(args).toEqual([resolve(args[0]), 'mcp', '--profile', 'sandbox'])
    expect(passed.PARTNER_CONFIG_DIR).toBe(env.PARTNER_CONFIG_DIR)
    expect(passed).not.toHaveProperty('CITY_KEY')
  })

  test.each([
    ['claude-desktop', 'claude_desktop_config.json'],
    ['cursor', 'mcp.json'],
    ['vscode', 'mcp.json'],
  ])('partner mcp config says which file the configuration of %s belongs in', async (client, file) => {
    const { config } = await desk()
    const [where = '', ...json] = (await config('--client', client, ...SANDBOX)).stdout.split('\n')
    expect(where).toMatch(new RegExp(`^# Put this into /\\S+/${file.replace('.', '\\.')}`))
    expect(JSON.parse(json.join('\n'))).toHaveProperty(client === 'vscode' ? 'servers.partner' : 'mcpServers.partner')
  })

  test('partner mcp config prints the command that adds the server to Claude Code', async () => {
    const { config } = await desk()
    const { stdout } = await config('--client', 'claude-code', ...SANDBOX)
    expect(stdout).toMatch(/^claude mcp add .*--transport stdio partner -- \S+ \S+ mcp --profile sandbox$/m)
  })

  test('partner mcp config --json prints the configuration, and its command and arguments as separate members', async () => {
    const { config } = await desk()
    const shown = JSON.parse((await config('--client', 'cursor', ...SANDBOX, '--json')).stdout)
    expect(Object.keys(shown)).toEqual(['client', 'file', 'command', 'args', 'config', 'add'])
    expect(shown.config.mcpServers.partner).toMatchObject({ command: shown.command, args: shown.args })
  })

  test('partner mcp config passes on the given flags, with absolute paths', async () => {
    const { config, cwd } = await desk()
    const given = [
      '--allow',
      'money',
      '--tools',
      'bookings_list,money_commit',
      '--approve-up-to',
      '25',
      '--per-day',
      '100',
    ]
    const files = ['--copy', 'venue.db', '--journal', 'hooks.ndjson', '--ledger', 'postgres://till@db.example/money']
    const { stdout } = await config('--client', 'json', ...SANDBOX, ...given, ...files, '--json', '--query', 'args')
    const args = JSON.parse(stdout).slice(2)
    const words = ['--allow', 'money', '--tools', 'bookings_list,money_commit', '--copy', resolve(cwd, 'venue.db')]
    const more = ['--journal', resolve(cwd, 'hooks.ndjson'), '--approve-up-to', '25', '--per-day', '100']
    const all = [...words, ...more, '--ledger', 'postgres://till@db.example/money']
    expect(args).toEqual(['--profile', 'sandbox', ...all])
  })

  test('partner mcp config passes on the ledger from PARTNER_LEDGER', async () => {
    const { env } = await desk()
    const ledger = 'postgres://till@db.example/money'
    const at = { env: { ...env, PARTNER_LEDGER: ledger } }
    const args = async (...more: string[]) => {
      const { stdout } = await runPartner(['mcp', 'config', '--client', 'json', ...more], at)
      return JSON.parse(stdout).mcpServers.partner.args.slice(2)
    }
    expect(await args()).toEqual(['--profile', 'city', '--ledger', ledger])
    // As with every command, --profile overrides the environment variables.
    expect(await args('--profile', 'city')).toEqual(['--profile', 'city'])
  })

  test('partner mcp config does not change a PostgreSQL URL in --copy', async () => {
    const { config } = await desk()
    const url = 'postgres://reports@db.example/venue'
    expect((await config('--client', 'json', ...SANDBOX, '--copy', url)).stdout).toContain(`"${url}"`)
  })

  test('partner mcp config names the current profile and never prints its key', async () => {
    const { config } = await desk()
    const { stdout, stderr } = await config('--client', 'json')
    expect(JSON.parse(stdout).mcpServers.partner.args.slice(2)).toEqual(['--profile', 'city'])
    expect(stdout + stderr).not.toContain(KEY)
  })

  test("partner mcp config warns if the profile's key is in a variable, because clients do not pass on variables", async () => {
    const { config } = await desk()
    expect((await config('--client', 'json', '--profile', 'city')).stderr).toContain(
      'the profile city reads its key from CITY_KEY, which clients do not pass on',
    )
    const other = await desk('file:/run/key')
    expect((await other.config('--client', 'json', '--profile', 'city')).stderr).toBe('')
  })

  test('partner mcp config requires a profile, because clients do not pass on variables', async () => {
    const env = { ...freshHome(), PARTNER_BASE_URL: 'https://service.example', PARTNER_API_KEY: KEY }
    const run = await runPartner(['mcp', 'config', '--client', 'json'], { env })
    expectRefusal(run, { code: 2, says: 'a configuration needs a profile', next: 'partner profiles add --help' })
  })

  test('partner mcp config refuses a profile that does not exist', async () => {
    const { config } = await desk()
    expectRefusal(await config('--client', 'json', '--profile', 'nobody'), { code: 4, says: 'nobody' })
  })

  test.each([
    [['--client', 'emacs'], '--client must be claude-code, claude-desktop, cursor, vscode, json, not "emacs"'],
    [[], '--client'],
    [['--client', 'json', '--base-url', 'https://x.example'], '--base-url'],
    [['--client', 'json', '--allow', 'all'], '--allow must be reads, bookings or money, not "all"'],
    [['--client', 'json', '--allow', 'money', '--approve-up-to', '-5'], '--approve-up-to'],
    [['--client', 'json', '--allow', 'money', '--per-day', '1.234'], '--per-day'],
    [['--client', 'json', '--per-day', '100'], '--per-day needs --allow money'],
    [['--client', 'json', '--approve-up-to', '5', '--allow', 'bookings'], '--approve-up-to needs --allow money'],
    [['--client', 'json', '--tools', 'bookings list'], '--tools'],
    [['--client', 'json', '--copy', 'venue.csv'], '--copy'],
    [['--client', 'json', '--copy', 'postgres://u:pw@db.example/v'], '--copy must not contain a password'],
    [['--client', 'json', '--ledger', 'postgres://u:pw@db.example/v'], '--ledger must not contain a password'],
    [['--client', 'json', '--journal', '-'], '--journal'],
  ])('partner mcp config refuses %j', async (flags, says) => {
    const { config } = await desk()
    const run = await config(...SANDBOX, ...flags)
    expectRefusal(run, { code: 2, says })
    expect(run.stdout + run.stderr).not.toContain('pw')
  })
})
