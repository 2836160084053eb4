import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** What goes over the wire. `path` has its query. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What came back; `body` is undefined when it is no JSON. */
export interface Reply {
  readonly status: number
  readonly text: string
  readonly body: unknown
}

/** Connections to one port that stay open: requests that are sent one after the other share one. */
export class Wire {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  async send({ method, path, headers, body }: Asked): Promise<Reply> {
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const to = { agent: this.#agent, host: '127.0.0.1', port: this.#port, method, path }
    const sent = request({ ...to, headers: { ...headers, ...length } }).end(body ?? undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const answer = await text(response)
    return { status: response.statusCode ?? 0, text: answer, body: parseJsonOrUndefined(answer) }
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
