import { FATES } from '../fates.ts'
import type { History, Intent } from '../history.ts'
import {
  addAnyIntent,
  attemptWithNoise,
  DAY_MS,
  MINUTE_MS,
  ON_CARDS,
  openSale,
  pickLoss,
  runAtPoint,
  type Twists,
} from './twist.ts'

/** Attempts a write whose response is lost. The service performs the write only later. */
async function lateOne(history: History): Promise<Intent> {
  const intent = history.addIntent(history.random.pick(ON_CARDS))
  history.lateMs = history.random.integer(30_000, 59_000)
  history.faults(intent, pickLoss(history, intent, ['late']))
  await history.attempt(intent)
  return intent
}

export const CLOCKS: Twists = {
  'a clock that is set forward': async (history) => {
    const intent = await lateOne(history)
    history.setClock(history.random.integer(61_000, 2 * DAY_MS))
    history.passTime(history.random.integer(1, 20_000))
    await history.resolve(intent)
  },
  'a balance that takes a long time to arrive': async (history) => {
    const intent = await lateOne(history)
    history.passTime(history.random.integer(1, 25_000))
    history.attemptMs = 2 * MINUTE_MS
    // The balance in this response was read before the service performed the write.
    const waits = () => history.passTime(history.random.integer(60_000, 100_000))
    history.server.setFaults('read', intent.write.target, [{ kind: 'slow', meanwhile: waits }])
    await history.resolve(intent)
  },
  'a clock that is set at any time': async (history) => {
    const intent = addAnyIntent(history)
    history.retries = history.random.integer(0, 1)
    history.faults(intent, pickLoss(history, intent))
    const run = history.run()
    runAtPoint(history, intent, run, history.random.pick(['reading', 'writing', 'waiting', 'weighing']), () =>
      history.setClock(history.random.integer(-2 * DAY_MS, 2 * DAY_MS)),
    )
    await history.attempt(intent, run)
  },
  'a kill -9 at any time': async (history) => {
    const { random } = history
    const intent = addAnyIntent(history)
    history.retries = random.integer(0, 1)
    if (random.happens(0.8)) history.faults(intent, pickLoss(history, intent))
    const run = history.run()
    const point = random.pick(['reading', 'writing', 'writing', 'waiting', 'weighing'] as const)
    runAtPoint(history, intent, run, point, () => run.kill())
    await history.attempt(intent, run, random.pick(FATES))
    history.passTime(random.integer(1, 20_000))
    await history.resolve(intent)
  },
  'a kill -9 when the run has its result': async (history) => {
    const intent = addAnyIntent(history)
    const run = history.run()
    runAtPoint(history, intent, run, 'answered', () => run.kill())
    await history.attempt(intent, run, history.random.pick(FATES))
  },
  'a kill -9 while the service is still working': async (history) => {
    const { random } = history
    const intent = history.addIntent(random.pick(ON_CARDS))
    history.lateMs = random.integer(40_000, 59_000)
    history.faults(intent, { kind: 'lost', loss: 'reset', phase: 'late' })
    const run = history.run()
    runAtPoint(history, intent, run, 'writing', () => run.kill())
    await history.attempt(intent, run, random.pick(['gone', 'replaced', 'of another start']))
    await history.resolve(intent)
    history.passTime(random.integer(1, 30_000))
    await history.resolve(intent)
  },
  'a process in another container that reads the card for the same write': async (history) => {
    const intent = history.addIntent(history.random.pick(ON_CARDS))
    history.attemptMs = 10 * MINUTE_MS
    const run = history.run()
    runAtPoint(history, intent, run, 'reading', async () => {
      history.setProcessFate(intent, 'out of sight')
      history.passTime(history.random.integer(1, 9 * MINUTE_MS))
      await history.expectNothingSent(intent, async () =>
        history.expectOutcome(await history.run().write(intent.write), 'unknown'),
      )
    })
    history.expectOutcome(await history.attempt(intent, run), 'applied')
  },
  'a process in another container that was presumed dead before it sent its write': async (history) => {
    const intent = history.addIntent(history.random.pick(ON_CARDS))
    history.attemptMs = 20 * MINUTE_MS
    const run = history.run()
    runAtPoint(history, intent, run, 'reading', async () => {
      history.setProcessFate(intent, 'out of sight')
      history.passTime(history.random.integer(11 * MINUTE_MS, 15 * MINUTE_MS))
      history.expectOutcome(await history.attempt(intent), 'applied')
    })
    const { said, how } = await run.write(intent.write)
    history.log(`the process that was given up: ${said} (${how})`)
    history.expectSentOnce(intent)
  },
  'a process in another container that is still working on the write': async (history) => {
    const { random } = history
    const intent = history.addIntent(random.pick(ON_CARDS))
    history.attemptMs = 5 * MINUTE_MS
    history.lateMs = random.integer(1, 5 * MINUTE_MS)
    history.faults(intent, { kind: 'lost', loss: 'hang', phase: random.pick(['before', 'after', 'late']) })
    const run = history.run()
    runAtPoint(history, intent, run, 'writing', async () => {
      history.setProcessFate(intent, 'out of sight')
      for (let look = 0; look < 2; look++) {
        history.passTime(random.integer(61_000, 100_000))
        await history.resolve(intent)
      }
    })
    await history.attempt(intent, run)
  },
  'a machine that was switched off': async (history) => {
    const { random } = history
    const intent = history.addIntent(random.pick(ON_CARDS))
    history.faults(intent, pickLoss(history, intent))
    const run = history.run()
    if (random.happens(0.5)) runAtPoint(history, intent, run, 'writing', () => run.kill())
    await history.attempt(intent, run)
    history.restart(random.integer(5_000, 3 * 3_600_000), random.happens(0.5))
    history.passTime(random.integer(1, 30_000))
    await history.resolve(intent)
  },
  'a machine that was switched off while a sale was open': async (history) => {
    const intent = await openSale(history, ['after'], false)
    history.restart(history.random.integer(11 * MINUTE_MS, 3 * 3_600_000), history.random.happens(0.2))
    history.passTime(history.random.integer(1, 30_000))
    await history.expectNothingSent(intent, () => history.attempt(intent))
  },
  'a machine that slept': async (history) => {
    const intent = addAnyIntent(history)
    history.faults(intent, pickLoss(history, intent))
    await attemptWithNoise(history, intent)
    history.sleep(history.random.integer(11 * MINUTE_MS, 8 * 3_600_000))
    await history.resolve(intent)
    if (intent.outcome !== 'applied') await history.attempt(intent)
  },
  'a hundred days, with other writes on the card in between': async (history) => {
    const first = history.addIntent('giftcards redeem')
    history.faults(first, pickLoss(history, first, ['before', 'late']))
    history.expectOutcome(await history.attempt(first), 'unknown')
    history.expectOutcome(
      await history.attempt(history.addIntent('inbound redeem', { cents: first.write.cents })),
      'applied',
    )
    history.passTime(history.random.pick([10 * MINUTE_MS, 100 * DAY_MS, 100 * DAY_MS]))
    // Record another write, because partner removes old records only when it adds one.
    const other = history.addIntent('giftcards redeem', { target: 'OTHER-00000001-CARD' })
    history.expectOutcome(await history.attempt(other), 'applied')
    await history.resolve(first)
  },
}
