import type { Target, TargetPlace } from '../copy.ts'

/** Opens a copy in a SQLite file. */
export function openSqliteTarget(_path: string, _place: TargetPlace): Promise<Target> {
  throw new Error('being built')
}
