import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { serve } from '../../../src/mcp/server/serve.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { Calls, RESOURCES, TOOLS } from './tools.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of any shape.
type Message = any

export type Era = 'legacy' | 'modern'

export const ERAS: readonly Era[] = ['legacy', 'modern']

const PREFIX = 'io.modelcontextprotocol'
const CLIENT = { name: 'test', version: '1' }

/** A server with a client that sends raw lines. */
export class Session {
  readonly calls = new Calls()
  readonly input = new PassThrough()
  readonly output = new PassThrough()
  readonly logged: string[] = []
  /** Every line that the server has sent. */
  readonly lines: string[] = []
  readonly stopping = new AbortController()
  now = Date.parse('2026-11-23T00:00:00Z')
  readonly ended: Promise<void>
  readonly #era: Era
  readonly #capabilities: unknown
  #onLine = () => {}
  #lastId = 0

  constructor(era: Era, capabilities: unknown = {}) {
    this.#era = era
    this.#capabilities = capabilities
    let rest = ''
    this.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      this.lines.push(...lines)
      this.#onLine()
    })
    this.ended = serve({
      version: '1.2.3',
      instructions: 'Read the guides.',
      tools: TOOLS,
      call: this.calls.call,
      resources: RESOURCES,
      input: this.input,
      output: this.output,
      log: (line) => this.logged.push(line),
      signal: this.stopping.signal,
      now: () => this.now,
    })
    onTestFinished(() => void this.input.end())
  }

  get messages(): Message[] {
    return this.lines.map((line) => JSON.parse(line))
  }

  raw(text: string): void {
    this.input.write(text)
  }

  send(message: Message): void {
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** Sends a request and returns its ID. With the newer protocol, each request contains the client's capabilities. */
  request(method: string, params: Message = {}, id: number | string = ++this.#lastId): number | string {
    const meta = {
      [`${PREFIX}/protocolVersion`]: '2026-07-28',
      [`${PREFIX}/clientInfo`]: CLIENT,
      [`${PREFIX}/clientCapabilities`]: this.#capabilities,
    }
    this.send({ id, method, params: this.#era === 'legacy' ? params : { ...params, _meta: meta } })
    return id
  }

  /** Waits for a message from the server for which `isWanted` returns true. */
  async message(isWanted: (message: Message) => boolean): Promise<Message> {
    const { promise, resolve, reject } = Promise.withResolvers<Message>()
    const look = () => {
      const found = this.messages.find(isWanted)
      if (found) resolve(found)
    }
    const limit = setTimeout(() => reject(new Error(`the server sent only:\n${this.lines.join('\n')}`)), LIMIT_MS)
    this.#onLine = look
    look()
    return promise.finally(() => clearTimeout(limit))
  }

  response(id: number | string | null): Promise<Message> {
    return this.message((message) => message['id'] === id && !('method' in message))
  }

  async ask(method: string, params: Message = {}): Promise<Message> {
    return this.response(this.request(method, params))
  }

  call(name: string, values?: Message, more: Message = {}): Promise<Message> {
    return this.ask('tools/call', { name, arguments: values, ...more })
  }

  /** Performs the MCP initialization handshake. */
  async open(): Promise<this> {
    if (this.#era === 'modern') await this.ask('server/discover')
    else {
      const params = { protocolVersion: '2025-11-25', capabilities: this.#capabilities, clientInfo: CLIENT }
      await this.ask('initialize', params)
      this.send({ method: 'notifications/initialized' })
    }
    return this
  }

  /** Waits until the server has read all messages so far and has sent all responses that are ready. */
  async settle(): Promise<void> {
    await this.ask('tools/list')
  }
}

export function open(era: Era, capabilities: unknown = {}): Promise<Session> {
  return new Session(era, capabilities).open()
}
