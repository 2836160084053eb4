import { serve } from '../../../src/mcp/server/serve.ts'
import { Calls, RESOURCES, TOOLS } from './tools.ts'

// Serves the test tools on standard streams.

const calls = new Calls()
await serve({
  version: '1.2.3',
  instructions: '',
  tools: TOOLS,
  call: calls.call,
  resources: RESOURCES,
  input: process.stdin,
  output: process.stdout,
  log: (line) => process.stderr.write(`${line}\n`),
  signal: new AbortController().signal,
  now: Date.now,
})
process.stderr.write('the server has ended\n')
