import type { VenueTime } from '../clock/clock.ts'
import type { Delivery } from '../deliveries/deliveries.ts'
import type { Fault, FaultSpecification } from '../faults/fault.ts'
import type { JournalPage } from '../journal/journal.ts'
import type { LargeSeed, LargeSeedResult } from '../seed/large.ts'
import type { Venue } from '../venue/venue.ts'

/** The time of a sandbox. */
export interface ClockReading extends Pick<VenueTime, 'frozen' | 'shifted'> {
  /** ISO 8601, UTC. */
  readonly now: string
}

/** What the user can do to a sandbox, apart from calling the service. */
export interface SandboxControl {
  /** Fails: USAGE when the fault makes no sense. */
  addFault(specification: FaultSpecification): Promise<Fault>
  listFaults(): Promise<readonly Fault[]>
  /** Removes one fault by its ID, or all of them; returns how many. */
  clearFaults(id?: number): Promise<number>
  /** Reads the journal from a cursor; 0 is the beginning. Returns the cursor to resume at. */
  readJournal(cursor: number): Promise<JournalPage>
  /** Lists webhooks with all their attempts, the oldest first. */
  listDeliveries(): Promise<readonly Delivery[]>
  /** Lists the venues that are linked to the app; the first is the default. */
  listVenues(): Promise<readonly Venue[]>
  readClock(): Promise<ClockReading>
  /** Sets the time (milliseconds since 1970; null: the machine's). It continues from there unless frozen. */
  setClock(at: number | null, frozen: boolean): Promise<ClockReading>
  advanceClock(byMs: number): Promise<ClockReading>
  /** Adds many records. Over HTTP it does not report progress. Fails: USAGE for numbers that make no sense. */
  seed(large: LargeSeed): Promise<LargeSeedResult>
  saveSnapshot(): Promise<string>
  /** Replaces the venue and clears the journal. Fails: USAGE with the wrong line; nothing is changed then. */
  loadSnapshot(snapshot: SnapshotSource): Promise<LoadedVenue>
  close(): Promise<void>
}

/** The time of a loaded venue, and its data directory; null: in memory. */
export type LoadedVenue = ClockReading & { readonly directory: string | null }

/** A snapshot to load: its text, or the path of its file. `name` is for messages. */
export type SnapshotSource = { readonly name: string } & ({ readonly text: string } | { readonly file: string })

/** An operation that a running sandbox takes over HTTP. */
export type ControlOperation = Exclude<keyof SandboxControl, 'close'>

/** How long each operation may take over HTTP. A moved clock delivers its events one after the other. */
export const CONTROL_LIMITS_MS: Readonly<Record<ControlOperation, number>> = {
  ...{ addFault: 10_000, listFaults: 10_000, clearFaults: 10_000, readJournal: 10_000 },
  ...{ listDeliveries: 10_000, listVenues: 10_000, readClock: 10_000 },
  ...{ setClock: 90_000, advanceClock: 90_000 },
  ...{ seed: 600_000, saveSnapshot: 600_000, loadSnapshot: 600_000 },
}
