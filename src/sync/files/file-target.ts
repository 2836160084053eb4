import type { Target, TargetPlace } from '../copy.ts'

/** Opens a copy in a file of NDJSON or CSV. */
export function openFileTarget(_path: string, _place: TargetPlace): Promise<Target> {
  throw new Error('being built')
}
