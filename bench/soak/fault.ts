import type { Activity, Closings } from './activity.ts'
import type { Watch } from './ledger.ts'
import type { World } from './world.ts'

export interface Scene {
  readonly world: World
  readonly watch: Watch
  readonly activity: Activity
  readonly random: () => number
  /** The closings of the current day, which have not been imported yet. */
  readonly closings: Closings
}

export interface Fault {
  readonly name: string
  /** The check that must tell of it, or `null` if nobody may be told. */
  readonly check: string | null
  /** Whether the check tells only after a minute of its `for`, by which the clock is then moved. */
  readonly mayStep?: boolean
  /** Whether it is told only after it has been repaired. */
  readonly isToldLater?: boolean
  /** Whether it needs a small disk. */
  readonly needsDisk?: boolean
  /** Makes something go wrong. Returns a function that repairs it. */
  inject(scene: Scene): Promise<() => Promise<unknown>>
}

/** Has no effect, because the fault is already over. */
export const over = async () => {}
/** Adds a fault of the service. Returns a function that clears it. */
export async function broken(
  world: World,
  endpoint: string,
  ...args: readonly string[]
): Promise<() => Promise<unknown>> {
  await world.addFault(endpoint, ...args)
  return () => world.faults('clear')
}
