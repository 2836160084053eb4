import { DAY_MS } from '../../base/time/units.ts'
import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import { type Answered, type Check, isSuccess, judged } from './check.ts'
import type { TriedReceiver } from './tried-receiver.ts'

// Each check is about bookings and cards of its own: a receiver that remembers one does not stumble over another.

const BURST = 20

/** Each documented event, one after the other. What cannot take these is not tried any further. */
export const plain: Check = {
  name: 'plain',
  good: '2xx to each documented event',
  run: async (receiver) => {
    const answers: Answered[] = []
    for (const event of WEBHOOK_EVENTS) {
      const sent = await receiver.sample(event)
      answers.push([event, sent])
      if (sent.status === null) break
    }
    return judged(answers, isSuccess)
  },
}

/** Deliveries that the service may make, however the receiver likes them. */
export const DELIVERY_CHECKS: readonly Check[] = [
  {
    name: 'duplicate',
    good: '2xx to the second too (all one sees of idempotence)',
    run: async (receiver) => {
      const first = await receiver.sample('BOOKING_UPDATED', 'BK-1002')
      const second = await receiver.sample('BOOKING_UPDATED', 'BK-1002')
      return judged(
        [
          ['first', first],
          ['second', second],
        ],
        isSuccess,
      )
    },
  },
  {
    name: 'order',
    good: '2xx to an update, and to the creation after it',
    run: async (receiver) => {
      const update = await receiver.sample('BOOKING_UPDATED', 'BK-1003')
      const creation = await receiver.sample('BOOKING_CREATED', 'BK-1003')
      return judged(
        [
          ['update', update],
          ['creation', creation],
        ],
        isSuccess,
      )
    },
  },
  {
    name: 'late',
    good: '2xx to an event that is a day old, of a card cancelled since',
    run: async (receiver) => {
      const yesterday = { date: new Date(Date.now() - DAY_MS).toUTCString() }
      const cancelled = await receiver.sample('GIFTCARDS_CANCELLED', LATE_CARD)
      const late = await receiver.sample('GIFTCARDS_REDEEMED', LATE_CARD, yesterday)
      return judged(
        [
          ['cancellation', cancelled],
          ['late event', late],
        ],
        isSuccess,
      )
    },
  },
  {
    name: 'burst',
    good: `2xx to each of ${BURST} deliveries at once`,
    run: async (receiver) => {
      const ids = Array.from({ length: BURST }, (_, index) => `BK-${1011 + index}`)
      const sent = await Promise.all(ids.map((id) => receiver.sample('BOOKING_UPDATED', id)))
      const answers = sent.map((one): Answered => ['', one])
      return judged(answers, isSuccess)
    },
  },
  {
    name: 'unknown-event',
    good: '2xx to events that it does not know',
    run: async (receiver) => {
      const about = await receiver.send('{"eventType":"BOOKING_ARCHIVED","data":{"bookingId":"BK-1004","by":"TILL-1"}}')
      const other = await receiver.send('{"eventType":"MENU_PUBLISHED","data":{"menuId":"M-1"}}')
      return judged(
        [
          ['BOOKING_ARCHIVED', about],
          ['MENU_PUBLISHED', other],
        ],
        isSuccess,
      )
    },
  },
]

/** Every answer that came must have come in time; what was never answered failed elsewhere. */
export const answersInTime = (answerWithinMs: number): Check => ({
  name: 'answers-in-time',
  good: `within ${answerWithinMs / 1000} s, whatever comes`,
  sendsNothing: true,
  run: async ({ answers }: TriedReceiver) => {
    const [slowest] = answers.toSorted((a, b) => b.ms - a.ms)
    const late = answers.filter(({ ms }) => ms > answerWithinMs)
    const yours = slowest ? `at most ${slowest.ms} ms (${slowest.during})` : 'no answer'
    return late.length === 0
      ? { result: 'ok', yours }
      : { result: 'fail', yours: `${late.length} of ${answers.length} took longer; ${yours}` }
  },
})

const LATE_CARD = 'GIFT2-00005025-AAAA'
