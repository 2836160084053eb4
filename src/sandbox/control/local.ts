import { Failure } from '../../failure/failure.ts'
import type { Clock } from '../clock/clock.ts'
import { listDeliveries } from '../deliveries/deliverer.ts'
import type { SandboxState } from '../state.ts'
import type { ClockReading, SandboxControl } from './control.ts'

/** Controls a sandbox whose state is open in this process; closing the control closes the state. */
export function localControl(state: SandboxState): SandboxControl {
  const { clock, store } = state.world
  const readClock = () => readingOf(clock)
  const changeClock = (change: () => void): ClockReading => {
    state.refresh()
    state.catchUp()
    change()
    state.letTimePass()
    return readClock()
  }
  return {
    addFault: async (specification) => state.faults.add(specification),
    listFaults: async () => state.faults.list(),
    clearFaults: async (id) => state.faults.clear(id),
    readJournal: async (cursor) => state.journal.read(cursor),
    listDeliveries: async () => listDeliveries(store),
    readClock: async () => {
      state.refresh()
      return readClock()
    },
    setClock: async (at, frozen) =>
      changeClock(() => {
        if (at === null && !frozen) clock.restore()
        else clock.set(at === null ? Date.now() : moment(at), frozen)
      }),
    advanceClock: async (byMs) => changeClock(() => clock.advance(moment(clock.now() + byMs) - clock.now())),
    seed: async (large) => {
      const { seedLargely } = await import('../seed/large.ts')
      return seedLargely(state, large)
    },
    close: async () => state.close(),
  }
}

/** Where a clock stands. */
export function readingOf(clock: Clock): ClockReading {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen, shifted: clock.shifted }
}

/** Years that the forms of the service can write. */
const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(9000, 0, 1)

function moment(at: number): number {
  if (at >= EARLIEST && at <= LATEST) return at
  throw new Failure('USAGE', 'the time must lie between the years 1970 and 9000')
}
