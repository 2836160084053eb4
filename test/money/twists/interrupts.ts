import type { History, Intent } from '../history.ts'
import type { Ending } from '../till-run.ts'
import { addAnyIntent, ON_CARDS, openSale, type Point, pickLoss, runAtPoint, type Twists } from './twist.ts'

const BUSY = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '7' } } as const

/** Attempts a write and sends one or two signals to its run at the given point. */
async function stopped(history: History, intent: Intent, point: Point): Promise<Ending> {
  const run = history.run()
  const twice = history.random.happens(0.3)
  runAtPoint(history, intent, run, point, () => {
    run.interrupt()
    if (twice) run.interrupt()
    history.log(twice ? 'Ctrl-C, twice' : 'Ctrl-C')
  })
  return history.attempt(intent, run)
}

export const INTERRUPTS: Twists = {
  'a signal while the card is read': async (history) => {
    const intent = history.addIntent(history.random.pick(ON_CARDS))
    history.expectOutcome(await stopped(history, intent, 'reading'), 'interrupted')
  },
  'a signal while the write is in flight': async (history) => {
    const intent = addAnyIntent(history)
    if (history.random.happens(0.7)) history.faults(intent, pickLoss(history, intent))
    history.expectOutcome(await stopped(history, intent, 'writing'), 'unknown')
  },
  'a signal while the run checks the outcome': async (history) => {
    const intent = history.addIntent(history.random.pick(ON_CARDS))
    history.faults(intent, pickLoss(history, intent))
    history.expectOutcome(await stopped(history, intent, 'weighing'), 'unknown')
  },
  'a signal when the run has its result': async (history) => {
    const intent = addAnyIntent(history)
    history.expectOutcome(await stopped(history, intent, 'answered'), 'applied')
  },
  'a signal while the run waits because of a 429': async (history) => {
    const intent = addAnyIntent(history)
    history.retries = 1
    history.faults(intent, BUSY)
    history.expectOutcome(await stopped(history, intent, 'waiting'), 'interrupted')
  },
  'a signal while a sale waits to be resent': async (history) => {
    const intent = history.addIntent('sales create')
    history.retries = 2
    history.faults(intent, pickLoss(history, intent))
    history.expectOutcome(await stopped(history, intent, 'waiting'), 'unknown')
  },
  'a signal while a sale is looked up before it is resent': async (history) => {
    const intent = history.addIntent('sales create')
    history.retries = 1
    history.faults(intent, pickLoss(history, intent))
    history.expectOutcome(await stopped(history, intent, 'weighing'), 'unknown')
  },
  'a signal while a sale is looked up after a 409': async (history) => {
    const intent = history.addIntent('sales create', { bookingId: null })
    history.retries = 1
    history.faults(intent, pickLoss(history, intent, ['after']))
    history.expectOutcome(await stopped(history, intent, 'proving'), 'unknown')
  },
  'a signal while an open sale is resent': async (history) => {
    const intent = await openSale(history)
    history.passTime(history.random.integer(1, 400_000))
    history.retries = 1
    if (history.random.happens(0.5)) history.faults(intent, pickLoss(history, intent))
    await stopped(history, intent, history.random.pick(['reading', 'writing', 'waiting']))
  },
  'a signal while an open sale waits because of a 429': async (history) => {
    const intent = await openSale(history, ['before'])
    history.passTime(history.random.integer(1, 400_000))
    history.retries = 1
    history.faults(intent, BUSY)
    await stopped(history, intent, 'waiting')
  },
}
