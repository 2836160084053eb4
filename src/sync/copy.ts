import { Failure } from '../base/failure/failure.ts'
import type { SyncRecord } from './record.ts'

/** What a copy is kept of. */
export type ResourceName = 'bookings' | 'customers' | 'sales' | 'giftcards'

/** What a run, or a window of it, did to a copy. */
export interface Counts {
  /** Records that the copy did not have. */
  readonly added: number
  /** Records of which it had another version. */
  readonly changed: number
  /** Versions that it had already. */
  readonly unchanged: number
}

/** Nothing was done. */
export const NO_COUNTS: Counts = { added: 0, changed: 0, unchanged: 0 }

/** Adds up counts. */
export function plus(one: Counts, other: Counts): Counts {
  return {
    added: one.added + other.added,
    changed: one.changed + other.changed,
    unchanged: one.unchanged + other.unchanged,
  }
}

/** A record that this kind of copy cannot hold. */
export interface NotStored {
  /** The service's ID of it; of one without an ID, its version. */
  readonly id: string
  readonly why: string
}

/** What a commit did. */
export interface Committed extends Counts {
  /** Records that the copy lacks because it cannot hold them; absent when there are none. */
  readonly notStored?: readonly NotStored[]
}

/** What a commit says of the run that makes it, for `sync status`. */
export interface RunNote {
  /** When the run began, epoch milliseconds, by the service's clock. */
  readonly startedMs: number
  readonly requests: number
  /** Its counts so far, without what this commit adds. */
  readonly before: Counts
  /** What the run wants to find again next time: a short text of its own, to be kept with the cursor as it is. */
  readonly memo: string
}

/**
 * The connection to a copy was lost and is there again, but what was added since the last commit is not: the run begins anew from the
 * cursor, which may have moved. Its exit code, 8, is for a run that cannot.
 */
export class Rewound extends Failure {
  constructor({ words, hint }: Failure) {
    super('NETWORK_ERROR', words, { hint })
  }
}

/** Which copy is meant. */
export interface CopyKey {
  /** The profile's name, or what `--source` says. */
  readonly source: string
  readonly resource: ResourceName
}

/** How far a copy has come, as of the last commit. */
export interface Position {
  /** The high-water mark: all changes up to it are in the copy. Epoch milliseconds, by the service's clock; null before the first commit. */
  readonly cursorMs: number | null
  /** What the last commit was given to keep ({@link RunNote}); null before the first. */
  readonly memo: string | null
}

/**
 * A copy of one resource, held by this run alone. What is added becomes lasting with the next commit, together with the cursor:
 * a run that is killed at any moment leaves the copy as its last commit made it.
 */
export interface Copy extends Position {
  /**
   * Takes records into what the next commit makes lasting.
   * Fails: INTERNAL (a full disk); NETWORK_ERROR; {@link Rewound}; LOCKED when the hold was lost.
   */
  add(records: readonly SyncRecord[]): Promise<void>
  /**
   * Makes lasting what was added, and the cursor, together; returns what it did since the last commit. A cursor never moves back.
   * `complete`: what was added since the last commit is all that the service has (a snapshot of gift cards).
   * Fails: as {@link add}; the copy is then as the last commit left it.
   */
  commit(cursorMs: number, note: RunNote, complete?: boolean): Promise<Committed>
  /**
   * Finishes what a copy may leave for when a run has read all that there is, as it costs less then; a run that does not come so
   * far leaves it to a later one. Fails: as {@link add}; what was committed stays.
   */
  finish?(): Promise<void>
  /** Takes records out, by their IDs, of which the service has none any more. What was added must be committed. Absent: a stream. */
  remove?(ids: readonly string[]): Promise<void>
  /** Gives the copy back. What was not committed is dropped. */
  close(): Promise<void>
}

/** Who holds a copy at the moment, as a person reads it, such as `process 4711 on web-2`, and since when (ISO 8601) where that is known. */
export interface Holder {
  readonly who: string
  readonly since: string | null
}

/** What is known of a copy without holding it. */
export interface CopyState extends CopyKey, Position {
  /** The last run that committed something; null before the first. */
  readonly lastRun: (Counts & { readonly startedMs: number; readonly requests: number }) | null
  /** How many records, or versions in a log, the copy has. */
  readonly rows: number
  readonly holder: Holder | null
}

export interface HoldOptions {
  /** Forgets the cursor first, and keeps the records; a file is started anew. */
  readonly reset: boolean
  /** Waits while another run holds it, and takes over then, in place of failing. */
  readonly standby: boolean
  /** For a database that many hosts share: how long the hold lasts without a sign of life. Milliseconds. */
  readonly leaseMs: number
  /** How far behind the cursor this run will ask: versions that recent are told apart. Milliseconds. */
  readonly overlapMs: number
  /** Which command holds it, for others to read: `bookings sync`. */
  readonly command: string
  readonly signal: AbortSignal
  /** Says something to the person, a line on stderr. */
  readonly say: (line: string) => Promise<void>
}

/** Where the copy of a resource is kept, for one source. */
export interface Target {
  /** As the command line names it. It holds no password. */
  readonly name: string
  /** Takes hold of the copy. Fails: LOCKED (exit 12), naming the holder; USAGE for a damaged or newer copy, which is left as it is. */
  hold(options: HoldOptions): Promise<Copy>
  /** What is known of the copy; it takes no hold. Null: there is none yet. Fails: as {@link hold}, but never LOCKED. */
  state(): Promise<CopyState | null>
  /**
   * The newest version of each record that the copy has, in batches; `all`: older ones too, where it keeps them. It takes no hold.
   * Fails: USAGE when it does not keep them whole.
   */
  records(which?: 'newest' | 'all'): AsyncIterable<readonly SyncRecord[]>
  /**
   * What the snapshots of gift cards found, from the last one before an instant on (epoch milliseconds); it takes no hold. Undefined:
   * this kind of target keeps none.
   */
  snapshots?(fromMs: number): Promise<SnapshotHistory>
  /**
   * How the gift cards stood at one of the dated snapshots, and what each later one found, up to another; it takes no hold. `choose`
   * names the two by their places in the list of all, in order, and may fail. Undefined: this kind of target keeps none.
   */
  cardStates?(choose: (takenMs: readonly number[]) => ChosenSnapshots): Promise<CardStates>
  /** Closes connections; a copy that is held is closed first by its holder. */
  close(): Promise<void>
}

/** What dated snapshots of the gift cards found. */
export interface SnapshotHistory {
  /** When each was taken, in order, epoch milliseconds by the service's clock. */
  readonly takenMs: readonly number[]
  /** What each found to be otherwise than the one before; what the first of all found is no change. */
  readonly changes: readonly CardChange[]
}

/** Two of the dated snapshots, by their places in the list of all. */
export interface ChosenSnapshots {
  readonly from: number
  readonly to: number
}

/** A gift card as a snapshot has it. Cents; null for what the service did not send, or not in whole cents. */
export interface SnapshotCard {
  readonly status: string | null
  readonly amountCents: number | null
  readonly remainingCents: number | null
}

/** How the gift cards stood at a snapshot, and what later ones found. */
export interface CardStates {
  /** When the snapshots were taken, from the one to the other, epoch milliseconds by the service's clock. */
  readonly takenMs: readonly number[]
  /** Each card that the first of them, or one before it, had. `now`: null for one that was not listed any more. */
  readonly opening: readonly { readonly id: string; readonly now: SnapshotCard | null; readonly last: SnapshotCard }[]
  /** What later ones found to be otherwise; `at`: the place of the snapshot in `takenMs`. `now`: null for a card that was not listed. */
  readonly changes: readonly { readonly id: string; readonly at: number; readonly now: SnapshotCard | null }[]
}

/** What became of a gift card from one snapshot to the next. Cents; null where the card, or the figure, is missing. */
export interface CardChange {
  readonly id: string
  readonly change: 'appeared' | 'returned' | 'changed' | 'went'
  /** When the snapshot before was taken, and when the one that found it. Epoch milliseconds. */
  readonly afterMs: number
  readonly byMs: number
  readonly status: string | null
  readonly remainingCents: number | null
  readonly previousStatus: string | null
  readonly previousRemainingCents: number | null
}

/** How records become lines of CSV. */
export interface CsvLines {
  /** The line of column names, with its line end. */
  readonly header: string
  /** The line of a record, with its line end. */
  readonly line: (text: string) => string
}

/** Where records go that are streamed. */
export interface Outlet {
  /** Comes back when there is room for more. Fails: when the reader is gone. */
  write(text: string): Promise<void>
  /** Waits until all of it has left this process. Fails: as `write`. */
  flush(): Promise<void>
}

/** Which copy is meant, and what some kinds of target need besides. */
export interface TargetPlace extends CopyKey {
  readonly env: Readonly<Record<string, string | undefined>>
  /** For a database: the venue's zone, in which the record's local times become instants; null where nobody knows it. */
  readonly timezone?: string | null
  /** For a database: this process writes to it for other venues too, and none of them may wait while another reads. */
  readonly isShared?: boolean
  readonly csv?: CsvLines
  readonly stdout?: Outlet
}
