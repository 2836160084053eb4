import { createHash } from 'node:crypto'
import { balanceBefore } from '../card-reading.ts'
import { leastElapsedMs, type Moment } from './moment.ts'
import type { Movement, Operation } from './operation.ts'
import type { Owner } from './owner.ts'

/** An operation as the store keeps it. Steps number what happened to all operations in a row, as clocks may be set back. */
export interface Row extends Omit<Operation, 'state'> {
  /** `done`: it had its answer, and is kept, unseen, for what it means to other writes on its card. */
  readonly state: Operation['state'] | 'done'
  /** It was made beside another open one that is the same. */
  readonly forced: boolean
  readonly claimedStep: number
  readonly sentStep: number | null
  readonly endedStep: number | null
}

/** The columns of a row in the order in which its seal counts them. */
export const COLUMNS = [
  'id',
  'command',
  'service',
  'target',
  'cents',
  'profile',
  'state',
  'phase',
  'startedAt',
  'owner',
  'firstSent',
  'sent',
  'attemptMs',
  'over',
  'before',
  'how',
  'ended',
  'forced',
  'claimedStep',
  'sentStep',
  'endedStep',
] as const satisfies readonly (keyof Row)[]

type Column = string | number | null

/** A reading above what one's own writes left on a card is stale for so long after them. Milliseconds. */
export const STALE_MS = 5 * 60_000

/** The values of a row as they go to disk, its seal last. */
export function sealed(row: Row): Column[] {
  const values = COLUMNS.map((name): Column => {
    const value = row[name]
    if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  })
  return [...values, sealOf(values)]
}

/** The row that was on disk. Fails: Error when its seal is not that of its values: a bit of it was changed. */
export function unsealed(stored: Readonly<Record<string, unknown>>): Row {
  const values = COLUMNS.map((name) => stored[name] as Column)
  if (stored['seal'] !== sealOf(values)) throw new Error(`the row of ${JSON.stringify(stored['id'])} is damaged`)
  const parsed = (name: keyof Row) => (stored[name] === null ? null : JSON.parse(String(stored[name])))
  return {
    ...(stored as unknown as Row),
    cents: stored['cents'] === null ? null : BigInt(Number(stored['cents'])),
    owner: parsed('owner') as Owner,
    firstSent: parsed('firstSent') as Moment | null,
    sent: parsed('sent') as Moment | null,
    over: parsed('over') as Moment | null,
    ended: parsed('ended') as Moment | null,
    forced: stored['forced'] === 1,
  }
}

function sealOf(values: readonly Column[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
}

/** The operation that a row is. */
export function operationOf({
  state,
  forced: _f,
  claimedStep: _c,
  sentStep: _s,
  endedStep: _e,
  ...rest
}: Row): Operation {
  return { ...rest, state: state === 'done' ? 'applied' : state }
}

/**
 * What the other writes on a card may have done to its balance since the reading before this one, which came somewhere between
 * its claim and its sending.
 * @param ended those that were over when the reading now was asked for.
 */
export function movementsAmong(rows: readonly Row[], id: string, ended: ReadonlySet<string>): Movement[] {
  const own = rows.find((row) => row.id === id)
  if (!own) return []
  return rows.flatMap((row) => {
    const { cents } = row
    if (row.id === id || cents === null || row.sentStep === null || row.state === 'not-applied') return []
    if (row.state === 'open') return [{ cents, isCertain: false }]
    if ((row.endedStep ?? 0) < own.claimedStep) return []
    const isAfterOwn = own.sentStep !== null && row.sentStep > own.sentStep
    return [{ cents, isCertain: isAfterOwn && ended.has(row.id) }]
  })
}

/**
 * The most that can be left on a card after one's own recent writes on it, in cents; null when they do not tell. A reading above it
 * comes from a replica that lags behind, or somebody topped the card up: in both cases it says nothing about a write.
 * @param id a write that is not counted.
 */
export function ceilingAmong(rows: readonly Row[], id: string, now: Moment): bigint | null {
  const recent = rows
    .filter(
      ({ state, ended }) =>
        (state === 'done' || state === 'applied') && ended && leastElapsedMs(ended, now) <= STALE_MS,
    )
    .filter((row) => row.id !== id)
    .sort((a, b) => (a.endedStep ?? 0) - (b.endedStep ?? 0))
  let most: bigint | null = null
  for (const { before, cents } of recent) {
    if (cents === null) continue
    const read = balanceBefore(before)
    const start: bigint | null = most === null || (read !== null && read < most) ? read : most
    most = start === null ? null : start - cents
  }
  return most
}
