import type { History, Intent } from '../history.ts'
import { lost, openSale, type Twist } from './twist.ts'

const MINUTE_MS = 60_000

/** A sale that was open for so long is looked for, and not sent again. */
async function runAgainAfter(history: History, ms: number): Promise<void> {
  const intent = await openSale(history)
  history.pass(ms)
  if (history.random.is(0.3)) history.setClock(history.random.of([-ms, -ms + 5_000, 3_600_000]))
  await history.sendsNothing(intent, async () => {
    const ending = await history.attempt(intent)
    const isListed = intent.write.bookingId !== null && history.committed(intent) === 1
    if (!history.isTimeUncertain) history.must(ending, isListed ? 'applied' : 'unknown')
  })
}

/** Somebody else's sale with the same ID is there: of another total, or of another booking. */
function submitAnother(history: History, { write: { target, cents } }: Intent, bookingId: string | null): void {
  const { random, server } = history
  const isOtherTotal = bookingId === null || random.is(0.5)
  const amount = Number(cents) + (isOtherTotal ? random.whole(1, 500) : 0)
  server.ledger.sell(target, {
    total: { amount },
    notes: 'somebody else',
    ...(bookingId === null ? {} : { bookingId: isOtherTotal ? bookingId : 'BK-2' }),
  })
  history.say(`somebody else submits a sale ${target} of ${amount} cents`)
}

export const SALES: readonly Twist[] = [
  {
    name: 'a sale whose answers are lost',
    play: async (history) => {
      const intent = history.want('sales create')
      history.retries = history.random.whole(0, 2)
      history.faults(intent, ...Array.from({ length: history.random.whole(1, 3) }, () => lost(history, intent)))
      await history.attempt(intent)
    },
  },
  {
    name: 'an open sale that is run again within ten minutes',
    play: async (history) => {
      const intent = await openSale(history)
      history.pass(history.random.whole(1, 9 * MINUTE_MS))
      history.must(await history.attempt(intent), 'applied')
    },
  },
  {
    name: 'an open sale that is run again after 11 minutes',
    play: (history) => runAgainAfter(history, 11 * MINUTE_MS),
  },
  {
    name: 'an open sale that is run again after 20 days',
    play: (history) => runAgainAfter(history, 20 * 24 * 60 * MINUTE_MS),
  },
  {
    name: 'an open sale that has to wait for its turn',
    play: async (history) => {
      const intent = await openSale(history)
      history.pass(history.random.whole(8 * MINUTE_MS, 10 * MINUTE_MS))
      history.retries = 2
      const busy = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '59' } } as const
      history.faults(intent, busy, busy)
      await history.attempt(intent)
    },
  },
  {
    name: 'a sale that hangs until the service has forgotten it',
    play: async (history) => {
      const intent = history.want('sales create')
      history.attemptMs = 11 * MINUTE_MS
      history.retries = 2
      history.faults(intent, { kind: 'lost', loss: 'hang', phase: 'after' })
      await history.attempt(intent)
    },
  },
  {
    name: 'somebody else’s sale with the same ID, which is listed',
    play: async (history) => {
      const intent = history.want('sales create', { bookingId: 'BK-1' })
      history.untellable.add('another sale has its ID')
      history.keepsTime = true
      history.retries = history.random.whole(0, 1)
      const isFirst = history.random.is(0.4)
      if (isFirst) submitAnother(history, intent, 'BK-1')
      history.faults(intent, lost(history, intent, isFirst ? ['after'] : ['before']))
      await history.attempt(intent)
      if (!isFirst && history.openOf(intent)) submitAnother(history, intent, 'BK-1')
      history.pass(history.random.whole(1, 5 * MINUTE_MS))
      if (history.openOf(intent)) await history.attempt(intent)
    },
  },
  {
    name: 'somebody else’s sale with the same ID, which is not listed',
    play: async (history) => {
      const intent = history.want('sales create')
      submitAnother(history, intent, null)
      history.isTakenForAnother = true
      history.must(await history.attempt(intent), 'not-applied')
    },
  },
]
