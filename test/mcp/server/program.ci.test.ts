import { join } from 'node:path'
import { Client, type ElicitResult, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NODE, startProgram } from '../../support/partner.ts'
import { TOOLS } from './tools.ts'

const PROGRAM = join(import.meta.dirname, 'program.ts')

const MODES: readonly VersionNegotiationMode[] = ['legacy', 'auto', { pin: '2026-07-28' }]

async function connect(mode: VersionNegotiationMode, canShowForms = false) {
  const capabilities = canShowForms ? { elicitation: { form: {} } } : {}
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport({ command: NODE, args: [PROGRAM], stderr: 'ignore' }))
  onTestFinished(() => client.close())
  return client
}

describe.each(MODES)('the official MCP client in version mode %j', (mode) => {
  test('the official client can list, call and cancel tools, and read resources', async () => {
    const client = await connect(mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    expect((await client.callTool({ name: 'echo', arguments: { key: 'a' } })).structuredContent).toEqual({
      records: [{ key: 'a' }],
      truncated: false,
    })
    expect((await client.callTool({ name: 'fail' })).isError).toBe(true)
    await expect(client.callTool({ name: 'no_such_tool' })).rejects.toThrow('Unknown tool: no_such_tool')
    const { resources } = await client.listResources()
    expect((await client.readResource({ uri: resources[0]?.uri ?? '' })).contents).toHaveLength(1)
    const commit = await client.callTool({ name: 'commit', arguments: { key: 'k' } })
    expect(commit.structuredContent).toEqual({ key: 'k', state: 'needs-approval' })

    const stop = new AbortController()
    const call = client.callTool({ name: 'wait', arguments: { key: 'a' } }, { signal: stop.signal })
    stop.abort('enough')
    await expect(call).rejects.toThrow('enough')
    expect((await client.callTool({ name: 'echo' })).isError).toBeUndefined()
  })

  test("the official client shows the form, and the server receives the person's decision", async () => {
    const client = await connect(mode, true)
    const answers: ElicitResult[] = [
      { action: 'accept', content: { approve: true } },
      { action: 'accept', content: { approve: false } },
      { action: 'decline' },
      { action: 'cancel' },
    ]
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return answers[asked.length - 1] ?? { action: 'cancel' }
    })
    const decisions: unknown[] = []
    for (const key of ['a', 'b', 'c', 'd'])
      decisions.push((await client.callTool({ name: 'commit', arguments: { key } })).structuredContent)
    expect(asked).toEqual(['Redeem a?', 'Redeem b?', 'Redeem c?', 'Redeem d?'])
    expect(decisions).toEqual([
      { key: 'a', approved: true },
      { key: 'b', approved: false },
      { key: 'c', approved: false },
      { key: 'd', approved: 'cancelled' },
    ])
  })
})

describe('the MCP server on standard streams', () => {
  const lines = (messages: readonly object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

  test('the server prints only protocol messages to stdout and exits with code 0 when stdin ends', async () => {
    const input = `{bad\n${lines([call(1, 'fail'), call(2, 'echo'), call(3, 'no_such_tool')])}`
    const { code, stdout, stderr } = await startProgram(NODE, [PROGRAM], { input }).ended
    expect(code).toBe(0)
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
    expect(new Set(messages.map(({ id }) => id))).toEqual(new Set([null, 1, 2, 3]))
    expect(stderr).toContain('the server has ended')
  })

  test('the server exits with code 0 when its stdout is closed', async () => {
    const running = startProgram(NODE, [PROGRAM], { input: null, stdout: 'unread' })
    const { stdin, stdout } = running.process
    stdin?.write(lines([call(1, 'wait')]))
    stdout?.destroy()
    // Make the server write a response, because only then does it notice that the pipe is closed.
    const writing = setInterval(() => stdin?.write(lines([call(2, 'echo')])), 20)
    const { code, stderr } = await running.ended.finally(() => clearInterval(writing))
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('the server has ended')
  })
})
