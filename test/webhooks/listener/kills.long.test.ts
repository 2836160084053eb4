import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runningSandbox, until } from '../../sandbox/fresh-sandbox.ts'
import { freshDirectory, freshHome, NODE, startProgram } from '../../support/partner.ts'
import { freePort } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { journalLines, startRestartable } from './listening.ts'

/** The number of events to deliver. */
const EVENTS = Number(process.env['PARTNER_DELIVERIES'] ?? 300)
/** How many times the listener and its target are killed while events are delivered. */
const KILLS = Number(process.env['PARTNER_KILLS'] ?? 4)
/** The time limit in milliseconds, which is long enough for a slow machine. */
const LIMIT_MS = Math.max(120_000, EVENTS * 90)
const AT_ONCE = 8

test('every event reaches the journal and the target even if the listener and the target are killed', {
  timeout: LIMIT_MS,
}, async () => {
  const { sandbox, send, control } = await runningSandbox({ rateLimit: null })
  const directory = freshDirectory()
  const [journal, file] = [join(directory, 'hooks.ndjson'), join(directory, 'target')]
  const [port, targetPort] = [await freePort(), await freePort()]
  const listening = ['--port', `${port}`, '--journal', journal, '--forward-to', `http://127.0.0.1:${targetPort}`]
  const options = { env: freshHome(), isService: true, keptBytes: 10_000 }
  const listener = startRestartable(() => startPartner(['webhooks', 'listen', ...listening], options))
  const script = join(import.meta.dirname, 'target-process.mjs')
  const target = startRestartable(() => startProgram(NODE, [script, `${targetPort}`, file], { isService: true }))
  await send('POST', '/Webhooks', { event: 'BOOKING_CREATED', webhookUrl: `http://127.0.0.1:${port}/` })

  const arrived = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])
  const sent = new Set<string>()
  const make = async () => {
    const { body } = await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 18:00' })
    const data = { bookingId: body.bookingId, locationId: sandbox.locationId }
    sent.add(Buffer.from(JSON.stringify({ eventType: 'BOOKING_CREATED', data })).toString('base64'))
  }
  let isMade = false
  const making = Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      for (let made = at; made < EVENTS; made += AT_ONCE) await make()
    }),
  ).then(() => {
    isMade = true
  })

  // Each kill waits until more events have arrived. It does not wait until the listener and its target are idle.
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(async () => {
      await control.advanceClock(11_000)
      return new Set(arrived()).size >= Math.floor((EVENTS * kill) / (KILLS + 1)) || isMade
    })
    await Promise.all([listener.restart(), target.restart()])
  }
  await making
  await until(async () => {
    await control.advanceClock(11 * 60_000)
    return new Set(arrived()).size >= EVENTS
  })

  expect(new Set(arrived())).toEqual(sent)
  expect(new Set(journalLines(journal).map(({ bodyBase64 }) => bodyBase64))).toEqual(sent)
  expect((await control.listDeliveries()).filter(({ state }) => state === 'failed')).toEqual([])
})
