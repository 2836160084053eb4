import { Failure } from '../base/failure/failure.ts'
import type { SyncRecord } from './record.ts'

export type ResourceName = 'bookings' | 'customers' | 'sales' | 'giftcards'

/** How many records a run, or one of its windows, added, changed and left unchanged. */
export type Counts = { readonly added: number; readonly changed: number; readonly unchanged: number }

export const NO_COUNTS: Counts = { added: 0, changed: 0, unchanged: 0 }

export function plus({ added, changed, unchanged }: Counts, more: Counts): Counts {
  return { added: added + more.added, changed: changed + more.changed, unchanged: unchanged + more.unchanged }
}

/** A record that this kind of copy cannot store. */
export interface NotStored {
  /** The service's ID for the record, or the record's version if it has no ID. */
  readonly id: string
  readonly why: string
}

export interface Committed extends Counts {
  /** The records that the copy cannot store. Undefined if there are none. */
  readonly notStored?: readonly NotStored[]
}

/** Information about a run. A commit stores it for `sync status`. */
export interface RunNote {
  /** The service's time, in epoch milliseconds, when the run started. */
  readonly startedMs: number
  readonly requests: number
  readonly before: Counts
  /** Text for the next run. It is stored unchanged with the cursor. */
  readonly memo: string
}

/**
 * Thrown if the connection and all records added since the last commit were lost. The run must start again from that
 * commit. The exit code is 8.
 */
export class Rewound extends Failure {
  constructor({ words, hint }: Failure) {
    super('NETWORK_ERROR', words, { hint })
  }
}

export interface CopyKey {
  /** The profile's name, or the value of `--source`. */
  readonly source: string
  readonly resource: ResourceName
}

/** How far a copy had progressed at the last commit. */
export interface Position {
  /**
   * The service's time, in epoch milliseconds, up to which all changes have been copied. `null` before the first
   * commit.
   */
  readonly cursorMs: number | null
  /** The memo from the last commit ({@link RunNote}), or `null` before the first commit. */
  readonly memo: string | null
}

/**
 * A copy of one resource that this run has locked. If the run is killed, the copy stays as it was at the last commit.
 */
export interface Copy extends Position {
  /**
   * Adds records to the next commit. Throws NETWORK_ERROR or {@link Rewound} if the connection is lost, LOCKED if
   * another process holds the lock, or INTERNAL if the disk is full.
   */
  add(records: readonly SyncRecord[]): Promise<void>
  /**
   * Commits the added records and the cursor. Returns the counts since the last commit. The cursor never moves back.
   * `complete` means that the added records are all of the service's records, as in a snapshot of gift cards. Throws
   * the same errors as {@link add}. The copy then stays as it was at the last commit.
   */
  commit(cursorMs: number, note: RunNote, complete?: boolean): Promise<Committed>
  /**
   * Does work that is cheaper once everything has been read, such as creating indexes. If this is not called, a later
   * run does the work. Throws the same errors as {@link add}.
   */
  finish?(): Promise<void>
  /** Immediately removes records by ID. Must not be called while records are uncommitted. Undefined for streams. */
  remove?(ids: readonly string[]): Promise<void>
  /** Releases the lock and drops the records that were not committed. */
  close(): Promise<void>
}

/**
 * A description of a lock's holder (`process 4711 on web-2`), and when it acquired the lock (in ISO 8601, or `null` if
 * unknown).
 */
export type Holder = { readonly who: string; readonly since: string | null }

/** A copy's state, which can be read without locking the copy. */
export interface CopyState extends CopyKey, Position {
  /** The last run that committed, or `null` before the first commit. */
  readonly lastRun: (Counts & { readonly startedMs: number; readonly requests: number }) | null
  /** The number of records. For an append-only log, the number of versions. */
  readonly rows: number
  readonly holder: Holder | null
}

export interface HoldOptions {
  /** Whether to discard the cursor. A database copy keeps its records, but a file is emptied. */
  readonly reset: boolean
  /** Whether to wait, rather than fail, while another run holds the lock. */
  readonly standby: boolean
  /** How long, in milliseconds, the lock lasts if it is not renewed. Used if several hosts share the database. */
  readonly leaseMs: number
  /** How many milliseconds before the cursor a run starts reading. */
  readonly overlapMs: number
  /** The command, such as `bookings sync`. It is shown to other runs that are waiting for the lock. */
  readonly command: string
  readonly signal: AbortSignal
  readonly say: (line: string) => Promise<void>
}

/** The destination of a copy. */
export interface Target {
  /** The name from the command line. It contains no password. */
  readonly name: string
  /**
   * Locks and opens the copy. Throws LOCKED, naming the holder, if another run holds the lock and `standby` is not set.
   * Throws USAGE if the copy is damaged or was written by a newer version.
   */
  hold(options: HoldOptions): Promise<Copy>
  /**
   * Reads the state without locking. Returns `null` if no copy exists yet. Throws the same errors as {@link hold},
   * except LOCKED.
   */
  state(): Promise<CopyState | null>
  /**
   * Yields records without locking. `which` selects the `newest` version of each record, `all` versions, or an
   * `outline` of each record, which may omit members that `sync verify` does not need. `ids` selects records by ID and
   * requires {@link hashOf}. Throws USAGE if the copy does not contain whole records.
   */
  records(which?: 'newest' | 'all' | 'outline', ids?: readonly string[]): AsyncIterable<readonly SyncRecord[]>
  /** Hashes a record or an outline. Equal hashes mean equal contents. If this is undefined, hash the text instead. */
  readonly hashOf?: (record: SyncRecord) => string
  /**
   * Reads snapshots, starting with the last one before `fromMs` (epoch milliseconds). Undefined if this kind of target
   * has no snapshots.
   */
  snapshots?(fromMs: number): Promise<SnapshotHistory>
  /**
   * Calls `use` with each card's history between the two snapshots that `choose` selects: the card's state in the
   * first, and its changes up to the second. Undefined if this kind of target has no snapshots.
   */
  cardStates?<T>(
    choose: (takenMs: readonly number[]) => ChosenSnapshots,
    use: (states: CardStates) => Promise<T>,
  ): Promise<T>
  /** Closes all connections. Call this after closing a locked copy. */
  close(): Promise<void>
}

export interface SnapshotHistory {
  /** The service's time, in epoch milliseconds, when each snapshot was taken. */
  readonly takenMs: readonly number[]
  /** The changes from each snapshot to the next. */
  readonly changes: readonly CardChange[]
}

/** Two snapshots, as indexes into the list of all snapshots. */
export type ChosenSnapshots = { readonly from: number; readonly to: number }

/** A gift card in a snapshot. An amount is `null` if the service did not send it as a whole number of cents. */
export interface SnapshotCard {
  readonly status: string | null
  readonly amountCents: number | null
  readonly remainingCents: number | null
}

/** A gift card's state in one snapshot, and its changes in later snapshots. */
export interface CardOverTime {
  /** The card number in upper case. */
  readonly id: string
  /**
   * The card in the first snapshot, or `null` if it did not exist yet. If it was no longer listed, `now` is `null`, and
   * `last` is the card when it was last listed.
   */
  opening: { readonly now: SnapshotCard | null; readonly last: SnapshotCard } | null
  /**
   * The changes in later snapshots. `at` is the snapshot's index in `takenMs`. `now` is `null` if the card was no
   * longer listed.
   */
  readonly changes: { readonly at: number; readonly now: SnapshotCard | null }[]
}

export interface CardStates {
  /** The service's time, in epoch milliseconds, when each snapshot was taken. */
  readonly takenMs: readonly number[]
  /** Yields each card once. Cards are sorted by ID in the database's sort order. */
  readonly cards: AsyncIterable<readonly CardOverTime[]>
}

/**
 * A change to a gift card between two snapshots. Amounts are in cents, or `null` if the amount or the card is missing.
 */
export interface CardChange {
  readonly id: string
  readonly change: 'appeared' | 'returned' | 'changed' | 'went'
  /** When the previous and the current snapshot were taken, in epoch milliseconds. */
  readonly afterMs: number
  readonly byMs: number
  readonly status: string | null
  readonly remainingCents: number | null
  readonly previousStatus: string | null
  readonly previousRemainingCents: number | null
}

/** A CSV format for records. The header and the lines end with a newline. */
export type CsvLines = { readonly header: string; readonly line: (text: string) => string }

/** The output for a stream. */
export interface Outlet {
  /** Resolves when more text can be written. Rejects if the reader has closed the stream. */
  write(text: string): Promise<void>
  /** Resolves when all data has left this process. Throws the same errors as `write`. */
  flush(): Promise<void>
}

/** A copy's key, with settings that only some kinds of target need. */
export interface TargetContext extends CopyKey {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The time zone that a database uses to convert the venue's local times to instants, or `null` if it is unknown. */
  readonly timezone?: string | null
  /** Whether this process also writes other venues to the database and therefore must not block them. */
  readonly isShared?: boolean
  readonly csv?: CsvLines
  readonly stdout?: Outlet
}
