import type { Phase } from '../commit-server.ts'
import type { History, Intent } from '../history.ts'
import type { Loss } from '../losses.ts'
import type { MoneyCommand } from '../till.ts'
import { attemptWithNoise, ON_CARDS, pickLie, pickLoss, REDEEMS, type Twists } from './twist.ts'

/** Creates a scenario where the response usually says the opposite of what happened. */
function answered(loss: Loss, commands: readonly MoneyCommand[], contrary: Phase): Twists {
  return {
    [`a response that cannot be trusted: ${loss}`]: async (history) => {
      const { random } = history
      const intent = history.addIntent(random.pick(commands))
      const other = contrary === 'after' ? 'before' : 'after'
      history.faults(intent, { kind: 'lost', loss, phase: random.happens(0.8) ? contrary : other })
      await attemptWithNoise(history, intent)
    },
  }
}

async function redirected(history: History, intent: Intent): Promise<void> {
  history.retries = 1
  history.faults(intent, { kind: 'lost', loss: 'redirect', phase: history.random.pick(['before', 'after']) })
  history.expectOutcome(await history.attempt(intent), 'unknown')
  history.passTime(history.random.integer(1, 500_000))
  await history.expectNothingSent(intent, () => history.attempt(intent))
}

export const ANSWERS: Twists = {
  'a 500 with the documented message': async (history) => {
    const intent = history.addIntent(history.random.pick(['giftcards redeem', 'giftcards cancel']))
    const isDone = history.random.happens(0.7)
    history.faults(intent, { kind: 'lost', loss: 'documented-500', phase: isDone ? 'after' : 'before' })
    history.expectOutcome(await history.attempt(intent), isDone ? 'applied' : 'not-applied')
  },
  ...answered('failed-with-amount', REDEEMS, 'after'),
  ...answered('failed-and-active', REDEEMS, 'after'),
  ...answered('no-amount', REDEEMS, 'before'),
  ...answered('other-amount', REDEEMS, 'before'),
  ...answered('contradiction', REDEEMS, 'before'),
  ...answered('still-active', ['giftcards cancel'], 'before'),
  ...answered('failed-and-cancelled', ['giftcards cancel'], 'before'),
  'a response that cannot be trusted, followed by a lost card read': async (history) => {
    const intent = history.addIntent(history.random.pick(ON_CARDS))
    history.faults(intent, pickLie(history, intent))
    history.server.setFaults('read', intent.write.target, [null, pickLoss(history, intent)])
    await attemptWithNoise(history, intent)
  },
  'a redirect instead of a response to a sale': (history) =>
    redirected(history, history.addIntent('sales create', { bookingId: null })),
  'a redirect instead of a response about a card': (history) =>
    redirected(history, history.addIntent(history.random.pick(ON_CARDS))),
  'a write that the service performs long after its response was lost': async (history) => {
    const intent = history.addIntent(history.random.pick(ON_CARDS))
    history.lateMs = history.random.integer(31_000, 59_000)
    history.faults(intent, { kind: 'lost', loss: history.random.pick(['reset', 'hang', '504']), phase: 'late' })
    history.expectOutcome(await history.attempt(intent), 'unknown')
    if (history.timeline.now < history.startedAt + 10_000) history.passTime(history.random.integer(1, 20_000))
    await history.resolve(intent)
  },
}
