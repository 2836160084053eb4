import type { Delivery } from '../deliveries/deliverer.ts'
import type { Fault, FaultSpecification } from '../faults/fault.ts'
import type { JournalPage } from '../journal/journal.ts'
import type { LargeSeed, LargeSeedResult } from '../seed/large.ts'

/** What the clock of a sandbox says. */
export interface ClockReading {
  /** ISO 8601, UTC. */
  readonly now: string
  /** True when the clock stands still. */
  readonly frozen: boolean
  /** True when it is not the machine's time. */
  readonly shifted: boolean
}

/** Controls a sandbox from outside, by its data directory or while it runs. */
export interface SandboxControl {
  /** Fails: USAGE when the fault makes no sense. */
  addFault(specification: FaultSpecification): Promise<Fault>
  listFaults(): Promise<readonly Fault[]>
  /** Removes all faults, or the one with this ID; returns how many. */
  clearFaults(id?: number): Promise<number>
  /** Reads the journal from a cursor on; 0 is its beginning. To follow it, read again from the cursor in the answer. */
  readJournal(cursor: number): Promise<JournalPage>
  /** All webhooks with their attempts, the oldest first. */
  listDeliveries(): Promise<readonly Delivery[]>
  readClock(): Promise<ClockReading>
  /** Sets the clock (milliseconds since 1970; null: back to the machine's); it runs on unless it is `frozen`. */
  setClock(at: number | null, frozen: boolean): Promise<ClockReading>
  /** Moves the clock forward by so many milliseconds, and makes everything happen that is then due. */
  advanceClock(byMs: number): Promise<ClockReading>
  /** Adds a great many records; over HTTP without reports of progress. Fails: USAGE for numbers that make no sense. */
  seed(large: LargeSeed): Promise<LargeSeedResult>
  close(): Promise<void>
}

/** The operations that a running sandbox takes over its admin endpoint, by name. */
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
