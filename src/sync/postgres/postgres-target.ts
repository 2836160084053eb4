import type { Target, TargetPlace } from '../copy.ts'

/** Opens a copy in PostgreSQL. */
export function openPostgresTarget(_name: string, _place: TargetPlace): Promise<Target> {
  throw new Error('being built')
}
