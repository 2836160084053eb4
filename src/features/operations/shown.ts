import { describeOperation } from '../../money/operations/describe.ts'
import type { Operation } from '../../money/operations/operation.ts'
import type { Connection } from '../../terminal/runtime/connection.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { operationCard, operationList } from './views.ts'

/** The zone for the times of operations: that of their venue, when it is one; else null, for UTC. */
export async function zoneFor(connection: Connection, operations: readonly Operation[]): Promise<string | null> {
  const profiles = [...new Set(operations.map(({ profile }) => profile))]
  const zones = new Set(await Promise.all(profiles.map((profile) => connection.zoneOf(profile))))
  return zones.size === 1 ? ([...zones][0] ?? null) : null
}

/** Shows an operation, and on stderr, in one piece for pasting, the command that makes its write after all. */
export async function showOperation(
  { show, say }: Pick<RunParts, 'show' | 'say'>,
  operation: Operation,
): Promise<void> {
  const described = describeOperation(operation)
  await show.one(described, { card: operationCard, list: operationList })
  const { repeat } = described
  if (show.isPlain && typeof repeat === 'string') await say(`to do it now: ${repeat}`)
}
