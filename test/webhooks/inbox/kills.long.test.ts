import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runningSandbox, until } from '../../sandbox/fresh-sandbox.ts'
import { needs } from '../../support/needs.ts'
import { freshDirectory, freshHome } from '../../support/partner.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { freePort } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { WINDOWS } from '../../support/windows.ts'
import { startRestartable } from '../listener/listening.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

/**
 * The number of events to deliver, including an update to every fourth new booking. Smaller in Wine, where each handler
 * takes a second.
 */
const EVENTS = Number(process.env['PARTNER_DELIVERIES'] ?? (WINDOWS.isMet ? 40 : 200))
const CHANGED = 4
const BOOKINGS = (EVENTS * CHANGED) / (CHANGED + 1)
/** The time limit in milliseconds, which is long enough for a slow machine. */
const LIMIT_MS = Math.max(120_000, EVENTS * 90)
const AT_ONCE = 8

const HANDLER = `node "${join(import.meta.dirname, 'handler.cjs')}"`

/** Starts a load balancer that uses the given ports in turn. Returns the load balancer's own port. */
async function balance(ports: readonly number[]): Promise<number> {
  let turn = 0
  const balancer = createServer((client) => {
    const upstream = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.pipe(upstream).pipe(client)
    upstream.on('close', () => client.destroy())
  })
  onTestFinished(() => void balancer.close())
  const port = await freePort()
  await new Promise<void>((resolve) => balancer.listen(port, '127.0.0.1', resolve))
  return port
}

/** Returns the handlers that were still running when another handler for the same booking started. */
function overlaps(notes: readonly string[]): string[] {
  const last = new Map<string, string>()
  return notes.filter((note) => {
    const [what, booking = '', ...me] = note.split(' ')
    if (what === 'start') last.set(booking, me.join(' '))
    return what === 'end' && last.get(booking) !== me.join(' ')
  })
}

test('even if processes are killed, every event is handled, and none is handled by two workers at the same time', {
  timeout: LIMIT_MS,
}, async () => {
  const { send, control } = await runningSandbox({ rateLimit: null })
  const url = await server.database()
  const notes = join(freshDirectory(), 'notes')
  writeFileSync(notes, '')
  const ports = [await freePort(), await freePort()]
  const options = { env: { ...freshHome(), NOTES: notes }, isService: true, keptBytes: 10_000 }
  const listeners = ports.map((port) =>
    startRestartable(() => startPartner(['webhooks', 'listen', '--port', `${port}`, '--to', url], options)),
  )
  await until(() => listeners.every(({ said }) => said.stderr.includes('listening on')))
  const working = ['webhooks', 'work', '--from', url, '--exec', HANDLER, '--concurrency', '4', '--lease', '5s']
  const workers = [1, 2, 3].map(() => startRestartable(() => startPartner(working, options)))
  const webhookUrl = `http://127.0.0.1:${await balance(ports)}/`
  for (const event of ['BOOKING_CREATED', 'BOOKING_UPDATED']) await send('POST', '/Webhooks', { event, webhookUrl })

  const noted = () => readFileSync(notes, 'utf8').split('\n').slice(0, -1)
  // When the clock advances, the venue's own bookings, such as BK-1001, change as well.
  const ended = () => new Set(noted().flatMap((note) => /^end ((?!BK-)\S+ \S+)/.exec(note)?.[1] ?? []))
  const expected = new Set<string>()
  const make = async (at: number) => {
    const { body } = await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 18:00' })
    expected.add(`${body.bookingId} BOOKING_CREATED`)
    if (at % CHANGED !== 0) return
    const { status } = await send('PATCH', `/Bookings/${body.bookingId}/updatepax`, { pax: 3 })
    expect(status).toBe(200)
    expected.add(`${body.bookingId} BOOKING_UPDATED`)
  }
  let isMade = false
  const making = Promise.all(
    Array.from({ length: AT_ONCE }, async (_, first) => {
      for (let at = first; at < BOOKINGS; at += AT_ONCE) await make(at)
    }),
  ).finally(() => {
    isMade = true
  })
  making.catch(() => undefined)
  // Each kill waits until more events have been handled. Killed listeners are restarted, but killed workers are not.
  const kills = [
    () => workers[0]?.kill(),
    () => listeners[0]?.restart(),
    () => workers[1]?.kill(),
    () => listeners[1]?.restart(),
  ]
  for (const [at, kill] of kills.entries()) {
    await until(async () => {
      await control.advanceClock(11_000)
      return ended().size >= (BOOKINGS * (at + 1)) / (kills.length + 1) || isMade
    })
    await kill()
  }
  await making
  await until(async () => {
    await control.advanceClock(11 * 60_000)
    return ended().size >= expected.size
  })
  await until(async () => (await server.query(url, `SELECT FROM inbox WHERE state <> 'done'`)).length === 0)

  expect(ended()).toEqual(expected)
  expect(overlaps(noted())).toEqual([])
  const bySubject =
    "SELECT count(*) AS n, count(DISTINCT (event, subject)) AS distinct FROM inbox WHERE subject NOT LIKE 'BK-%'"
  expect(await server.query(url, bySubject)).toEqual([{ n: `${expected.size}`, distinct: `${expected.size}` }])
  expect((await control.listDeliveries()).filter(({ state }) => state === 'failed')).toEqual([])
})
