/** Returns which kind of database a name means, `postgres://…` or `x.db`; `null` if it is not a database. */
export function databaseKind(name: string): 'postgres' | 'sqlite' | null {
  if (/^postgres(?:ql)?:\/\//.test(name)) return 'postgres'
  return name.endsWith('.db') ? 'sqlite' : null
}
