import { LIMIT_MS } from '../../support/limit.ts'
import { type Environment, NODE, PARTNER, type Running, startProgram, TOOL } from '../../support/partner.ts'
import { signalGroup } from '../../support/running.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of any shape.
export type Message = any

export type Era = 'legacy' | 'modern'

/**
 * The protocol versions: `legacy` requires `initialize`, and `modern` (2026-07-28) has only self-contained requests.
 */
export const ERAS: readonly Era[] = ['legacy', 'modern']

const PREFIX = 'io.modelcontextprotocol'
const CLIENT = { name: 'test', version: '1' }

export interface ClientOptions {
  readonly era: Era
  readonly env: Environment
  /** The flags for `partner mcp`. */
  readonly flags?: readonly string[]
  /** Answers a form. If omitted, the client does not support forms. */
  readonly answerForm?: (message: string) => Message
  /** Node options, such as `--expose-gc`. */
  readonly node?: readonly string[]
}

/** A client that starts `partner mcp` as users do, and sends raw lines to it. */
export class RawClient {
  readonly running: Running
  readonly messages: Message[] = []
  readonly #options: ClientOptions
  readonly #responses = new Map<number | string | null, Message[]>()
  #rest = ''
  #hasEnded = false
  #lastId = 0
  readonly #waiting = new Set<() => void>()

  constructor(options: ClientOptions) {
    this.#options = options
    const { env, flags = [], node = [] } = options
    // Run partner with Node if there are Node options, because a standalone executable does not accept them.
    const [program, ...before] = node.length > 0 ? [NODE, ...node, PARTNER] : TOOL
    this.running = startProgram(program, [...before, 'mcp', ...flags], { env, input: null, isService: true })
    this.running.process.stdout?.on('data', (text: string) => this.#take(text))
    // Prevents an unhandled rejection. Code that awaits `ended` still receives the error.
    this.running.ended.catch(() => {})
    this.running.process.once('close', () => {
      this.#hasEnded = true
      this.#wake()
    })
  }

  /** Starts the server and performs the MCP initialization handshake. */
  static async open(options: ClientOptions): Promise<RawClient> {
    const client = new RawClient(options)
    if (options.era === 'modern') await client.ask('server/discover')
    else {
      const params = { protocolVersion: '2025-11-25', capabilities: client.#capabilities, clientInfo: CLIENT }
      await client.ask('initialize', params)
      client.send({ method: 'notifications/initialized' })
    }
    return client
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  get #capabilities(): object {
    return this.#options.answerForm === undefined ? {} : { elicitation: { form: {} } }
  }

  raw(text: string): void {
    this.running.process.stdin?.write(text)
  }

  send(message: Message): void {
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** Sends a request and returns its ID. */
  request(method: string, params: Message = {}, id: number | string = this.nextId()): number | string {
    const meta = {
      [`${PREFIX}/protocolVersion`]: '2026-07-28',
      [`${PREFIX}/clientInfo`]: CLIENT,
      [`${PREFIX}/clientCapabilities`]: this.#capabilities,
    }
    this.send({ id, method, params: this.#options.era === 'legacy' ? params : { ...params, _meta: meta } })
    return id
  }

  nextId(): number {
    return ++this.#lastId
  }

  /** Waits until the server has sent `count` responses with this ID, and returns all responses with the ID. */
  async responses(id: number | string, count = 1): Promise<Message[]> {
    const found = () => this.#responses.get(id) ?? []
    const { promise, resolve, reject } = Promise.withResolvers<Message[]>()
    const look = () => {
      if (found().length >= count) resolve(found())
      else if (this.#hasEnded) reject(new Error(`the server has ended: ${this.running.said.stderr}`))
    }
    const late = () => reject(new Error(`no response to ${id}; the log is:\n${this.running.said.stderr}`))
    const limit = setTimeout(late, LIMIT_MS)
    this.#waiting.add(look)
    look()
    return promise.finally(() => {
      clearTimeout(limit)
      this.#waiting.delete(look)
    })
  }

  async ask(method: string, params: Message = {}): Promise<Message> {
    return (await this.responses(this.request(method, params)))[0]
  }

  /** Calls a tool and answers the form if the server sends one. Returns the result. */
  async call(name: string, values?: Message): Promise<Message> {
    return this.resultOf(this.request('tools/call', { name, arguments: values }), name, values)
  }

  /** Waits for a call's result. With the newer protocol, answers a form by repeating the call. */
  async resultOf(id: number | string, name: string, values?: Message): Promise<Message> {
    const [{ result, error }] = await this.responses(id)
    if (error !== undefined) throw new Error(`${name} failed with ${JSON.stringify(error)}`)
    if (result.resultType !== 'input_required') return result
    const { requestState, inputRequests } = result
    const answer = this.#options.answerForm?.(inputRequests.approve.params.message)
    return this.callAgain(name, values, { requestState, inputResponses: { approve: answer } })
  }

  /** Calls a tool. `more` contains additional parameters of the request. */
  async callAgain(name: string, values: Message, more: Message): Promise<Message> {
    return this.resultOf(this.request('tools/call', { name, arguments: values, ...more }), name, values)
  }

  /** Kills the server to simulate a crash. */
  async kill(): Promise<void> {
    if (!this.#hasEnded) signalGroup(this.running, 'SIGKILL')
    await this.running.ended
  }

  /** Closes standard input. Returns the exit code. */
  async end(): Promise<number | null> {
    this.running.process.stdin?.end()
    return (await this.running.ended).code
  }

  /** Parses all complete lines that have arrived. Throws if a line on stdout is not a message. */
  #take(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = JSON.parse(line) as Message
      if (message.jsonrpc !== '2.0') throw new Error(`not a message: ${line}`)
      this.messages.push(message)
      if (message.method === 'elicitation/create') {
        const result = this.#options.answerForm?.(message.params.message) ?? { action: 'cancel' }
        this.send({ id: message.id, result })
      } else if (message.method === undefined)
        this.#responses.set(message.id, [...(this.#responses.get(message.id) ?? []), message])
    }
    this.#wake()
  }

  #wake(): void {
    for (const look of this.#waiting) look()
  }
}
