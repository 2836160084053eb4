import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { makeFiles, profileEnvironment, type RunCommand, SENSIBLE } from '../mcp/running/sensible.ts'
import { TOOLS } from '../mcp/tools/all-tools.ts'
import { cleanEnvironment, type Environment, freshDirectory, freshHome, runPartner, TOOL } from '../support/partner.ts'
import { startSandbox } from '../support/sandbox-process.ts'

const MODES: readonly VersionNegotiationMode[] = ['legacy', { pin: '2026-07-28' }]

test('the official MCP client lists all tools and calls each one on the sandbox, with both the legacy and the current protocol', async () => {
  const sandbox = await startSandbox()
  onTestFinished(() => void sandbox.stop())
  const env = { ...freshHome(), ...profileEnvironment(sandbox) }
  const run: RunCommand = async (...args) => {
    const { code, stdout, stderr } = await runPartner(args, { env })
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
    return stdout
  }
  const flags = await makeFiles(run, sandbox, freshDirectory())
  for (const mode of MODES) await callAll(mode, { env, flags, run })
})

interface Started {
  readonly env: Environment
  readonly flags: readonly string[]
  readonly run: RunCommand
}

async function callAll(mode: VersionNegotiationMode, { env, flags, run }: Started): Promise<void> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const [command, ...before] = TOOL
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...before, 'mcp', '--allow', 'money', '--approve-up-to', '10', ...flags],
      env: cleanEnvironment(env) as Record<string, string>,
      stderr: 'ignore',
    }),
  )
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS.map(({ name }) => name).sort())
  expect(SENSIBLE.map(([name]) => name).sort()).toEqual(tools.map(({ name }) => name).sort())
  const told = tools.map(({ name, title, description, annotations }) => ({ name, title, description, annotations }))
  expect(told).toEqual(
    TOOLS.map(({ name, title, description, annotations }) => ({ name, title, description, annotations })),
  )

  const results = new Map<string, unknown>()
  for (const [name, values] of SENSIBLE) {
    const args = (await values({ results, run })) as Record<string, unknown>
    // `callTool` throws if the result does not match the tool's output schema.
    const { isError, structuredContent, content, _meta } = await client.callTool({ name, arguments: args })
    const text = content.map((each) => (each.type === 'text' ? each.text : '')).join('')
    expect(isError ?? false, `${name} ${JSON.stringify(args)}: ${text}`).toBe(false)
    expect(text, name).not.toBe('')
    const { openWorldHint } = TOOLS.find((tool) => tool.name === name)?.annotations ?? {}
    if (openWorldHint) expect(_meta, name).toMatchObject({ 'partner/untrusted': true })
    results.set(name, structuredContent)
  }
  expect(results.get('money_commit')).toMatchObject({ state: 'done', answer: { amountRedeemed: 1.5 } })
}
