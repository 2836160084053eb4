import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SandboxFacts } from '../../src/sandbox/facts.ts'
import { makeFiles, profileEnvironment, SENSIBLE } from '../../test/mcp/running/sensible.ts'

// Lists the tools with the MCP Inspector and calls each tool on the sandbox, once per protocol era that the Inspector
// supports: `npm run mcp:inspector`. npx downloads the Inspector, which is too large to be a dependency.

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const bin = join(import.meta.dirname, '..', '..', 'bin', 'run.js')

let problems = 0

function report(era: string, what: string, isOk: boolean, more = ''): void {
  if (!isOk) problems++
  process.stdout.write(`${era} ${isOk ? 'ok    ' : 'FAILED'} ${what}${isOk || more === '' ? '' : `: ${more}`}\n`)
}

async function inspectEra(era: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'partner-inspector-'))
  const { PATH } = process.env
  const sandbox = spawn(process.execPath, [bin, 'sandbox', 'start', '--data', ':memory:', '--json'], {
    env: { PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string]
    const facts = JSON.parse(line) as SandboxFacts
    const env = { PATH, HOME: home, ...profileEnvironment(facts) }
    const run = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' })
      if (status !== 0) throw new Error(`partner ${args.join(' ')} ended with ${status}: ${stderr}`)
      return stdout
    }
    const files = await makeFiles(run, facts, home)
    const args = [bin, 'mcp', '--allow', 'money', '--approve-up-to', '5', ...files]
    const config = join(home, 'mcp.json')
    writeFileSync(config, JSON.stringify({ mcpServers: { partner: { command: process.execPath, args, env } } }))
    const inspect = (...words: readonly string[]) => {
      const options = ['--config', config, '--server', 'partner', '--protocol-era', era, '--format', 'json']
      return spawnSync('npx', ['-y', INSPECTOR, '--cli', ...options, ...words], { encoding: 'utf8' })
    }
    const listed = inspect('--method', 'tools/list', '--strict')
    report(era, 'tools/list --strict', listed.status === 0, listed.stderr)
    const resources = inspect('--method', 'resources/read', '--uri', 'partner://guide/money')
    report(era, 'resources/read', resources.status === 0, resources.stderr)
    const results = new Map<string, unknown>()
    for (const [name, values] of SENSIBLE) {
      const words = ['--tool-name', name, '--tool-args-json', JSON.stringify(await values({ results, run }))]
      const { status, stdout, stderr } = inspect('--method', 'tools/call', ...words)
      report(era, name, status === 0, stderr + stdout)
      if (status === 0) results.set(name, structuredContentIn(stdout))
    }
  } finally {
    const ended = once(sandbox, 'exit')
    sandbox.kill()
    await ended
    rmSync(home, { recursive: true, force: true })
  }
}

function structuredContentIn(printed: string): unknown {
  const { result, structuredContent } = JSON.parse(printed)
  return structuredContent ?? result?.structuredContent
}

for (const era of ['legacy', 'modern']) await inspectEra(era)
process.exitCode = problems === 0 ? 0 : 1
