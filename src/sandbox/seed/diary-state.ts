import type { Store } from '../store/store.ts'
import type { Numbering } from './numbers.ts'

/** Which parts of the diary are already seeded. Days are counted since 1970. */
export interface DiaryState {
  readonly seed: number
  readonly days: readonly number[]
  readonly toppedUp: number
  /** The next unused booking and sale numbers. Missing in diaries written by an earlier version. */
  readonly next?: Numbering
  /** Whether the diary comes from a snapshot, in which case no more bookings are generated. */
  readonly given?: boolean
}

export function readDiary(store: Store): DiaryState {
  return store.readMeta('diary') as DiaryState
}

export function storeDiary(store: Store, diary: DiaryState): void {
  store.writeMeta('diary', diary)
}
