import { parseJsonOrNull } from '../../base/json/parse.ts'

/** Information that a run stores for the next run. */
export interface Memo {
  /**
   * The next window's length in milliseconds, if the run did not finish. It lets a resumed run send the same requests.
   */
  readonly windowMs?: number | undefined
  /**
   * The time, in epoch milliseconds, up to which everything was read. Set only if the service's clock has been set
   * back.
   */
  readonly readToMs?: number | undefined
  /** This machine's time, in epoch milliseconds, when the memo was written. */
  readonly hereMs?: number | undefined
  /** The first sync read only changes since this time, in epoch milliseconds. The copy lacks older changes. */
  readonly sinceMs?: number | undefined
  /** Extra parameters from the command line, such as the one for customer details. `sync verify` sends them too. */
  readonly asked?: ExtraParameters | undefined
  /**
   * How far, in milliseconds, the service's clock was ahead of this machine's. Set only if changes would otherwise be
   * missed.
   */
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
