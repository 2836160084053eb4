import type { History, Intent } from '../history.ts'
import { attemptSomehow, lie, lost, ON_CARDS, REDEEMS, strike, type Twist } from './twist.ts'

const DONE_BEFORE = 'the balance before it is not known'

/** A redeem of an amount, in cents, that was done, and another one that comes after it. */
async function afterAnother(history: History): Promise<Intent> {
  const { random } = history
  const first = history.want(random.of(REDEEMS))
  history.must(await history.attempt(first), 'applied')
  history.pass(random.whole(0, 60_000))
  return history.want(random.of(REDEEMS), random.is(0.7) ? { cents: first.write.cents } : {})
}

export const BALANCES: readonly Twist[] = [
  {
    name: 'a replica that lags behind',
    play: async (history) => {
      const intent = history.want(history.random.of(ON_CARDS))
      const until = history.timeline.now + history.random.whole(1, 50_000)
      history.server.lag(intent.write.target, { changes: 1, readings: Number.POSITIVE_INFINITY, until })
      history.faults(intent, lost(history, intent))
      await attemptSomehow(history, intent)
      history.pass(history.random.whole(1, 20_000))
      await history.resolve(intent)
    },
  },
  {
    name: 'an old balance that is read before a redeem',
    play: async (history) => {
      const intent = await afterAnother(history)
      const readings = history.random.whole(1, 4)
      history.server.lag(intent.write.target, { changes: 1, readings, until: history.timeline.now + 200_000 })
      history.say(`the next ${readings} readings are old`)
      if (readings > 2) history.untellable.add(DONE_BEFORE)
      history.faults(intent, lost(history, intent, ['before', 'before', 'after', 'late']))
      await attemptSomehow(history, intent)
    },
  },
  {
    name: 'an old balance that is read after a redeem',
    play: async (history) => {
      const intent = await afterAnother(history)
      history.faults(intent, lost(history, intent, ['after']))
      const run = history.run()
      strike(history, intent, run, 'writing', () =>
        history.server.lag(intent.write.target, {
          changes: 2,
          readings: Number.POSITIVE_INFINITY,
          until: history.timeline.now + 100_000,
        }),
      )
      history.must(await history.attempt(intent, run), 'unknown')
      history.pass(61_000)
      await history.resolve(intent)
    },
  },
  {
    name: 'a top-up between the readings',
    play: async (history) => {
      const intent = history.want(history.random.of(REDEEMS))
      history.faults(intent, lost(history, intent, ['after', 'after', 'before', 'late']))
      const run = history.run()
      const { target, cents } = intent.write
      const amount = history.random.is(0.7) ? (cents ?? 0n) : BigInt(history.random.whole(1, 9_999))
      // Before the card is read again, or long after.
      strike(history, intent, run, 'weighing', () => history.server.ledger.topUp(target, amount))
      history.untellable.add('the card was topped up')
      await history.attempt(intent, run)
      history.pass(61_000)
      await history.resolve(intent)
    },
  },
  {
    name: 'a card that expires between the readings',
    play: async (history) => {
      const { random } = history
      const cents = BigInt(random.whole(1_001, 20_000))
      const intent = history.want(random.of(REDEEMS), { cents, balance: cents + (random.is(0.7) ? 0n : 500n) })
      history.faults(intent, lost(history, intent, ['before', 'before', 'after', 'late']))
      history.untellable.add('the card expired')
      const run = history.run()
      strike(history, intent, run, 'weighing', () => history.server.ledger.expire(intent.write.target))
      await history.attempt(intent, run)
    },
  },
  {
    name: 'another till that takes something off the card meanwhile',
    play: async (history) => {
      const intent = history.want(history.random.of(REDEEMS))
      history.faults(intent, lost(history, intent))
      const run = history.run()
      // Never the same amount: nobody could tell the two apart.
      const taken = BigInt(history.random.whole(1, 1_000))
      strike(history, intent, run, history.random.of(['writing', 'weighing']), () => {
        history.server.ledger.take(intent.write.target, taken)
        history.say(`another till takes ${taken} cents`)
      })
      history.untellable.add('another till took something off the card')
      await history.attempt(intent, run)
    },
  },
  {
    name: 'another redeem of this till while the balance is on its way',
    play: async (history) => {
      const { random } = history
      const first = history.want('giftcards redeem')
      const second = history.want('inbound redeem', random.is(0.7) ? { cents: first.write.cents } : {})
      const isLie = random.is(0.5)
      history.faults(first, isLie ? lie(history, first) : lost(history, first, ['before', 'late']))
      const meanwhile = async () => {
        history.server.faults('write', second.write.target, [])
        history.must(await history.attempt(second), 'applied')
      }
      const slow = { kind: 'slow', meanwhile } as const
      if (isLie) history.server.faults('read', first.write.target, [null, slow])
      await history.attempt(first)
      if (isLie) return
      history.pass(61_000)
      history.server.faults('read', first.write.target, [slow])
      await history.resolve(first)
    },
  },
  {
    name: 'another redeem of this till on the same card meanwhile',
    play: async (history) => {
      const { random } = history
      const first = history.want('giftcards redeem')
      const isSame = random.is(0.6)
      const second = history.want('inbound redeem', isSame ? { cents: first.write.cents } : {})
      history.faults(first, lost(history, first))
      await history.attempt(first)
      const isLost = random.is(0.5)
      if (isLost) history.faults(second, lost(history, second))
      if (isSame && isLost) history.untellable.add('two redeems of one amount are open')
      await history.attempt(second)
      history.pass(61_000)
      for (const intent of random.is(0.5) ? [first, second] : [second, first]) await history.resolve(intent)
    },
  },
]
