import { parseJsonOrNull } from '../../base/json/parse.ts'

/** What a run notes for the next one. */
export interface Memo {
  /** During a run: the length of the next window, so that a resumed run sends the same requests. Milliseconds. */
  readonly windowMs?: number | undefined
  /** Set if the service's clock went back: everything that it dated up to here has been read. Epoch milliseconds. */
  readonly readToMs?: number | undefined
  /** When this was written, by this machine's clock. Epoch milliseconds. */
  readonly hereMs?: number | undefined
  /** Where the first sync began: older changes are missing. Epoch milliseconds. */
  readonly sinceMs?: number | undefined
  /** Parameters that the command line added, such as guest details; `sync verify` sends them too. */
  readonly asked?: Asked | undefined
  /** How far the service's clock was ahead, if enough to miss changes otherwise. Milliseconds. */
  readonly aheadMs?: number | undefined
}

export type Asked = readonly (readonly [name: string, value: string])[]

/** Reads a memo. A missing or foreign memo is empty: the run then only reads more than necessary. */
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
    asked: isAsked(members['asked']) ? members['asked'] : undefined,
  }
}

function isAsked(value: unknown): value is Asked {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)
}
