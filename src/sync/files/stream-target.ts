import type { Target, TargetPlace } from '../copy.ts'

/** Opens a stream of NDJSON, of which only the cursor is kept here. */
export function openStreamTarget(_place: TargetPlace): Promise<Target> {
  throw new Error('being built')
}
