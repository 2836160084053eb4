import type { Place } from '../wanted.ts'

/** What is known while the entries of a file are read. */
export interface Reading {
  /** False: events and URLs are taken as they are. */
  readonly isChecked: boolean
  /** Told of each problem, with the offset of the text where it stands. */
  readonly complain: (offset: number, words: string) => void
  readonly placeOf: (offset: number) => Place
  readonly yaml: typeof import('yaml')
}
