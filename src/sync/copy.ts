import { Failure } from '../base/failure/failure.ts'
import type { SyncRecord } from './record.ts'

export type ResourceName = 'bookings' | 'customers' | 'sales' | 'giftcards'

/** The numbers of records that a run, or one of its windows, added, changed and left unchanged. */
export type Counts = { readonly added: number; readonly changed: number; readonly unchanged: number }

export const NO_COUNTS: Counts = { added: 0, changed: 0, unchanged: 0 }

export function plus({ added, changed, unchanged }: Counts, more: Counts): Counts {
  return { added: added + more.added, changed: changed + more.changed, unchanged: unchanged + more.unchanged }
}

/** A record that this kind of copy cannot store. */
export interface NotStored {
  /** The service's ID, or the version if the record has no ID. */
  readonly id: string
  readonly why: string
}

export interface Committed extends Counts {
  /** Records that the copy cannot store. Absent if there are none. */
  readonly notStored?: readonly NotStored[]
}

/** Facts about the run that a commit stores for `sync status`. */
export interface RunNote {
  /** The start of the run, in epoch milliseconds by the service's clock. */
  readonly startedMs: number
  readonly requests: number
  readonly before: Counts
  /** Text for the next run, stored unchanged with the cursor. */
  readonly memo: string
}

/**
 * Thrown if the records added since the last commit were lost with the connection, so that the run must restart. Exit
 * code 8.
 */
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

/** The progress of a copy, as of the last commit. */
export interface Position {
  /**
   * The time, by the service's clock, up to which all changes are copied. Epoch milliseconds; `null` before the first
   * commit.
   */
  readonly cursorMs: number | null
  /** The memo of the last commit ({@link RunNote}), or `null` before the first commit. */
  readonly memo: string | null
}

/** A copy of one resource, locked by this run. If the run is killed, the copy stays as of the last commit. */
export interface Copy extends Position {
  /** Adds records to the next commit. Throws INTERNAL (a full disk); NETWORK_ERROR; {@link Rewound}; or LOCKED. */
  add(records: readonly SyncRecord[]): Promise<void>
  /**
   * Stores the added records and the cursor, and returns the counts since the last commit. A cursor never moves back.
   * `complete`: whether the added records are all that the service has (a snapshot of gift cards). Throws the copy then
   * stays as of the last commit, or whatever {@link add} throws.
   */
  commit(cursorMs: number, note: RunNote, complete?: boolean): Promise<Committed>
  /**
   * Does work that is cheaper once everything has been read. If omitted, a later run does it. Throws whatever {@link
   * add} throws.
   */
  finish?(): Promise<void>
  /** Removes records by ID, immediately. Call it only after a commit. Absent for streams. */
  remove?(ids: readonly string[]): Promise<void>
  /** Releases the lock and drops uncommitted records. */
  close(): Promise<void>
}

/**
 * The holder of a lock, as text (`process 4711 on web-2`), and when it took the lock (ISO 8601; `null` if
 * unknown).
 */
export type Holder = { readonly who: string; readonly since: string | null }

/** The state of a copy. Can be read without holding its lock. */
export interface CopyState extends CopyKey, Position {
  /** The last run that committed, or `null` before the first commit. */
  readonly lastRun: (Counts & { readonly startedMs: number; readonly requests: number }) | null
  /** The number of records; for an append-only log, the number of versions. */
  readonly rows: number
  readonly holder: Holder | null
}

export interface HoldOptions {
  /** Whether to forget the cursor but keep the records. A file is emptied instead. */
  readonly reset: boolean
  /** Whether to wait while another run holds the lock, instead of failing. */
  readonly standby: boolean
  /** How long the lock lasts without renewal, if several hosts share the database. Milliseconds. */
  readonly leaseMs: number
  /** How far before the cursor to read again. Milliseconds. */
  readonly overlapMs: number
  /** The command, shown to other runs that need the lock: `bookings sync`. */
  readonly command: string
  readonly signal: AbortSignal
  readonly say: (line: string) => Promise<void>
}

/** The destination to which a copy is written. */
export interface Target {
  /** The name given on the command line. Contains no password. */
  readonly name: string
  /** Locks and opens the copy. Throws LOCKED (exit 12), naming the holder, or USAGE for a damaged or newer copy. */
  hold(options: HoldOptions): Promise<Copy>
  /**
   * Reads the state without locking; `null` if no copy exists yet. Throws whatever {@link hold}, but never LOCKED
   * throws.
   */
  state(): Promise<CopyState | null>
  /**
   * Yields records without locking: the `newest` version of each, `all` versions, or the `outline` of all, which may
   * have only the members that `sync verify` needs. `ids`: yields only these records; only for a copy with {@link
   * hashOf}. Throws USAGE if the copy does not contain whole records.
   */
  records(which?: 'newest' | 'all' | 'outline', ids?: readonly string[]): AsyncIterable<readonly SyncRecord[]>
  /** Hashes a record or an outline so that equal hashes mean equal contents. If absent, hash the text. */
  readonly hashOf?: (record: SyncRecord) => string
  /** Reads snapshots from the last one before `fromMs` (epoch milliseconds). Absent if this kind of target has none. */
  snapshots?(fromMs: number): Promise<SnapshotHistory>
  /** Passes to `use` the cards between two chosen snapshots. Absent if this kind of target has no snapshots. */
  cardStates?<T>(
    choose: (takenMs: readonly number[]) => ChosenSnapshots,
    use: (states: CardStates) => Promise<T>,
  ): Promise<T>
  /** Closes all connections. Call it after closing a locked copy. */
  close(): Promise<void>
}

export interface SnapshotHistory {
  /** When each snapshot was taken, in epoch milliseconds by the service's clock. */
  readonly takenMs: readonly number[]
  /** The changes between snapshots. The first snapshot has none. */
  readonly changes: readonly CardChange[]
}

/** Two snapshots, by their index in the list of all snapshots. */
export type ChosenSnapshots = { readonly from: number; readonly to: number }

/** A gift card in a snapshot. Amounts are `null` if the service did not send whole cents. */
export interface SnapshotCard {
  readonly status: string | null
  readonly amountCents: number | null
  readonly remainingCents: number | null
}

/** A gift card's state at one snapshot and at later ones. */
export interface CardOverTime {
  /** The card number in upper case. */
  readonly id: string
  /** `null` if the card was unknown. `now` is `null` if it was no longer listed; `last` is its last listed state. */
  opening: { readonly now: SnapshotCard | null; readonly last: SnapshotCard } | null
  /** `at` is the index of the snapshot in `takenMs`. `now` is `null` if the card was no longer listed. */
  readonly changes: { readonly at: number; readonly now: SnapshotCard | null }[]
}

export interface CardStates {
  /** When each snapshot was taken, in epoch milliseconds by the service's clock. */
  readonly takenMs: readonly number[]
  /** Each card once, in the ID order of the database. */
  readonly cards: AsyncIterable<readonly CardOverTime[]>
}

/** A change to a gift card between two snapshots. Amounts are cents, `null` if the card or the amount is missing. */
export interface CardChange {
  readonly id: string
  readonly change: 'appeared' | 'returned' | 'changed' | 'went'
  /** The times of the previous and the current snapshot. Epoch milliseconds. */
  readonly afterMs: number
  readonly byMs: number
  readonly status: string | null
  readonly remainingCents: number | null
  readonly previousStatus: string | null
  readonly previousRemainingCents: number | null
}

/** A CSV format for records. The header and the lines include their line ends. */
export type CsvLines = { readonly header: string; readonly line: (text: string) => string }

/** The output of a stream. */
export interface Outlet {
  /** Resolves when more can be written. Fails if the reader has closed the stream. */
  write(text: string): Promise<void>
  /** Resolves when all data has left this process. Throws whatever `write` throws. */
  flush(): Promise<void>
}

/** A copy's key, with the settings that some kinds of target need to open it. */
export interface TargetContext extends CopyKey {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The time zone for converting the venue's local times to instants in a database; `null` if unknown. */
  readonly timezone?: string | null
  /** Whether this process also writes other venues, which must not be kept waiting, to the database. */
  readonly isShared?: boolean
  readonly csv?: CsvLines
  readonly stdout?: Outlet
}
