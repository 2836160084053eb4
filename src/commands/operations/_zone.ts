import type { Connection } from '../../cli/runtime/connection.ts'
import type { Operation } from '../../money/operations/operation.ts'

/** The zone for the times of operations: that of their venue, when it is one; else null, for UTC. */
export async function zoneFor(connection: Connection, operations: readonly Operation[]): Promise<string | null> {
  const profiles = [...new Set(operations.map(({ profile }) => profile))]
  const zones = new Set(await Promise.all(profiles.map((profile) => connection.zoneOf(profile))))
  return zones.size === 1 ? ([...zones][0] ?? null) : null
}
