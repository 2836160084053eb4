import type { Venue } from '../../venue/venue.ts'
import type { Scene } from './scene.ts'

/** A snapshot that the tool makes by itself, the same on every machine and day. */
export interface ReadySnapshot {
  readonly name: string
  /** What is in it, in a line. */
  readonly about: string
  /** Where its time stands, ISO 8601 UTC. It runs on from there. */
  readonly clock: string
  /** The usual venue unless given. */
  readonly venues?: readonly [Venue, ...Venue[]]
  /** Puts in what there is. */
  readonly fill: (scene: Scene) => void
}
