import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** An HTTP request. `path` includes the query string. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** An HTTP response. `body` is undefined if it is not JSON. */
export interface Reply {
  readonly status: number
  readonly text: string
  readonly body: unknown
}

/** An HTTP client with keep-alive connections to a single port. Consecutive requests share a connection. */
export class Wire {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  async send({ method, path, headers, body }: WireRequest): Promise<Reply> {
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const to = { agent: this.#agent, host: '127.0.0.1', port: this.#port, method, path }
    const sent = request({ ...to, headers: { ...headers, ...length } }).end(body ?? undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const responseText = await text(response)
    return { status: response.statusCode ?? 0, text: responseText, body: parseJsonOrUndefined(responseText) }
  }

  close(): void {
    this.#agent.destroy()
  }
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
