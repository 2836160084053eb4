import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Told {
  readonly id: string
  readonly check: string
  readonly change: 'began' | 'ended' | 'reminder' | 'test'
  readonly at: string
  readonly message: string
}

/** The team that gets alerts, and the job monitor that gets pings. */
export class Receivers {
  readonly alerts: Told[] = []
  /** The pings of each job, in order: `start`, or an exit code. */
  readonly pings = new Map<string, string[]>()
  /** While it is `false`, alerts are refused. */
  isOpen = true
  refused = 0
  /** Alerts that arrived again with the same key. */
  repeated = 0
  readonly #server: Server = createServer((request, response) => void this.#receive(request, response))

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.url?.startsWith('/ping/')) {
      const [job = '', ping = ''] = request.url.slice('/ping/'.length).split('/')
      this.pings.set(job, [...(this.pings.get(job) ?? []), ping])
    } else if (!this.isOpen) {
      this.refused++
      response.statusCode = 503
    } else this.#tell(String(request.headers['idempotency-key']), body)
    response.end()
  }

  #tell(key: string, body: string): void {
    const alert = JSON.parse(body) as Told
    if (alert.id !== key) throw new Error(`the key ${key} differs from the ID of ${body}`)
    if (this.alerts.some(({ id }) => id === key)) this.repeated++
    else this.alerts.push(alert)
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
