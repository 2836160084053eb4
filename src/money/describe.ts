import type { JsonObject } from '../json/exact.ts'
import { centsText } from './cents.ts'
import type { Operation } from './operation.ts'

/** An operation as people and programs see it: times as instants, what was read before in currency units. */
export function describeOperation(operation: Operation): JsonObject {
  const { id, command, target, amount, state, profile, service, before, how } = operation
  return {
    id,
    command,
    target,
    amount,
    state,
    startedAt: instant(operation.startedAt),
    profile,
    service,
    before: before !== null && /^-?\d+$/.test(before) ? centsText(BigInt(before)) : before,
    how,
    endedAt: operation.endedAt === null ? null : instant(operation.endedAt),
  }
}

function instant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
