import fc from 'fast-check'
import { onTestFinished, test } from 'vitest'
import type { SandboxControl } from '../../../src/sandbox/control/control.ts'
import { remoteControl } from '../../../src/sandbox/control/remote.ts'
import { READY_SNAPSHOTS } from '../../../src/sandbox/snapshot/ready/ready.ts'
import { STATUSES, TABLES } from '../../../src/sandbox/venue/venue.ts'
import { freshHome } from '../../support/partner.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { controlOf, freshDirectory, freshSandbox, type Send, senderTo } from '../fresh-sandbox.ts'
import { expectSame, expectSameText, performConformance, readEverything, startFromSnapshot } from './same-venue.ts'

type Step = (send: Send, control: SandboxControl) => Promise<unknown>

const NAMES = fc.constantFrom('小芳', 'محمد', "O'Néill", 'Z̷a̸l̴g̶o̵', '', 'a"b\\c', '\u2028', '👩‍🍳', '{"end":true}')
const BOOKINGS = fc.constantFrom('BK-1001', 'BK-1003', 'BK-1004', 'MINE-1', 'MINE-2', 'BK-1010')
const CARDS = fc.constantFrom(
  'GIFT1-00000100-AAAA',
  'GIFT2-00005025-AAAA',
  'GIFT4-00000001-AAAA',
  'GIFT7-99999999-AAAA',
)
const EVENTS = fc.constantFrom('BOOKING_CREATED', 'BOOKING_UPDATED', 'GIFTCARDS_REDEEMED', 'GIFTCARDS_CANCELLED')
const NUMBERS = fc.integer({ min: 1, max: 30 })
const TIMES = fc.constantFrom(
  '2027-04-03 18:00',
  '2027-04-04 02:15',
  '2027-04-04 02:45',
  '2026-11-20 19:00',
  '2031-05-05 12:30',
)
const INSTANTS = fc.constantFrom('2027-04-03T15:15:00Z', '2027-04-03T16:15:00Z', '2026-11-20T08:30:00Z')

const step = <T>(drawn: fc.Arbitrary<T>, take: (one: T, send: Send, control: SandboxControl) => Promise<unknown>) =>
  drawn.map(
    (one): Step =>
      (send, control) =>
        take(one, send, control),
  )

const STATUS_CODES = fc.constantFrom(...STATUSES.map(({ code }) => code))
const TABLE_IDS = fc.constantFrom(...TABLES.map(({ id }) => id))
const SALES = fc.tuple(
  fc.constantFrom('T-1', 'T-2', 'T-3', '__proto__'),
  BOOKINGS,
  fc.constantFrom('SALE', 'REFUND', 'VOID'),
  fc.constantFrom('1', '25.00', '1e2', '12345678901234567890'),
)

const STEPS: fc.Arbitrary<Step> = fc.oneof(
  step(fc.tuple(NUMBERS, TIMES, NAMES, TABLE_IDS, fc.boolean()), ([numOfPeople, time, notes, table, named], send) => {
    const own = named ? { bookingId: 'MINE-1' } : {}
    const links = [{ linkName: notes, linkURL: 'x' }]
    return send('POST', '/Bookings', { numOfPeople, time, notes, tables: [table], ...own, links })
  }),
  step(fc.tuple(NUMBERS, INSTANTS, NAMES, NAMES), ([numOfPeople, bookingTimeAsUtc, firstName, lastName], send) => {
    const customer = { firstName, lastName, phone: '+61 400 000 000', address: { city: lastName } }
    return send('POST', '/Bookings', { numOfPeople, bookingTimeAsUtc, bookingId: 'MINE-2', customer })
  }),
  step(fc.tuple(BOOKINGS, NUMBERS), ([id, pax], send) => send('PATCH', `/Bookings/${id}/updatepax`, { pax })),
  step(fc.tuple(BOOKINGS, STATUS_CODES), ([id, status], send) =>
    send('PATCH', `/Bookings/${id}/updatestatus`, { status }),
  ),
  step(fc.tuple(BOOKINGS, TIMES, NAMES, NAMES), ([bookingId, time, notes, lastName], send) =>
    send('POST', '/Bookings/UpdateBookingAsync', { bookingId, time, notes, duration: 45, customer: { lastName } }),
  ),
  step(fc.tuple(CARDS, fc.constantFrom(0.01, 0.1, 5, 50.25), NAMES), ([cardNumber, amount, notes], send) =>
    send('POST', '/GiftCards/redeem', { cardNumber, amount, notes }),
  ),
  step(CARDS, (cardNumber, send) => send('PATCH', '/GiftCards/cancel', { cardNumber })),
  // This sale includes members that the service does not define, and numbers with more digits than a float can hold.
  step(SALES, ([saleId, bookingId, type, tip], send) =>
    send(
      'POST',
      '/Sales',
      `{"origin":{"saleId":${JSON.stringify(saleId)}},"source":{"type":"POS"},"type":"${type}","openedZonedDateTime":"2026-11-20T07:00:00Z","closedZonedDateTime":"2026-11-20T07:30:00+11:00","staff":{"id":"1"},"table":{"seats":2},"bookingId":"${bookingId}","total":{"amount":4321,"currency":"AUD"},"x-tip":${tip},"__proto__":{"a":1}}`,
    ),
  ),
  step(NUMBERS, (at, send) => send('POST', `/Customers/C-${1000 + at}/unsubscribe`)),
  step(EVENTS, (event, send) => send('POST', '/Webhooks', { event, webhookUrl: 'http://127.0.0.1:9/hook' })),
  step(EVENTS, (event, send) => send('DELETE', `/Webhooks/${event}`)),
  step(fc.constantFrom(1000, 3_600_000, 86_400_000, 40 * 86_400_000), (byMs, _send, control) =>
    control.advanceClock(byMs),
  ),
  step(fc.constantFrom('GET /Customers', 'PATCH *'), (endpoint, _send, control) =>
    control.addFault({ endpoint, effect: { kind: 'status', status: 503 }, share: 40, seed: 3 }),
  ),
)

test('a venue loaded from a snapshot responds like the original after any sequence of steps', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEPS, { minLength: 1, maxLength: 25 }), async (steps) => {
      const data = freshDirectory()
      const { sandbox, send } = await freshSandbox({
        data,
        clock: { startAt: Date.parse('2026-11-20T08:00:00Z'), frozen: true },
      })
      const own = controlOf(data)
      for (const step of steps) await step(send, own)
      const text = await own.saveSnapshot()
      const elsewhere = freshDirectory()
      const copy = await startFromSnapshot(text, elsewhere)
      try {
        expectSameText(text, await controlOf(elsewhere).saveSnapshot())
        await own.clearFaults()
        await controlOf(elsewhere).clearFaults()
        expectSame(await readEverything(send, 40), await readEverything(senderTo(copy), 40))
      } finally {
        await copy.close()
        await sandbox.close()
      }
    }),
    { seed: 17, numRuns: 12, endOnFailure: true },
  )
})

test.each(READY_SNAPSHOTS.map(({ name }) => name))(
  "the ready-made %s snapshot produces the same responses whatever the machine's time zone",
  async (name) => {
    const start = (TZ: string) => startSandboxProcess(['--snapshot', name, '--clock-frozen'], { ...freshHome(), TZ })
    const [here, there] = await Promise.all([start('America/Anchorage'), start('Pacific/Kiritimati')])
    onTestFinished(async () => {
      await here.stop()
      await there.stop()
    })
    expectSame(await readEverything(senderTo(here)), await readEverything(senderTo(there)))
    const now = Date.parse((await remoteControl(here.baseUrl).readClock()).now)
    expectSame(await performConformance(here, now), await performConformance(there, now))
  },
)
