import type { Fault } from '../commit-server.ts'
import type { History, Intent } from '../history.ts'
import type { Loss } from '../losses.ts'
import { attemptSomehow, lie, lost, ON_CARDS, REDEEMS, type Twist, wantAny } from './twist.ts'

async function answered(history: History, intent: Intent, losses: readonly Loss[]): Promise<Fault> {
  const { random } = history
  const fault: Fault = { kind: 'lost', loss: random.of(losses), phase: random.of(['before', 'after']) }
  history.faults(intent, fault)
  return fault
}

export const ANSWERS: readonly Twist[] = [
  {
    name: 'a 500 in the documented words',
    play: async (history) => {
      const intent = history.want(history.random.of(['giftcards redeem', 'giftcards cancel']))
      const fault = await answered(history, intent, ['documented-500'])
      const ending = await history.attempt(intent)
      history.must(ending, fault.kind === 'lost' && fault.phase === 'after' ? 'applied' : 'not-applied')
    },
  },
  {
    name: 'a failure that says that something was done',
    play: async (history) => {
      const intent = history.want(history.random.of(REDEEMS))
      await answered(history, intent, ['failed-with-amount', 'failed-and-active'])
      await attemptSomehow(history, intent)
    },
  },
  {
    name: 'a success that does not say how much, or says something else',
    play: async (history) => {
      const intent = history.want(history.random.of(REDEEMS))
      await answered(history, intent, ['no-amount', 'other-amount', 'contradiction'])
      await attemptSomehow(history, intent)
    },
  },
  {
    name: 'a cancellation whose answer is of a card that is not cancelled',
    play: async (history) => {
      const intent = history.want('giftcards cancel')
      await answered(history, intent, ['still-active', 'failed-and-cancelled'])
      await attemptSomehow(history, intent)
    },
  },
  {
    name: 'an answer that cannot be believed, and then one of the card that is lost',
    play: async (history) => {
      const intent = history.want(history.random.of(ON_CARDS))
      history.faults(intent, lie(history, intent))
      history.server.faults('read', intent.write.target, [null, lost(history, intent)])
      await attemptSomehow(history, intent)
    },
  },
  {
    name: 'a redirect in place of an answer',
    play: async (history) => {
      const intent = wantAny(history)
      history.retries = 1
      history.faults(intent, { kind: 'lost', loss: 'redirect', phase: history.random.of(['before', 'after']) })
      history.must(await history.attempt(intent), 'unknown')
      history.pass(history.random.whole(1, 500_000))
      await history.sendsNothing(intent, () => history.attempt(intent))
    },
  },
  {
    name: 'something that the service does long after its answer was lost',
    play: async (history) => {
      const intent = history.want(history.random.of(ON_CARDS))
      history.lateMs = history.random.whole(30_000, 59_000)
      history.faults(intent, { kind: 'lost', loss: history.random.of(['reset', 'hang', '504']), phase: 'late' })
      history.must(await history.attempt(intent), 'unknown')
      history.pass(history.random.whole(1, 20_000))
      await history.resolve(intent)
    },
  },
]
