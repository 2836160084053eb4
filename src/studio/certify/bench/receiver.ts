import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject } from '../../../base/json/exact.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { CREDENTIAL_HEADERS, WEBHOOK_EVENTS } from '../../../contract/events.ts'
import { Deliverer } from '../../../sandbox/deliveries/deliverer.ts'
import { listDeliveries } from '../../../sandbox/deliveries/deliveries.ts'
import { post } from '../../../sandbox/deliveries/post.ts'
import { randomHex } from '../../../sandbox/random-hex.ts'
import type { Bench } from './bench.ts'
import { type Child, lineText, type StepLine } from './child.ts'

/** What a receiver of events is sent with. */
export interface Credentials {
  /** Null: the header is left out. */
  readonly key: string | null
  readonly token: string | null
}

/** How long it may take to end once it is told to. Milliseconds. */
const END_WITHIN_MS = 5000
const LOOK_EVERY_MS = 25
const HOSTS = ['127.0.0.1', '::1']

/** The integration's server, and its deliveries. */
export class Receiver {
  readonly credentials: { readonly key: string; readonly token: string }
  readonly #bench: Bench
  readonly #child: Child
  readonly #deliverer: Deliverer
  #url = ''
  #told = 0

  private constructor(bench: Bench, child: Child, credentials: Receiver['credentials']) {
    this.#bench = bench
    this.#child = child
    this.credentials = credentials
    this.#deliverer = new Deliverer(bench.state)
  }

  /**
   * Starts `serve`, waits until it listens, and subscribes it to all events. Null when it does not listen, which is noted as `kind`
   * says.
   */
  static async start(bench: Bench, kind: 'finding' | 'step' = 'finding'): Promise<Receiver | null> {
    const credentials = { key: `certify-key-${randomHex(8)}`, token: `certify-token-${randomHex(8)}` }
    for (const secret of Object.values(credentials)) bench.evidence.keepSecret(secret)
    const port = await freePort()
    const line: StepLine = { do: 'serve', port, securityKey: credentials.key, securityToken: credentials.token }
    const child = bench.begin(line)
    const host = await listeningOn(port, child, bench.candidate.readyMs)
    bench.candidate.signal.throwIfAborted()
    if (host === null) {
      const isLate = !child.hasEnded
      child.kill('SIGKILL')
      const ended = await child.ended
      const why = isLate ? `not after ${bench.candidate.readyMs / 1000} s` : `it ${ended.text}`
      const words = `serve must listen on the port that it is given: ${why}`
      if (kind === 'finding') bench.finding(words)
      else bench.note('step', words)
      return null
    }
    bench.note('step', `${lineText(line)}: it listens`)
    const receiver = new Receiver(bench, child, credentials)
    receiver.#url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
    const { key: securityKey, token: securityToken } = credentials
    for (const event of WEBHOOK_EVENTS)
      await bench.venue.ask('POST', '/Webhooks', { event, webhookUrl: receiver.#url, securityKey, securityToken })
    return receiver
  }

  /** Delivers what the venue has to tell, once, and returns the status of each answer; null when none came. */
  async deliver(): Promise<readonly (number | null)[]> {
    await this.#deliverer.deliverDue()
    const all = listDeliveries(this.#bench.state.store)
    const news = all.slice(this.#told)
    this.#told = all.length
    return news.map(({ event, subject, attempts }) =>
      this.#note(`${event} ${subject}`, attempts.at(-1)?.status ?? null),
    )
  }

  /** Posts an event as anybody could, and returns the status of the answer; null when none came. */
  async post(what: string, body: JsonObject, { key, token }: Credentials = this.credentials): Promise<number | null> {
    const headers = {
      ...(key === null ? {} : { [CREDENTIAL_HEADERS.securityKey]: key }),
      ...(token === null ? {} : { [CREDENTIAL_HEADERS.securityToken]: token }),
    }
    return this.#note(what, (await post(this.#url, JSON.stringify(body), headers)).status)
  }

  /** False when it has ended, which is noted. */
  async isAlive(): Promise<boolean> {
    if (!this.#child.hasEnded) return true
    this.#bench.finding(`serve must go on until SIGTERM, and it ${(await this.#child.ended).text}`)
    return false
  }

  /** Ends it. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await Promise.race([this.#child.ended, delay(END_WITHIN_MS, undefined, { ref: false })])
    this.#child.kill('SIGKILL')
    await this.#child.ended
  }

  #note(what: string, status: number | null): number | null {
    this.#bench.note('delivery', `${what}: ${status === null ? 'no answer' : `answered ${status}`}`)
    return status
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Returns the address on which it takes connections; null when it has ended, or does not listen in time. */
async function listeningOn(port: number, child: Child, withinMs: number): Promise<string | null> {
  const end = monotonicMs() + withinMs
  while (!child.hasEnded && monotonicMs() < end) {
    for (const host of HOSTS) if (await takesConnections(host, port)) return host
    await delay(LOOK_EVERY_MS)
  }
  return null
}

async function takesConnections(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port })
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
