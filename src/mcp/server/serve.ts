import { pipeline, type Readable, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Tool } from '../tools/tool.ts'
import type { Call } from './call.ts'
import { Calls } from './calls.ts'
import { LineGuard } from './line-guard.ts'
import type { Resources } from './resources.ts'
import { createServer } from './server.ts'

export interface ServeOptions {
  readonly version: string
  /** Instructions that the client can pass to its model. */
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly call: Call
  readonly resources: Resources
  readonly input: Readable
  /** The stream for protocol messages, one per line. Nothing else is written to it. */
  readonly output: Writable
  readonly log: (line: string) => void
  /** Ends the connection. */
  readonly signal: AbortSignal
  readonly now: () => number
}

/**
 * Serves the 2026-07-28 revision of MCP and earlier ones over two streams, until the input ends, the output is closed,
 * or the signal aborts. Then cancels the calls and resolves once the work that continues after them is done.
 */
export async function serve({ input, output, signal, ...options }: ServeOptions): Promise<void> {
  const { log } = options
  const calls = new Calls(options)
  const guard = new LineGuard((line) => output.write(line))
  // Ignore input errors: the connection then ends as it does at the end of the input.
  pipeline(input, guard, () => {})
  const wire = new Wire(guard, output)
  const connection = serveStdio((connected) => createServer(connected, { ...options, calls }), {
    transport: wire,
    onerror: (error) => log(error.message),
  })
  const close = () => void connection.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  await wire.closed
  signal.removeEventListener('abort', close)
  guard.destroy()
  await calls.settled()
}

/** A transport whose `closed` promise resolves when it has closed. The SDK overwrites `onclose`. */
class Wire extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>()
  readonly closed = this.#closed.promise

  override async close(): Promise<void> {
    await super.close()
    this.#closed.resolve()
  }
}
