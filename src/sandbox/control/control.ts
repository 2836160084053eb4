import type { VenueTime } from '../clock/clock.ts'
import type { Delivery } from '../deliveries/deliveries.ts'
import type { Fault, FaultSpecification } from '../faults/fault.ts'
import type { JournalPage } from '../journal/journal.ts'
import type { LargeSeed, LargeSeedResult } from '../seed/large.ts'
import type { Venue } from '../venue/venue.ts'

/** The state of a sandbox's clock. */
export interface ClockReading extends Pick<VenueTime, 'frozen' | 'shifted'> {
  /** The venue's time, in ISO 8601 UTC. */
  readonly now: string
}

/** The operations that control a sandbox. They are separate from requests to the simulated service. */
export interface SandboxControl {
  /** Adds a fault. Throws USAGE if the fault is invalid. */
  addFault(specification: FaultSpecification): Promise<Fault>
  listFaults(): Promise<readonly Fault[]>
  /** Removes the fault with this ID, or all faults if no ID is given. Returns how many faults were removed. */
  clearFaults(id?: number): Promise<number>
  /**
   * Reads journal entries starting at a cursor, where 0 is the beginning. The result contains the cursor for the next
   * call.
   */
  readJournal(cursor: number): Promise<JournalPage>
  /** Lists all webhook deliveries and their attempts, oldest first. */
  listDeliveries(): Promise<readonly Delivery[]>
  /** Lists the venues that are linked to the app. The first venue is the default. */
  listVenues(): Promise<readonly Venue[]>
  readClock(): Promise<ClockReading>
  /**
   * Sets the clock to `at`, in milliseconds since 1970, or to the machine's time if `at` is `null`. The clock continues
   * to run from there unless it is frozen.
   */
  setClock(at: number | null, frozen: boolean): Promise<ClockReading>
  advanceClock(byMs: number): Promise<ClockReading>
  /** Adds many records. Does not report progress over HTTP. Throws USAGE if a number is invalid. */
  seed(large: LargeSeed): Promise<LargeSeedResult>
  saveSnapshot(): Promise<string>
  /**
   * Replaces the venue and clears the journal. If the snapshot is invalid, throws USAGE with the line number and
   * changes nothing.
   */
  loadSnapshot(snapshot: SnapshotSource): Promise<LoadedVenue>
  close(): Promise<void>
}

/** The loaded venue's clock and the data directory (`null` if the data is in memory). */
export type LoadedVenue = ClockReading & { readonly directory: string | null }

/** A snapshot to load: its text or the path of its file. `name` identifies it in error messages. */
export type SnapshotSource = { readonly name: string } & ({ readonly text: string } | { readonly file: string })

/** An operation that a running sandbox accepts over HTTP. */
export type ControlOperation = Exclude<keyof SandboxControl, 'close'>

/**
 * Time limits for operations over HTTP. Changing the clock is slow, because it delivers the events of the skipped time
 * one by one.
 */
export const CONTROL_LIMITS_MS: Readonly<Record<ControlOperation, number>> = {
  ...{ addFault: 10_000, listFaults: 10_000, clearFaults: 10_000, readJournal: 10_000 },
  ...{ listDeliveries: 10_000, listVenues: 10_000, readClock: 10_000 },
  ...{ setClock: 90_000, advanceClock: 90_000 },
  ...{ seed: 600_000, saveSnapshot: 600_000, loadSnapshot: 600_000 },
}
