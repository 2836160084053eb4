import type { Store } from '../store/store.ts'
import type { Numbering } from './numbers.ts'

/** Which parts of a diary exist. Days since 1970. */
export interface DiaryState {
  readonly seed: number
  readonly days: readonly number[]
  readonly toppedUp: number
  /** The next numbers. Missing in diaries of an earlier version. */
  readonly next?: Numbering
  /** True when a snapshot gave the days: no more are drawn. */
  readonly given?: boolean
}

export function readDiary(store: Store): DiaryState {
  return store.readMeta('diary') as DiaryState
}

export function keepDiary(store: Store, diary: DiaryState): void {
  store.keepMeta('diary', diary)
}
