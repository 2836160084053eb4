import { expect, test } from 'vitest'
import { readEvent } from '../../../src/webhooks/events/read-event.ts'
import { Verdicts } from '../../../src/webhooks/listener/delivery-store.ts'

const MINUTE = 60_000

/** Returns the verdict on each delivery. For example, `5 UPDATED a` is an update to booking a at minute 5. */
function judged(deliveries: readonly string[]): string[] {
  const verdicts = new Verdicts(10 * MINUTE)
  return deliveries.map((delivery) => judge(verdicts, delivery).verdict)
}

function judge(verdicts: Verdicts, delivery: string) {
  const [minute, event, bookingId] = delivery.split(' ')
  const body = Buffer.from(JSON.stringify({ eventType: `BOOKING_${event}`, data: { bookingId } }))
  return verdicts.judge(readEvent(body), body, Number(minute) * MINUTE)
}

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['a repeated event within the window is a duplicate', ['0 UPDATED a', '10 UPDATED a'], ['new', 'duplicate']],
  [
    'each repeated event restarts the duplicate window',
    ['0 UPDATED a', '9 UPDATED a', '18 UPDATED a'],
    ['new', 'duplicate', 'duplicate'],
  ],
  ['an event that is repeated after the window is new', ['0 UPDATED a', '11 UPDATED a'], ['new', 'new']],
  [
    'a repeated event is a duplicate even if the clock was set back',
    ['10 UPDATED a', '5 UPDATED a'],
    ['new', 'duplicate'],
  ],
  ['an event for another booking is new', ['0 UPDATED a', '0 UPDATED b'], ['new', 'new']],
  [
    'a repeated creation is a duplicate, however late it arrives',
    ['0 CREATED a', '999 CREATED a'],
    ['new', 'duplicate'],
  ],
  ['a creation after another event is stale', ['0 UPDATED a', '1 CREATED a'], ['new', 'stale']],
  [
    'a repeated creation after another event is a duplicate',
    ['0 CREATED a', '1 UPDATED a', '99 CREATED a'],
    ['new', 'new', 'duplicate'],
  ],
  ['an update after a creation is new', ['0 CREATED a', '0 UPDATED a'], ['new', 'new']],
])('%s', (_, deliveries, expected) => {
  expect(judged(deliveries)).toEqual(expected)
})

test("forget() removes a delivery's effect on the classification of later deliveries", () => {
  const verdicts = new Verdicts(10 * MINUTE)
  judge(verdicts, '0 CREATED a').forget()
  expect(judge(verdicts, '1 CREATED a').verdict).toBe('new')
  judge(verdicts, '2 UPDATED b').forget()
  expect(judge(verdicts, '3 CREATED b').verdict).toBe('new')
  expect(judge(verdicts, '4 CREATED b').verdict).toBe('duplicate')
})

test('events without a subject are distinguished by their exact bytes', () => {
  const verdicts = new Verdicts(10 * MINUTE)
  const at = (text: string) => verdicts.judge(readEvent(Buffer.from(text)), Buffer.from(text), 0).verdict
  expect(['{"eventType":"X"}', '{"eventType":"X" }', '{"eventType":"X"}'].map(at)).toEqual(['new', 'new', 'duplicate'])
})
