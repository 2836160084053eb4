import { centsOf } from './cents.ts'
import type { Movement, Operation } from './operation.ts'

/** An operation as it stands on disk; steps are its place among all that happened. */
export type Row = Omit<Operation, 'state'> & {
  /** `done`: it had its answer, and is kept, unseen, for what it means to others on its card. */
  readonly state: Operation['state'] | 'done'
  readonly claimedStep: number
  readonly sentStep: number | null
  readonly endedStep: number | null
}

/** The operation that a row is. */
export function operationOf(row: Row): Operation {
  const { id, command, service, target, amount, profile, phase, startedAt, sentAt, before, how, endedAt, pid, born } =
    row
  const state = row.state === 'done' ? 'applied' : row.state
  return {
    id,
    command,
    service,
    target,
    amount,
    profile,
    state,
    phase,
    startedAt,
    sentAt,
    before,
    how,
    endedAt,
    pid,
    born,
  }
}

/**
 * What the other writes on a card may have done to its balance since the reading before this one, which came somewhere between
 * its claim and its sending.
 */
export function movementsAmong(rows: readonly Row[], id: string): Movement[] {
  const own = rows.find((row) => row.id === id)
  if (!own) return []
  return rows.flatMap((row) => {
    const cents = row.amount === null ? null : centsOf(row.amount)
    if (row.id === id || cents === null || row.sentStep === null || row.state === 'not-applied') return []
    if (row.state === 'open') return [{ cents, isCertain: false }]
    if ((row.endedStep ?? 0) < own.claimedStep) return []
    return [{ cents, isCertain: own.sentStep !== null && row.sentStep > own.sentStep }]
  })
}
