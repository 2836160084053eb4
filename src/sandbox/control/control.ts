import type { Delivery } from '../deliveries/deliverer.ts'
import type { Fault, FaultSpecification } from '../faults/fault.ts'
import type { JournalPage } from '../journal/journal.ts'
import type { LargeSeed, LargeSeedResult } from '../seed/large.ts'

/** Where a sandbox's time stands. */
export interface ClockReading {
  /** ISO 8601, UTC. */
  readonly now: string
  /** True when it stands still. */
  readonly frozen: boolean
  /** True when it is not the machine's time. */
  readonly shifted: boolean
}

/** What a person does to a sandbox from outside: on its data directory, or on one that is running. */
export interface SandboxControl {
  /** Fails: USAGE when the fault makes no sense. */
  addFault(specification: FaultSpecification): Promise<Fault>
  listFaults(): Promise<readonly Fault[]>
  /** Removes all, or the one of that number; returns how many. */
  clearFaults(id?: number): Promise<number>
  /** Reads the journal from a cursor on; 0 is its beginning. To follow it, ask again with the cursor that came back. */
  readJournal(cursor: number): Promise<JournalPage>
  /** Webhooks with every attempt, the oldest first. */
  listDeliveries(): Promise<readonly Delivery[]>
  readClock(): Promise<ClockReading>
  /** Sets the time (milliseconds since 1970; null: back to the machine's), which runs on unless it is frozen. */
  setClock(at: number | null, frozen: boolean): Promise<ClockReading>
  /** Moves the time on by so many milliseconds: what falls due, happens. */
  advanceClock(byMs: number): Promise<ClockReading>
  /** Adds a great many rows. Over HTTP nothing is said of how far it is. Fails: USAGE for numbers that make no sense. */
  seed(large: LargeSeed): Promise<LargeSeedResult>
  close(): Promise<void>
}

/** The operations by name, as a running sandbox takes them over its admin endpoint. */
export const CONTROL_OPERATIONS = [
  'addFault',
  'listFaults',
  'clearFaults',
  'readJournal',
  'listDeliveries',
  'readClock',
  'setClock',
  'advanceClock',
  'seed',
] as const satisfies readonly (keyof SandboxControl)[]
