import type { Store } from '../store/store.ts'
import type { Numbering } from './numbers.ts'

/**
 * The state of the diary: which days already have generated bookings and how to generate more. Days are counted since
 * 1970.
 */
export interface DiaryState {
  readonly seed: number
  readonly days: readonly number[]
  readonly toppedUp: number
  /** The next booking and sale numbers to use. They are missing from data that an earlier version wrote. */
  readonly next?: Numbering
  /** Whether the diary comes from a snapshot. If it does, no more bookings are generated. */
  readonly given?: boolean
}

export function readDiary(store: Store): DiaryState {
  return store.readMeta('diary') as DiaryState
}

export function storeDiary(store: Store, diary: DiaryState): void {
  store.writeMeta('diary', diary)
}
