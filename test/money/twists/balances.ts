import type { History, Intent } from '../history.ts'
import { attemptWithNoise, ON_CARDS, pickLoss, REDEEMS, runAtPoint, type Twists } from './twist.ts'

/** Completes a redemption and adds another one by the same till, usually for the same amount. */
async function afterAnother(history: History): Promise<Intent> {
  const { random } = history
  const first = history.addIntent('giftcards redeem')
  history.expectOutcome(await history.attempt(first), 'applied')
  history.passTime(random.integer(0, 60_000))
  return history.addIntent('inbound redeem', random.happens(0.8) ? { cents: first.write.cents } : {})
}

/** Adds two redemptions of one card by the same till, usually for the same amount, and leaves the first one open. */
async function besideAnother(history: History): Promise<readonly [first: Intent, second: Intent, isSame: boolean]> {
  const { random } = history
  const first = history.addIntent('giftcards redeem')
  const isSame = random.happens(0.8)
  const second = history.addIntent('inbound redeem', isSame ? { cents: first.write.cents } : {})
  history.faults(first, pickLoss(history, first, ['before', 'late']))
  history.expectOutcome(await history.attempt(first), 'unknown')
  return [first, second, isSame]
}

export const BALANCES: Twists = {
  'a replica that lags behind': async (history) => {
    const intent = history.addIntent(history.random.pick(ON_CARDS))
    const until = history.timeline.now + history.random.integer(1, 50_000)
    history.server.lag(intent.write.target, { changes: 1, readings: Number.POSITIVE_INFINITY, until })
    history.faults(intent, pickLoss(history, intent))
    await attemptWithNoise(history, intent)
    history.passTime(history.random.integer(1, 20_000))
    await history.resolve(intent)
  },
  'a stale balance that is read before a redemption': async (history) => {
    const intent = await afterAnother(history)
    const readings = history.random.integer(1, 4)
    history.server.lag(intent.write.target, { changes: 1, readings, until: history.timeline.now + 200_000 })
    history.log(`the next ${readings} readings are stale`)
    if (readings > 2) history.unresolvableReasons.add('the balance before it is not known')
    history.faults(intent, pickLoss(history, intent, ['before', 'before', 'after', 'late']))
    await attemptWithNoise(history, intent)
  },
  'a stale balance that is read after a redemption': async (history) => {
    const intent = await afterAnother(history)
    history.faults(intent, pickLoss(history, intent, ['after']))
    const run = history.run()
    runAtPoint(history, intent, run, 'writing', () => {
      const lag = { changes: 2, readings: Number.POSITIVE_INFINITY, until: history.timeline.now + 100_000 }
      history.server.lag(intent.write.target, lag)
    })
    history.expectOutcome(await history.attempt(intent, run), 'unknown')
    history.passTime(61_000)
    await history.resolve(intent)
  },
  'a top-up between the card reads': async (history) => {
    const intent = history.addIntent(history.random.pick(REDEEMS))
    history.faults(intent, pickLoss(history, intent, ['after', 'after', 'after', 'before', 'late']))
    const run = history.run()
    const { target, cents } = intent.write
    const amount = history.random.happens(0.8) ? (cents ?? 0n) : BigInt(history.random.integer(1, 9_999))
    runAtPoint(history, intent, run, 'weighing', () => history.server.ledger.topUp(target, amount))
    history.unresolvableReasons.add('the card was topped up')
    await history.attempt(intent, run)
    history.passTime(61_000)
    await history.resolve(intent)
  },
  'a card that expires between the card reads': async (history) => {
    const { random } = history
    const cents = BigInt(random.integer(1_001, 20_000))
    const intent = history.addIntent(random.pick(REDEEMS), {
      cents,
      balance: cents + (random.happens(0.8) ? 0n : 500n),
    })
    history.faults(intent, pickLoss(history, intent, ['before', 'before', 'before', 'after', 'late']))
    history.unresolvableReasons.add('the card expired')
    const run = history.run()
    runAtPoint(history, intent, run, 'weighing', () => history.server.ledger.expire(intent.write.target))
    await history.attempt(intent, run)
  },
  'another till that redeems from the card at the same time': async (history) => {
    const intent = history.addIntent(history.random.pick(REDEEMS))
    history.faults(intent, pickLoss(history, intent))
    const run = history.run()
    // Use a different amount, because two redemptions for the same amount would be indistinguishable.
    const taken = BigInt(history.random.integer(1, 1_000))
    runAtPoint(history, intent, run, history.random.pick(['writing', 'weighing']), () => {
      history.server.ledger.take(intent.write.target, taken)
      history.log(`another till redeems ${taken} cents`)
    })
    history.unresolvableReasons.add('another till redeemed from the card')
    await history.attempt(intent, run)
  },
  'a second redemption by the same till while the first one is open': async (history) => {
    const [first, second] = await besideAnother(history)
    history.expectOutcome(await history.attempt(second), 'applied')
    history.passTime(61_000)
    await history.resolve(first)
  },
  'two open redemptions by the same till': async (history) => {
    const { random } = history
    const [first, second, isSame] = await besideAnother(history)
    history.faults(second, pickLoss(history, second))
    if (isSame) history.unresolvableReasons.add('two redemptions of the same amount are open')
    await history.attempt(second)
    history.passTime(61_000)
    for (const intent of random.happens(0.5) ? [first, second] : [second, first]) await history.resolve(intent)
  },
  'another redemption by the same till while the balance is being read': async (history) => {
    const [first, second] = await besideAnother(history)
    history.passTime(61_000)
    const meanwhile = async () => history.expectOutcome(await history.attempt(second), 'applied')
    history.server.setFaults('read', first.write.target, [{ kind: 'slow', meanwhile }])
    await history.resolve(first)
  },
  'two redemptions by the same till at the same moment': async (history) => {
    const { server, random } = history
    const first = history.addIntent('giftcards redeem')
    const second = history.addIntent('inbound redeem', random.happens(0.8) ? { cents: first.write.cents } : {})
    const { target } = first.write
    history.unresolvableReasons.add('it is unknown which of the redemptions a balance includes')
    // The second redemption reads the balance while the first is in flight, and completes while the first rereads
    // the balance.
    const arrived = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    let secondEnds: Promise<unknown> = Promise.resolve()
    const begins = () => {
      secondEnds = history.attempt(second)
      return arrived.promise
    }
    const waits = () => {
      arrived.resolve()
      return goesOn.promise
    }
    const ends = async () => {
      goesOn.resolve()
      await secondEnds
    }
    server.setCallbacks('write', target, [begins, waits])
    history.faults(first, { kind: 'lost', loss: 'documented-500', phase: random.happens(0.8) ? 'after' : 'before' })
    server.setFaults('read', target, [null, null, { kind: 'slow', meanwhile: ends }])
    await history.attempt(first)
    await ends()
  },
}
