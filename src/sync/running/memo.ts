import { parseJsonOrNull } from '../../base/json/parse.ts'

/** Information that a run stores for the next run. */
export interface Memo {
  /**
   * The next window's length in milliseconds, if the run did not finish. With it, a resumed run sends the same
   * requests.
   */
  readonly windowMs?: number | undefined
  /**
   * The time up to which everything was read, in epoch milliseconds. Set only if the service's clock has been set back.
   */
  readonly readToMs?: number | undefined
  /** When the memo was written, in epoch milliseconds by this machine's clock. */
  readonly hereMs?: number | undefined
  /** The time from which the first sync read changes, in epoch milliseconds. The copy lacks older changes. */
  readonly sinceMs?: number | undefined
  /** The parameters added on the command line, such as customer details. `sync verify` sends them as well. */
  readonly asked?: ExtraParameters | undefined
  /** How far the service's clock was ahead, in milliseconds. Set only if changes would otherwise be missed. */
  readonly aheadMs?: number | undefined
}

export type ExtraParameters = readonly (readonly [name: string, value: string])[]

/** Parses a memo. Treats a missing or unknown memo as empty, which only makes the run read more than necessary. */
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
