import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject } from '../../../base/json/exact.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { WEBHOOK_EVENTS } from '../../../contract/events.ts'
import { Deliverer } from '../../../sandbox/deliveries/deliverer.ts'
import { listDeliveries } from '../../../sandbox/deliveries/deliveries.ts'
import { credentialHeaders, post } from '../../../sandbox/deliveries/post.ts'
import { randomHex } from '../../../sandbox/random-hex.ts'
import type { Bench } from './bench.ts'
import { type Child, lineText, type StepLine } from './child.ts'

/** How long it may take to stop. Milliseconds. */
const END_WITHIN_MS = 5000
const LOOK_EVERY_MS = 25

/** The credentials of a delivery. Null to omit the header. */
type Credentials = Readonly<Record<'key' | 'token', string | null>>

const HOSTS = ['127.0.0.1', '::1']

/** The integration's server, and deliveries to it. */
export type Receiver = NonNullable<Awaited<ReturnType<typeof startReceiver>>>

/** Starts `serve`, waits until it listens, and subscribes it to all events. Null, noted as `kind`, if it does not. */
export async function startReceiver(bench: Bench, kind: 'finding' | 'step' = 'finding') {
  const { readyMs, signal } = bench.candidate
  const credentials = { key: `certify-key-${randomHex(8)}`, token: `certify-token-${randomHex(8)}` }
  for (const secret of Object.values(credentials)) bench.evidence.keepSecret(secret)
  const { key: securityKey, token: securityToken } = credentials
  const port = await freePort()
  const line: StepLine = { do: 'serve', port, securityKey, securityToken }
  const child = bench.begin(line)
  const host = await listeningOn(port, child, readyMs)
  signal.throwIfAborted()
  if (host === null) {
    const isLate = !child.hasEnded
    child.kill('SIGKILL')
    const ended = await child.ended
    const why = isLate ? `not after ${readyMs / 1000} s` : `it ${ended.text}`
    bench.note(kind, `serve must listen on the port that it is given: ${why}`)
    return null
  }
  bench.note('step', `${lineText(line)}: it listens`)
  const webhookUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  for (const event of WEBHOOK_EVENTS)
    await bench.venue.ask('POST', '/Webhooks', { event, webhookUrl, securityKey, securityToken })
  const deliverer = new Deliverer(bench.state)
  let told = 0
  const note = (what: string, status: number | null) => {
    bench.note('delivery', `${what}: ${status === null ? 'no answer' : `answered ${status}`}`)
    return status
  }
  return {
    credentials,
    /** Delivers all pending events once, and returns the status of each answer; null for none. */
    deliver: async () => {
      await deliverer.deliverDue()
      const all = listDeliveries(bench.state.store)
      const news = all.slice(told)
      told = all.length
      return news.map(({ event, subject, attempts }) => note(`${event} ${subject}`, attempts.at(-1)?.status ?? null))
    },
    /** Posts an event, perhaps a forged one, and returns the status of the answer; null for none. */
    post: async (what: string, body: JsonObject, { key, token }: Credentials = credentials) =>
      note(what, (await post(webhookUrl, JSON.stringify(body), credentialHeaders(key, token))).status),
    /** Records it if the server has ended. */
    isAlive: async () => {
      if (!child.hasEnded) return true
      bench.finding(`serve must go on until SIGTERM, and it ${(await child.ended).text}`)
      return false
    },
    stop: async () => {
      child.kill('SIGTERM')
      await Promise.race([child.ended, delay(END_WITHIN_MS, undefined, { ref: false })])
      child.kill('SIGKILL')
      await child.ended
    },
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

/** The address at which it listens; null when it has ended, or does not listen in time. */
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
  const connected = await once(socket, 'connect').catch(() => null)
  socket.destroy()
  return connected !== null
}
