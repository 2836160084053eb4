import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventBody, WEBHOOK_EVENTS, type WebhookEvent } from '../../../src/contract/events.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import { serve } from '../../../src/http/server/serve.ts'
import type { SandboxControl } from '../../../src/sandbox/control/control.ts'
import type { Delivery } from '../../../src/sandbox/deliveries/deliveries.ts'
import { randomFrom } from '../../../src/sandbox/seed/random.ts'
import { openDeliveryJournal } from '../../../src/webhooks/events/journal/delivery-journal.ts'
import { runningSandbox, type Send, until } from '../../sandbox/fresh-sandbox.ts'
import { type Environment, freshDirectory, freshHome, runPartner } from '../../support/partner.ts'

const SEEDS = Number(process.env['PARTNER_GAPS_SEEDS'] ?? 3)
const FIRST_SEED = Number(process.env['PARTNER_SEED'] ?? 1)

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** About nine in the morning at the venue, about two days from now. */
const MORNING_MS = Math.floor(Date.now() / DAY_MS + 2) * DAY_MS - 2 * 60 * MINUTE_MS
const ROUND_MS = 23 * MINUTE_MS
const ROUNDS = 8
const CHANGES_A_ROUND = 8

/** Starts a receiver that keeps every body and writes a journal with times from the sandbox's clock. */
async function journalling(path: string, control: SandboxControl) {
  const bodies: string[] = []
  const repairs: string[] = []
  const journal = await openDeliveryJournal(path, { onDelivery: () => {}, keeping: null, report: () => {} })
  const served = await serve(async ({ headers, body }) => {
    const bytes = Buffer.from(body ?? [])
    const { now } = await control.readClock()
    await journal.append({ timeMs: Date.parse(now), headers: { ...headers } as never, body: bytes, verdict: 'new' })
    bodies.push(bytes.toString())
    if (headers['x-partner-repair'] === '1') repairs.push(bytes.toString())
    return jsonReply(200, {})
  })
  onTestFinished(async () => {
    await served.close()
    await journal.close()
  })
  return { bodies, repairs, url: `${served.origin}/hook` }
}

interface History {
  readonly control: SandboxControl
  readonly send: Send
  readonly env: Environment
  readonly locationId: string
  readonly journal: string
  readonly copy: string
  readonly receiver: Awaited<ReturnType<typeof journalling>>
  readonly startMs: number
}

async function begin(seed: number, kind: 'ndjson' | 'db'): Promise<History> {
  const { sandbox, send, control } = await runningSandbox({ seed })
  const directory = freshDirectory()
  const journal = join(directory, 'hooks.ndjson')
  const receiver = await journalling(journal, control)
  for (const event of WEBHOOK_EVENTS) await send('POST', '/Webhooks', { event, webhookUrl: receiver.url })
  for (const [effect, of] of [
    [{ kind: 'lost-webhook' }, seed],
    [{ kind: 'duplicate-webhook' }, seed + 1_000_000],
  ] as const)
    for (const method of ['POST', 'PATCH'])
      await control.addFault({ endpoint: `${method} *`, effect, share: 5, seed: of + (method === 'POST' ? 0 : 500) })
  // Stay far from the venue's midnight, when the sandbox updates past bookings without sending events. --since excludes
  // the updates made so far.
  await control.setClock(MORNING_MS, false)
  await send('GET', '/Bookings/BK-1001')
  await control.advanceClock(MINUTE_MS)
  const env = { ...freshHome(), PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: sandbox.apiKey }
  const { now } = await control.readClock()
  return {
    ...{ control, send, env, journal, receiver, locationId: sandbox.locationId, startMs: Date.parse(now) },
    copy: join(directory, `venue.${kind}`),
  }
}

const SOURCE = ['--source', 'venue']

async function sync({ env, copy }: History, resource: 'bookings' | 'giftcards'): Promise<void> {
  expect(await runPartner([resource, 'sync', '--to', copy, ...SOURCE], { env })).toMatchObject({ code: 0 })
}

async function settle({ control }: History): Promise<void> {
  await until(async () => (await control.listDeliveries()).every(({ state }) => state !== 'pending'))
}

const CARDS = ['GIFT1-00000100-AAAA', 'GIFT2-00005025-AAAA'] as const

/**
 * Simulates several hours of changes. With `isOnce`, no booking or card changes twice, because a database keeps only
 * the newest version of each record.
 */
async function live(history: History, seed: number, isOnce: boolean): Promise<void> {
  const { send, control, copy } = history
  const random = randomFrom(seed)
  const made: string[] = []
  const changed = new Set<string>()
  if (copy.endsWith('.db')) await sync(history, 'giftcards')
  for (let round = 0; round < ROUNDS; round++) {
    const inRound = new Set<string>()
    for (let change = 0; change < CHANGES_A_ROUND; change++) {
      const booking = made[Math.floor(random() * made.length)]
      const isFree = booking !== undefined && !inRound.has(booking) && !(isOnce && changed.has(booking))
      if (isFree && random() < 0.6) {
        inRound.add(booking)
        changed.add(booking)
        const people = 1 + Math.floor(random() * 9)
        expect((await send('PATCH', `/Bookings/${booking}/updatepax`, { pax: people })).status).toBeLessThan(300)
      } else {
        const { status, body } = await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-11-20 18:00' })
        expect(status).toBe(201)
        made.push(body.bookingId)
        inRound.add(body.bookingId)
      }
    }
    await settle(history)
    await sync(history, 'bookings')
    await control.advanceClock(ROUND_MS)
  }
  if (copy.endsWith('.db')) {
    expect((await send('POST', '/GiftCards/redeem', { cardNumber: CARDS[0], amount: 5 })).status).toBe(200)
    expect((await send('PATCH', '/GiftCards/cancel', { cardNumber: CARDS[1] })).status).toBe(200)
    await settle(history)
    await control.advanceClock(MINUTE_MS)
    await sync(history, 'giftcards')
  }
  // Advance the clock until all events are due.
  await control.advanceClock(60 * MINUTE_MS)
  await settle(history)
  await sync(history, 'bookings')
  if (copy.endsWith('.db')) await sync(history, 'giftcards')
}

async function gaps({ env, journal, copy, startMs }: History, ...more: readonly string[]) {
  const since = new Date(startMs).toISOString()
  const line = ['webhooks', 'gaps', '--journal', journal, '--copy', copy, ...SOURCE, '--since', since, '--json']
  const run = await runPartner([...line, ...more], { env })
  const rows: { class: string; event: WebhookEvent; subject: string; repaired: boolean | null }[] = JSON.parse(
    run.stdout,
  )
  const named = (found: string) =>
    rows
      .filter((row) => row.class === found)
      .map(({ event, subject }) => `${event} ${subject}`)
      .sort()
  return { run, rows, named }
}

const names = (deliveries: readonly Delivery[]) => deliveries.map(({ event, subject }) => `${event} ${subject}`).sort()

/** Returns the second delivery of each pair that the sandbox sent for a single change. */
function doubled(deliveries: readonly Delivery[]): Delivery[] {
  const seen = new Set<string>()
  return deliveries.filter(({ event, subject, created }) => {
    const name = `${event} ${subject} ${created}`
    const isSecond = seen.has(name)
    seen.add(name)
    return isSecond
  })
}

const told = { lost: 0, doubled: 0, events: 0 }

describe.each(Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at))(
  'random sequence of changes with seed %i',
  (seed) => {
    const kind = seed % 3 === 0 ? 'db' : 'ndjson'
    test(`with a .${kind} copy, webhooks gaps finds exactly the lost deliveries, and --repair sends them`, async () => {
      const history = await begin(seed, kind)
      await live(history, seed, kind === 'db')
      const deliveries = await history.control.listDeliveries()
      const lost = deliveries.filter(({ state }) => state === 'dropped')
      const twice = doubled(deliveries)
      told.lost += lost.length
      told.doubled += twice.length
      told.events += deliveries.length

      const found = await gaps(history)
      expect(found.named('missing')).toEqual(names(lost))
      expect(found.named('duplicate')).toEqual(names(twice))
      expect([found.named('late'), found.named('extra')]).toEqual([[], []])
      expect(found.run.code).toBe(lost.length + twice.length > 0 ? 11 : 0)

      const repaired = await gaps(history, '--repair', '--to', history.receiver.url)
      expect(repaired.rows.filter(({ repaired }) => repaired).length).toBe(lost.length)
      expect(repaired.run.code).toBe(twice.length > 0 ? 11 : 0)
      const bodyOf = ({ event, subject }: Delivery) =>
        JSON.stringify(eventBody(event as WebhookEvent, subject, history.locationId))
      expect(new Set(history.receiver.bodies)).toEqual(new Set(deliveries.map(bodyOf)))
      expect(history.receiver.repairs.toSorted()).toEqual(lost.map(bodyOf).sort())
      // The journal now contains the events that the repair sent.
      expect((await gaps(history)).named('missing')).toEqual([])
    }, 120_000)
  },
)

test('the randomly generated runs contain both lost and duplicate deliveries', () => {
  expect(told.lost).toBeGreaterThan(0)
  expect(told.doubled).toBeGreaterThan(0)
  if (SEEDS > 3) process.stderr.write(`${SEEDS} histories: ${JSON.stringify(told)}\n`)
})
