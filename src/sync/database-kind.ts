/**
 * Returns the kind of database that a name denotes (`postgres://…` or `x.db`), or `null` if it denotes something else.
 */
export function databaseKind(name: string): 'postgres' | 'sqlite' | null {
  if (/^postgres(?:ql)?:\/\//.test(name)) return 'postgres'
  return name.endsWith('.db') ? 'sqlite' : null
}
