import type { HarFile } from '../../../client/har-file.ts'
import type { GivenEntry } from './given/har.ts'

/** Keeps the traffic that a bundle's own reads make, in memory. */
export class TrafficRecorder implements HarFile {
  readonly #texts: string[] = []

  readonly add = (entry: Readonly<Record<string, unknown>>): void => {
    this.#texts.push(JSON.stringify(entry))
  }

  readonly close = (): null => null

  /** What was recorded so far. */
  get entries(): GivenEntry[] {
    return this.#texts.map((text) => JSON.parse(text) as GivenEntry)
  }
}
