import { readFileSync } from 'node:fs'
import { Failure } from '../../base/failure/failure.ts'
import { advanceStepwise } from '../clock/advance.ts'
import type { VenueTime } from '../clock/clock.ts'
import { Deliverer } from '../deliveries/deliverer.ts'
import { listDeliveries } from '../deliveries/deliveries.ts'
import type { SandboxState } from '../state.ts'
import type { ClockReading, SandboxControl } from './control.ts'

/** Controls a sandbox whose state this process has open. Closing the control also closes the state. */
export function localControl(state: SandboxState): SandboxControl {
  // Delivers due webhooks from this process, because there might be no running sandbox to deliver them.
  const deliverDue = async (clock: VenueTime) => {
    await new Deliverer(state).deliverDue()
    return describeClock(clock)
  }
  return {
    addFault: async (specification) => state.settings().faults.add(specification),
    listFaults: async () => state.settings().faults.list(),
    clearFaults: async (id) => state.settings().faults.clear(id),
    readJournal: async (cursor) => state.journal.read(cursor),
    listDeliveries: async () => listDeliveries(state.store),
    listVenues: async () => {
      state.settings()
      return state.store.venues
    },
    readClock: async () => describeClock(state.settings().clock),
    setClock: async (at, frozen) => {
      if (at !== null) await advanceStepwise(state, checkTime(at) - state.settings().clock.now())
      const set = state.changeClock((clock) => {
        if (at === null && !frozen) clock.restore()
        else clock.set(at ?? Date.now(), frozen)
      })
      return deliverDue(set)
    },
    advanceClock: async (byMs) => {
      checkTime(state.settings().clock.now() + byMs)
      const moved = await advanceStepwise(state, byMs)
      return deliverDue(state.changeClock((clock) => clock.advance(byMs - moved)))
    },
    seed: async (large) => {
      const { seedInBulk } = await import('../seed/large.ts')
      return seedInBulk(state, large)
    },
    saveSnapshot: async () => {
      const { writeSnapshot } = await import('../snapshot/write.ts')
      state.applyDueChanges()
      return writeSnapshot(state.diary(), state.settings().clock)
    },
    loadSnapshot: async (source) => {
      const { readSnapshot } = await import('../snapshot/read.ts')
      const text = 'text' in source ? source.text : readFileSync(source.file, 'utf8')
      const clock = state.replaceVenue(readSnapshot(text, source.name).fill)
      return { ...describeClock(clock), directory: state.store.directory }
    },
    close: async () => state.close(),
  }
}

export function describeClock(clock: VenueTime): ClockReading {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen, shifted: clock.shifted }
}

/** The earliest and latest times that the service can represent. */
const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(9000, 0, 1)

function checkTime(at: number): number {
  if (at >= EARLIEST && at <= LATEST) return at
  throw new Failure('USAGE', 'the time must be between the years 1970 and 9000')
}
