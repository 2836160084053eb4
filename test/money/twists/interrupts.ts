import type { History, Intent } from '../history.ts'
import type { Ending } from '../till-run.ts'
import { lost, ON_CARDS, openSale, type Point, strike, type Twist, wantAny } from './twist.ts'

const BUSY = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '7' } } as const

/** A write that is stopped at a point, by one signal or by two. */
async function stopped(history: History, intent: Intent, point: Point): Promise<Ending> {
  const run = history.run()
  const twice = history.random.is(0.3)
  strike(history, intent, run, point, () => {
    run.interrupt()
    if (twice) run.interrupt()
    history.say(twice ? 'Ctrl-C, twice' : 'Ctrl-C')
  })
  return history.attempt(intent, run)
}

export const INTERRUPTS: readonly Twist[] = [
  {
    name: 'a signal while the card is read',
    play: async (history) => {
      const intent = history.want(history.random.of(ON_CARDS))
      history.must(await stopped(history, intent, 'reading'), 'interrupted')
    },
  },
  {
    name: 'a signal while the write is on its way',
    play: async (history) => {
      const intent = wantAny(history)
      if (history.random.is(0.7)) history.faults(intent, lost(history, intent))
      history.must(await stopped(history, intent, 'writing'), 'unknown')
    },
  },
  {
    name: 'a signal while it looks what became of it',
    play: async (history) => {
      const intent = history.want(history.random.of(ON_CARDS))
      history.faults(intent, lost(history, intent))
      history.must(await stopped(history, intent, 'weighing'), 'unknown')
    },
  },
  {
    name: 'a signal when it has its result',
    play: async (history) => {
      const intent = wantAny(history)
      history.must(await stopped(history, intent, 'answered'), 'applied')
    },
  },
  {
    name: 'a signal while it waits for its turn',
    play: async (history) => {
      const intent = wantAny(history)
      history.retries = 1
      history.faults(intent, BUSY)
      history.must(await stopped(history, intent, 'waiting'), 'interrupted')
    },
  },
  {
    name: 'a signal while a sale waits to be sent again',
    play: async (history) => {
      const intent = history.want('sales create')
      history.retries = 2
      history.faults(intent, lost(history, intent))
      history.must(await stopped(history, intent, 'waiting'), 'unknown')
    },
  },
  {
    name: 'a signal while a sale is looked for before it is sent again',
    play: async (history) => {
      const intent = history.want('sales create')
      history.retries = 1
      history.faults(intent, lost(history, intent))
      history.must(await stopped(history, intent, 'weighing'), 'unknown')
    },
  },
  {
    name: 'a signal while a sale is looked for after a 409',
    play: async (history) => {
      const intent = history.want('sales create', { bookingId: null })
      history.retries = 1
      history.faults(intent, lost(history, intent, ['after']))
      history.must(await stopped(history, intent, 'proving'), 'unknown')
    },
  },
  {
    name: 'a signal while an open sale is sent again',
    play: async (history) => {
      const intent = await openSale(history)
      history.pass(history.random.whole(1, 400_000))
      history.retries = 1
      if (history.random.is(0.5)) history.faults(intent, lost(history, intent))
      await stopped(history, intent, history.random.of(['reading', 'writing', 'waiting']))
    },
  },
  {
    name: 'a signal while an open sale waits for its turn',
    play: async (history) => {
      const intent = await openSale(history, ['before'])
      history.pass(history.random.whole(1, 400_000))
      history.retries = 1
      history.faults(intent, BUSY)
      await stopped(history, intent, 'waiting')
    },
  },
]
