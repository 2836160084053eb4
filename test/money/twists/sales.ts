import type { History, Intent } from '../history.ts'
import { DAY_MS, MINUTE_MS, openSale, pickLoss, type Twists } from './twist.ts'

/** Attempts an open sale again after the given time. Checks that partner only looks it up and does not resend it. */
async function runAgainAfter(history: History, ms: number, isLinked: boolean): Promise<void> {
  const intent = await openSale(history, isLinked ? ['late'] : ['after', 'late'], isLinked)
  history.passTime(ms)
  if (!isLinked && history.random.happens(0.5)) history.setClock(history.random.pick([-ms, -ms + 5_000, 3_600_000]))
  await history.expectNothingSent(intent, async () => {
    history.expectOutcome(await history.attempt(intent), isLinked ? 'applied' : 'unknown')
  })
}

/** Submits another till's sale with the same ID. */
function submitAnother(history: History, { write }: Intent, difference: 'total' | 'booking', isListed = true): void {
  const { random, server } = history
  const amount = Number(write.cents) + (difference === 'total' ? random.integer(1, 500) : 0)
  const bookingId = difference === 'booking' ? 'BK-2' : 'BK-1'
  server.ledger.sell(write.target, { total: { amount }, notes: 'another till', ...(isListed ? { bookingId } : {}) })
  history.log(`another till submits a sale ${write.target} of ${amount} cents`)
}

function somebodyElses(difference: 'total' | 'booking'): Twists {
  return {
    [`a sale by another till with the same ID and a different ${difference}`]: async (history) => {
      const intent = history.addIntent('sales create', { bookingId: 'BK-1' })
      history.unresolvableReasons.add('another sale has its ID')
      history.keepsTime = true
      history.retries = history.random.integer(0, 1)
      const isFirst = history.random.happens(0.5)
      if (isFirst) submitAnother(history, intent, difference)
      history.faults(intent, pickLoss(history, intent, isFirst ? ['after'] : ['before']))
      await history.attempt(intent)
      if (history.findOpen(intent) === null) return
      if (!isFirst) submitAnother(history, intent, difference)
      history.passTime(history.random.integer(1, 5 * MINUTE_MS))
      history.expectOutcome(await history.attempt(intent), 'unknown')
    },
  }
}

export const SALES: Twists = {
  'a sale whose responses are lost': async (history) => {
    const intent = history.addIntent('sales create')
    history.retries = history.random.integer(0, 2)
    history.faults(intent, ...Array.from({ length: history.random.integer(1, 3) }, () => pickLoss(history, intent)))
    await history.attempt(intent)
  },
  'an open sale that is retried within ten minutes': async (history) => {
    const intent = await openSale(history)
    history.passTime(history.random.integer(1, 9 * MINUTE_MS))
    history.expectOutcome(await history.attempt(intent), 'applied')
  },
  'an open sale that is retried after 11 minutes': (h) => runAgainAfter(h, 11 * MINUTE_MS, false),
  'an open sale that is retried after 20 days': (h) => runAgainAfter(h, 20 * DAY_MS, false),
  'an open sale that is listed after 20 days': (h) => runAgainAfter(h, 20 * DAY_MS, true),
  'an open sale that has to wait because of a 429': async (history) => {
    const intent = await openSale(history, ['after'], false)
    history.passTime(history.random.integer(8 * MINUTE_MS, 10 * MINUTE_MS))
    history.retries = 2
    const busy = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '59' } } as const
    history.faults(intent, busy, busy)
    await history.attempt(intent)
  },
  'a sale that hangs until the service has forgotten it': async (history) => {
    const intent = history.addIntent('sales create')
    history.attemptMs = 11 * MINUTE_MS
    history.retries = 2
    history.faults(intent, { kind: 'lost', loss: 'hang', phase: 'after' })
    await history.attempt(intent)
  },
  ...somebodyElses('total'),
  ...somebodyElses('booking'),
  'an unlisted sale by another till with the same ID': async (history) => {
    const intent = history.addIntent('sales create')
    submitAnother(history, intent, 'total', false)
    history.mayMistakeAnotherSale = true
    history.expectOutcome(await history.attempt(intent), 'not-applied')
  },
}
