import { Agent, request } from 'node:http'

/** What goes over the wire. `path` has its query. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: no body. */
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

  send({ method, path, headers, body }: Asked): Promise<Reply> {
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    return new Promise((resolve, reject) => {
      const sent = request(
        { agent: this.#agent, host: '127.0.0.1', port: this.#port, method, path, headers: { ...headers, ...length } },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text, body: read(text) }))
        },
      )
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
