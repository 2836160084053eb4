import type { History, Intent } from '../history.ts'
import type { Ending } from '../till-run.ts'
import { lost, ON_CARDS, openSale, type Point, strike, type Twist, wantAny } from './twist.ts'

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
    name: 'a signal while a sale waits to be sent again',
    play: async (history) => {
      const intent = history.want('sales create')
      history.retries = 2
      history.faults(intent, lost(history, intent, ['after', 'late']))
      history.must(await stopped(history, intent, 'waiting'), 'unknown')
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
    name: 'a signal while it looks what became of it',
    play: async (history) => {
      const intent = wantAny(history)
      history.retries = intent.write.command === 'sales create' ? 1 : 0
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
      history.faults(intent, { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '7' } })
      history.must(await stopped(history, intent, 'waiting'), 'interrupted')
    },
  },
  {
    name: 'a signal while an open sale is sent again',
    play: async (history) => {
      const intent = await openSale(history)
      history.pass(history.random.whole(1, 400_000))
      history.retries = 1
      const busy = { kind: 'refused', status: 429, body: '' } as const
      if (history.random.is(0.7)) history.faults(intent, history.random.of([busy, lost(history, intent)]))
      await stopped(history, intent, history.random.of(['reading', 'writing', 'waiting', 'waiting']))
    },
  },
]
