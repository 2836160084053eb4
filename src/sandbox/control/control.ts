import type { Delivery } from '../deliveries/deliveries.ts'
import type { Fault, FaultSpecification } from '../faults/fault.ts'
import type { JournalPage } from '../journal/journal.ts'
import type { LargeSeed, LargeSeedResult } from '../seed/large.ts'
import type { Venue } from '../venue/venue.ts'

/** The time of a sandbox. */
export interface ClockReading {
  /** ISO 8601, UTC. */
  readonly now: string
  /** True when it stands still. */
  readonly frozen: boolean
  /** True when it is not the machine's time. */
  readonly shifted: boolean
}

/** What a person can do to a sandbox besides calling the service. */
export interface SandboxControl {
  /** Fails: USAGE when the fault makes no sense. */
  addFault(specification: FaultSpecification): Promise<Fault>
  listFaults(): Promise<readonly Fault[]>
  /** Removes one fault by its ID, or all of them; returns how many. */
  clearFaults(id?: number): Promise<number>
  /** Reads the journal from a cursor on, 0 being its beginning. The cursor that comes back is where to read on. */
  readJournal(cursor: number): Promise<JournalPage>
  /** Lists webhooks with all their attempts, the oldest first. */
  listDeliveries(): Promise<readonly Delivery[]>
  /** Lists the venues that are linked to the app; the first is the one that is meant when none is named. */
  listVenues(): Promise<readonly Venue[]>
  readClock(): Promise<ClockReading>
  /** Sets the time (milliseconds since 1970; null: the machine's), from which it runs on unless it is frozen. */
  setClock(at: number | null, frozen: boolean): Promise<ClockReading>
  /** Moves the time on, and applies what has fallen due by it. */
  advanceClock(byMs: number): Promise<ClockReading>
  /** Adds a great many records. Over HTTP it does not report its progress. Fails: USAGE for numbers that make no sense. */
  seed(large: LargeSeed): Promise<LargeSeedResult>
  close(): Promise<void>
}

/** The operations that a running sandbox takes over HTTP, by name. */
export const CONTROL_OPERATIONS = [
  'addFault',
  'listFaults',
  'clearFaults',
  'readJournal',
  'listDeliveries',
  'listVenues',
  'readClock',
  'setClock',
  'advanceClock',
  'seed',
] as const satisfies readonly (keyof SandboxControl)[]
