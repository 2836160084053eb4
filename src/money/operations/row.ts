import { createHash, randomBytes } from 'node:crypto'
import { getCurrentOwner, type Owner } from '../../base/storage/owner.ts'
import type { Moment } from './moment.ts'
import type { Intent, Operation } from './operation.ts'

/** An operation as stored. Events are ordered by step numbers, because the clock can be set back. */
export interface Row extends Omit<Operation, 'state'> {
  /**
   * The operation's state. `done` means that the write received a response and is stored only to explain other balance
   * changes on its card.
   */
  readonly state: Operation['state'] | 'done'
  /** Whether an identical write was open when this write was claimed. */
  readonly forced: boolean
  readonly claimedStep: number
  readonly sentStep: number | null
  readonly endedStep: number | null
}

/** Creates a row with a new ID. `step` is the number of the row's first event. */
export function newRow(intent: Intent, attemptMs: number, now: Moment, step: number): Row {
  return {
    ...intent,
    ...{ id: `op_${randomBytes(8).toString('hex').slice(0, 10)}`, state: 'open', phase: 'claimed' },
    ...{ startedAt: now.wallMs, owner: getCurrentOwner(), attemptMs },
    ...{ firstSent: null, sent: null, over: null, before: null, how: null, ended: null },
    ...{ forced: false, claimedStep: step, sentStep: null, endedStep: null },
  }
}

const INTENT_COLUMNS = ['id', 'command', 'service', 'target', 'cents', 'profile'] as const
const STATE_COLUMNS = ['state', 'phase', 'startedAt', 'owner', 'firstSent', 'sent', 'attemptMs', 'over'] as const
const OUTCOME_COLUMNS = ['before', 'how', 'ended', 'forced', 'claimedStep', 'sentStep', 'endedStep'] as const

/** The column names, in the order in which the seal is calculated. */
export const COLUMNS = [
  ...INTENT_COLUMNS,
  ...STATE_COLUMNS,
  ...OUTCOME_COLUMNS,
] as const satisfies readonly (keyof Row)[]

type Column = string | number | null

/** Returns the column values of a row, followed by its seal. */
export function sealed(row: Row): Column[] {
  const values = COLUMNS.map((name): Column => {
    const value = row[name]
    if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  })
  return [...values, sealOf(values)]
}

/** Parses a stored row. Throws Error if its seal does not match, which means that the row is damaged. */
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

export function operationOf({ state, forced, claimedStep, sentStep, endedStep, ...operation }: Row): Operation {
  return { ...operation, state: state === 'done' ? 'applied' : state }
}
