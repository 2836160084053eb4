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
import { type Child, describeStep, type StepLine } from './child.ts'

/** How long, in milliseconds, the integration's server may take to stop after SIGTERM. */
const END_WITHIN_MS = 5000
const LOOK_EVERY_MS = 25

/** The credentials to send with a delivery. If either is `null`, its header is omitted. */
type Credentials = Readonly<Record<'key' | 'token', string | null>>

const HOSTS = ['127.0.0.1', '::1']

/** The integration's webhook server while it is running. */
export type Receiver = NonNullable<Awaited<ReturnType<typeof startReceiver>>>

/**
 * Starts the `serve` step, waits until the integration's server is listening, and subscribes it to all events. If the
 * server does not start in time, records an observation of the given kind and returns `null`.
 */
export async function startReceiver(bench: Bench, kind: 'finding' | 'step' = 'finding') {
  const { readyMs, signal } = bench.candidate
  const credentials = { key: `certify-key-${randomHex(8)}`, token: `certify-token-${randomHex(8)}` }
  for (const secret of Object.values(credentials)) bench.evidence.addSecret(secret)
  const { key: securityKey, token: securityToken } = credentials
  const port = await freePort()
  const line: StepLine = { do: 'serve', port, securityKey, securityToken }
  const child = bench.startStep(line)
  const host = await waitUntilListening(port, child, readyMs)
  signal.throwIfAborted()
  if (host === null) {
    const isLate = !child.hasEnded
    child.kill('SIGKILL')
    const ended = await child.ended
    const why = isLate ? `it was not listening after ${readyMs / 1000} s` : `it ${ended.text}`
    bench.note(kind, `serve must listen on the given port, but ${why}`)
    return null
  }
  bench.note('step', `${describeStep(line)}: the server is listening`)
  const webhookUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  for (const event of WEBHOOK_EVENTS)
    await bench.venue.request('POST', '/Webhooks', { event, webhookUrl, securityKey, securityToken })
  const deliverer = new Deliverer(bench.state)
  let reported = 0
  const note = (what: string, status: number | null) => {
    bench.note('delivery', `${what}: ${status === null ? 'no response' : `answered ${status}`}`)
    return status
  }
  return {
    credentials,
    /** Delivers each pending event once. Returns the status of each response, or `null` for a missing response. */
    deliver: async () => {
      await deliverer.deliverDue()
      const all = listDeliveries(bench.state.store)
      const news = all.slice(reported)
      reported = all.length
      return news.map(({ event, subject, attempts }) => note(`${event} ${subject}`, attempts.at(-1)?.status ?? null))
    },
    /** Posts an event, which may be forged. Returns the status of the response, or `null` if no response arrived. */
    post: async (what: string, body: JsonObject, { key, token }: Credentials = credentials) =>
      note(what, (await post(webhookUrl, JSON.stringify(body), credentialHeaders(key, token))).status),
    /** Returns whether the server is still running. If it has exited, records a finding. */
    isAlive: async () => {
      if (!child.hasEnded) return true
      bench.finding(`serve must keep running until SIGTERM, but it ${(await child.ended).text}`)
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

/**
 * Returns the address that the server listens on. Returns `null` if the server exits or does not start listening in
 * time.
 */
async function waitUntilListening(port: number, child: Child, withinMs: number): Promise<string | null> {
  const end = monotonicMs() + withinMs
  while (!child.hasEnded && monotonicMs() < end) {
    for (const host of HOSTS) if (await acceptsConnections(host, port)) return host
    await delay(LOOK_EVERY_MS)
  }
  return null
}

async function acceptsConnections(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port })
  const connected = await once(socket, 'connect').catch(() => null)
  socket.destroy()
  return connected !== null
}
