import { Failure } from '../base/failure/failure.ts'
import type { SyncRecord } from './record.ts'

export type ResourceName = 'bookings' | 'customers' | 'sales' | 'giftcards'

/** What a run, or one window of it, did to a copy. */
export type Counts = { readonly added: number; readonly changed: number; readonly unchanged: number }

export const NO_COUNTS: Counts = { added: 0, changed: 0, unchanged: 0 }

export function plus({ added, changed, unchanged }: Counts, more: Counts): Counts {
  return { added: added + more.added, changed: changed + more.changed, unchanged: unchanged + more.unchanged }
}

/** A record that this kind of copy cannot store. */
export interface NotStored {
  /** The service's ID; the version if the record has no ID. */
  readonly id: string
  readonly why: string
}

export interface Committed extends Counts {
  /** Records that the copy cannot store. Absent if there are none. */
  readonly notStored?: readonly NotStored[]
}

/** What a commit records about its run, for `sync status`. */
export interface RunNote {
  /** Epoch milliseconds, by the service's clock. */
  readonly startedMs: number
  readonly requests: number
  readonly before: Counts
  /** Text for the next run, stored with the cursor as it is. */
  readonly memo: string
}

/** What was added since the last commit was lost with the connection: the run restarts. Exit code 8. */
export class Rewound extends Failure {
  constructor({ words, hint }: Failure) {
    super('NETWORK_ERROR', words, { hint })
  }
}

export interface CopyKey {
  /** The name of the profile, or the value of `--source`. */
  readonly source: string
  readonly resource: ResourceName
}

/** How far a copy goes, as of the last commit. */
export interface Position {
  /** All changes up to this service time are copied. Epoch milliseconds; null before the first commit. */
  readonly cursorMs: number | null
  /** The memo of the last commit ({@link RunNote}); null before the first. */
  readonly memo: string | null
}

/** A copy of one resource, locked by this run. A killed run leaves it as its last commit did. */
export interface Copy extends Position {
  /** Fails: INTERNAL (a full disk); NETWORK_ERROR; {@link Rewound}; LOCKED if the lock was lost. */
  add(records: readonly SyncRecord[]): Promise<void>
  /**
   * Stores what was added and the cursor, and returns what changed since the last commit. A cursor never moves back.
   * `complete`: what was added is all that the service has (a snapshot of gift cards). Fails: as {@link add}; the copy
   * is then as the last commit left it.
   */
  commit(cursorMs: number, note: RunNote, complete?: boolean): Promise<Committed>
  /** Does work that is cheaper once everything was read; else a later run does it. Fails: as {@link add}. */
  finish?(): Promise<void>
  /** Removes records by ID, at once. Call it only after a commit. Absent: a stream. */
  remove?(ids: readonly string[]): Promise<void>
  /** Releases the lock. What was not committed is dropped. */
  close(): Promise<void>
}

/** Who holds the lock, in words (`process 4711 on web-2`), and since when (ISO 8601; null if unknown). */
export type Holder = { readonly who: string; readonly since: string | null }

/** The state of a copy, which can be read without its lock. */
export interface CopyState extends CopyKey, Position {
  /** The last run that committed; null before the first. */
  readonly lastRun: (Counts & { readonly startedMs: number; readonly requests: number }) | null
  /** The number of records; in a log, of versions. */
  readonly rows: number
  readonly holder: Holder | null
}

export interface HoldOptions {
  /** Forgets the cursor but keeps the records. A file is started anew. */
  readonly reset: boolean
  /** Waits while another run has the lock, instead of failing. */
  readonly standby: boolean
  /** For a database that several hosts share: how long the lock lasts without renewal. Milliseconds. */
  readonly leaseMs: number
  /** Read again before the cursor. Milliseconds. */
  readonly overlapMs: number
  /** The command, shown to others that want the lock: `bookings sync`. */
  readonly command: string
  readonly signal: AbortSignal
  readonly say: (line: string) => Promise<void>
}

/** Where a copy is stored. */
export interface Target {
  /** The name on the command line. It contains no password. */
  readonly name: string
  /** Fails: LOCKED (exit 12), naming the holder; USAGE for a damaged or newer copy, which is left as it is. */
  hold(options: HoldOptions): Promise<Copy>
  /** Reads the state without locking. Null if there is no copy yet. Fails: as {@link hold}, but never LOCKED. */
  state(): Promise<CopyState | null>
  /**
   * Yields the newest version of each record, or `all`, without locking. `outline`: all, perhaps with only the members that
   * `sync verify` needs. `ids`: only these, in a copy with {@link hashOf}. Fails: USAGE without whole records.
   */
  records(which?: 'newest' | 'all' | 'outline', ids?: readonly string[]): AsyncIterable<readonly SyncRecord[]>
  /** Hashes a record of the service, or an outline, so that equal hashes mean equal contents. If absent, the text is hashed. */
  readonly hashOf?: (record: SyncRecord) => string
  /** Reads snapshots from the last one before `fromMs` (epoch milliseconds). Absent: this kind has none. */
  snapshots?(fromMs: number): Promise<SnapshotHistory>
  /** Passes the cards at one snapshot and up to another, picked by index, to `use`. Absent: this kind has none. */
  cardStates?<T>(
    choose: (takenMs: readonly number[]) => ChosenSnapshots,
    use: (states: CardStates) => Promise<T>,
  ): Promise<T>
  /** Closes connections. Close a locked copy first. */
  close(): Promise<void>
}

export interface SnapshotHistory {
  /** Epoch milliseconds, by the service's clock. */
  readonly takenMs: readonly number[]
  /** The first snapshot has no changes. */
  readonly changes: readonly CardChange[]
}

/** Two snapshots, by their index in the list of all. */
export type ChosenSnapshots = { readonly from: number; readonly to: number }

/** A gift card in a snapshot. Cents; null if the service did not send whole cents. */
export interface SnapshotCard {
  readonly status: string | null
  readonly amountCents: number | null
  readonly remainingCents: number | null
}

/** A gift card at a snapshot and in later ones. */
export interface CardOverTime {
  /** In upper case. */
  readonly id: string
  /** `null` if it was unknown. `now` is null if it was no longer listed; `last` is its last listed state. */
  opening: { readonly now: SnapshotCard | null; readonly last: SnapshotCard } | null
  /** `at`: the index of the snapshot in `takenMs`. `now` is null if it was no longer listed. */
  readonly changes: { readonly at: number; readonly now: SnapshotCard | null }[]
}

export interface CardStates {
  /** Epoch milliseconds, by the service's clock. */
  readonly takenMs: readonly number[]
  /** Every card once, sorted by ID as the database does. */
  readonly cards: AsyncIterable<readonly CardOverTime[]>
}

/** A change of a gift card between two snapshots. Cents; null if the card or the amount is missing. */
export interface CardChange {
  readonly id: string
  readonly change: 'appeared' | 'returned' | 'changed' | 'went'
  /** When the previous snapshot was taken, and this one. Epoch milliseconds. */
  readonly afterMs: number
  readonly byMs: number
  readonly status: string | null
  readonly remainingCents: number | null
  readonly previousStatus: string | null
  readonly previousRemainingCents: number | null
}

/** Formats records as CSV. Both members include the line end. */
export type CsvLines = { readonly header: string; readonly line: (text: string) => string }

/** The output of a stream. */
export interface Outlet {
  /** Resolves when there is room for more. Fails: if the reader is gone. */
  write(text: string): Promise<void>
  /** Resolves when everything has left this process. Fails: as `write`. */
  flush(): Promise<void>
}

/** Identifies a copy, with what some kinds of target need to open it. */
export interface TargetPlace extends CopyKey {
  readonly env: Readonly<Record<string, string | undefined>>
  /** For a database: the zone of the venue, which turns local times into instants; null if unknown. */
  readonly timezone?: string | null
  /** For a database: whether this process also writes to it for other venues, which must not wait. */
  readonly isShared?: boolean
  readonly csv?: CsvLines
  readonly stdout?: Outlet
}
