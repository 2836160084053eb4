import type { Store } from '../store/store.ts'
import type { Numbering } from './numbers.ts'

/** How far a diary is made. Days since 1970. */
export interface DiaryState {
  /** What it is drawn from. */
  readonly seed: number
  /** The days that are made. */
  readonly days: readonly number[]
  /** The day of the last top-up. */
  readonly toppedUp: number
  /** What is numbered next; a diary of an earlier version of this tool has no numbers yet. */
  readonly next?: Numbering
  /** True when its days were given, as by a snapshot: no more are drawn. */
  readonly given?: boolean
}

/** Reads how far the diary of a venue is made. */
export function readDiary(store: Store): DiaryState {
  return store.readMeta('diary') as DiaryState
}

/** Keeps how far the diary of a venue is made. */
export function keepDiary(store: Store, diary: DiaryState): void {
  store.keepMeta('diary', diary)
}
