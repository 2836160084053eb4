import { FATES } from '../fates.ts'
import type { History, Intent } from '../history.ts'
import { attemptSomehow, DAY_MS, lost, MINUTE_MS, ON_CARDS, openSale, strike, type Twists, wantAny } from './twist.ts'

/** Attempts a write whose response is lost and that the service performs some time later. */
async function lateOne(history: History): Promise<Intent> {
  const intent = history.want(history.random.of(ON_CARDS))
  history.lateMs = history.random.whole(30_000, 59_000)
  history.faults(intent, lost(history, intent, ['late']))
  await history.attempt(intent)
  return intent
}

export const CLOCKS: Twists = {
  'a clock that is set forward': async (history) => {
    const intent = await lateOne(history)
    history.setClock(history.random.whole(61_000, 2 * DAY_MS))
    history.pass(history.random.whole(1, 20_000))
    await history.resolve(intent)
  },
  'a balance that takes long to arrive': async (history) => {
    const intent = await lateOne(history)
    history.pass(history.random.whole(1, 25_000))
    history.attemptMs = 2 * MINUTE_MS
    // The balance was read before the service performed the write.
    const waits = () => history.pass(history.random.whole(60_000, 100_000))
    history.server.faults('read', intent.write.target, [{ kind: 'slow', meanwhile: waits }])
    await history.resolve(intent)
  },
  'a clock that is set at any time': async (history) => {
    const intent = wantAny(history)
    history.retries = history.random.whole(0, 1)
    history.faults(intent, lost(history, intent))
    const run = history.run()
    strike(history, intent, run, history.random.of(['reading', 'writing', 'waiting', 'weighing']), () =>
      history.setClock(history.random.whole(-2 * DAY_MS, 2 * DAY_MS)),
    )
    await history.attempt(intent, run)
  },
  'a kill -9 at any time': async (history) => {
    const { random } = history
    const intent = wantAny(history)
    history.retries = random.whole(0, 1)
    if (random.is(0.8)) history.faults(intent, lost(history, intent))
    const run = history.run()
    const point = random.of(['reading', 'writing', 'writing', 'waiting', 'weighing'] as const)
    strike(history, intent, run, point, () => run.kill())
    await history.attempt(intent, run, random.of(FATES))
    history.pass(random.whole(1, 20_000))
    await history.resolve(intent)
  },
  'a kill -9 when the run has its result': async (history) => {
    const intent = wantAny(history)
    const run = history.run()
    strike(history, intent, run, 'answered', () => run.kill())
    await history.attempt(intent, run, history.random.of(FATES))
  },
  'a kill -9 while the service is still working': async (history) => {
    const { random } = history
    const intent = history.want(random.of(ON_CARDS))
    history.lateMs = random.whole(40_000, 59_000)
    history.faults(intent, { kind: 'lost', loss: 'reset', phase: 'late' })
    const run = history.run()
    strike(history, intent, run, 'writing', () => run.kill())
    await history.attempt(intent, run, random.of(['gone', 'replaced', 'of another start']))
    await history.resolve(intent)
    history.pass(random.whole(1, 30_000))
    await history.resolve(intent)
  },
  'a process of another container that reads the card for the same write': async (history) => {
    const intent = history.want(history.random.of(ON_CARDS))
    history.attemptMs = 10 * MINUTE_MS
    const run = history.run()
    strike(history, intent, run, 'reading', async () => {
      history.bury(intent, 'out of sight')
      history.pass(history.random.whole(1, 9 * MINUTE_MS))
      await history.sendsNothing(intent, async () => history.must(await history.run().write(intent.write), 'unknown'))
    })
    history.must(await history.attempt(intent, run), 'applied')
  },
  'a process of another container that was given up before it sent its write': async (history) => {
    const intent = history.want(history.random.of(ON_CARDS))
    history.attemptMs = 20 * MINUTE_MS
    const run = history.run()
    strike(history, intent, run, 'reading', async () => {
      history.bury(intent, 'out of sight')
      history.pass(history.random.whole(11 * MINUTE_MS, 15 * MINUTE_MS))
      history.must(await history.attempt(intent), 'applied')
    })
    const { said, how } = await run.write(intent.write)
    history.say(`the process that was given up: ${said} (${how})`)
    history.sentOnce(intent)
  },
  'a process of another container that is still working on the write': async (history) => {
    const { random } = history
    const intent = history.want(random.of(ON_CARDS))
    history.attemptMs = 5 * MINUTE_MS
    history.lateMs = random.whole(1, 5 * MINUTE_MS)
    history.faults(intent, { kind: 'lost', loss: 'hang', phase: random.of(['before', 'after', 'late']) })
    const run = history.run()
    strike(history, intent, run, 'writing', async () => {
      history.bury(intent, 'out of sight')
      for (let look = 0; look < 2; look++) {
        history.pass(random.whole(61_000, 100_000))
        await history.resolve(intent)
      }
    })
    await history.attempt(intent, run)
  },
  'a machine that was switched off': async (history) => {
    const { random } = history
    const intent = history.want(random.of(ON_CARDS))
    history.faults(intent, lost(history, intent))
    const run = history.run()
    if (random.is(0.5)) strike(history, intent, run, 'writing', () => run.kill())
    await history.attempt(intent, run)
    history.restart(random.whole(5_000, 3 * 3_600_000), random.is(0.5))
    history.pass(random.whole(1, 30_000))
    await history.resolve(intent)
  },
  'a machine that was switched off while a sale was open': async (history) => {
    const intent = await openSale(history, ['after'], false)
    history.restart(history.random.whole(11 * MINUTE_MS, 3 * 3_600_000), history.random.is(0.2))
    history.pass(history.random.whole(1, 30_000))
    await history.sendsNothing(intent, () => history.attempt(intent))
  },
  'a machine that slept': async (history) => {
    const intent = wantAny(history)
    history.faults(intent, lost(history, intent))
    await attemptSomehow(history, intent)
    history.sleep(history.random.whole(11 * MINUTE_MS, 8 * 3_600_000))
    await history.resolve(intent)
    if (intent.outcome !== 'applied') await history.attempt(intent)
  },
  'a hundred days, with other writes on the card in between': async (history) => {
    const first = history.want('giftcards redeem')
    history.faults(first, lost(history, first, ['before', 'late']))
    history.must(await history.attempt(first), 'unknown')
    history.must(await history.attempt(history.want('inbound redeem', { cents: first.write.cents })), 'applied')
    history.pass(history.random.of([10 * MINUTE_MS, 100 * DAY_MS, 100 * DAY_MS]))
    // Old writes are removed when a new one is claimed.
    const other = history.want('giftcards redeem', { target: 'OTHER-00000001-CARD' })
    history.must(await history.attempt(other), 'applied')
    await history.resolve(first)
  },
}
