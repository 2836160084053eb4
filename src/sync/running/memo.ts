import { parseJsonOrNull } from '../../base/json/parse.ts'

/** What a run notes for the next one. */
export interface Memo {
  /**
   * The next window's length while a run is unfinished, so that a resumed run sends the same requests. Milliseconds.
   */
  readonly windowMs?: number | undefined
  /** The service time up to which everything was read, set only after its clock was set back. Epoch milliseconds. */
  readonly readToMs?: number | undefined
  /** The time at which the memo was written, by this machine's clock. Epoch milliseconds. */
  readonly hereMs?: number | undefined
  /** The time from which the first sync read changes. Older changes are missing. Epoch milliseconds. */
  readonly sinceMs?: number | undefined
  /** The parameters that the command line added, such as customer details. `sync verify` sends them as well. */
  readonly asked?: ExtraParameters | undefined
  /** How far the service's clock was ahead, if far enough that changes would otherwise be missed. Milliseconds. */
  readonly aheadMs?: number | undefined
}

export type ExtraParameters = readonly (readonly [name: string, value: string])[]

/** Parses a memo. A missing or unknown memo is treated as empty, which only makes the run read more than necessary. */
export function parseMemo(text: string | null): Memo {
  const members: Readonly<Record<string, unknown>> = parseJsonOrNull(text ?? '') ?? {}
  const numberAt = (name: string) => {
    const member = members[name]
    return typeof member === 'number' && Number.isFinite(member) ? member : undefined
  }
  return {
    windowMs: numberAt('windowMs'),
    readToMs: numberAt('readToMs'),
    hereMs: numberAt('hereMs'),
    aheadMs: numberAt('aheadMs'),
    sinceMs: numberAt('sinceMs'),
    asked: isExtraParameters(members['asked']) ? members['asked'] : undefined,
  }
}

function isExtraParameters(value: unknown): value is ExtraParameters {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)
}
