import { parseJsonOrNull } from '../../base/json/parse.ts'
/** What a run leaves to the next one, beside the cursor. */
export interface Memo {
  /** In the middle of a run: how long its next window is, so that the run that goes on asks for the same ones. Milliseconds. */
  readonly windowMs?: number | undefined
  /** The service's clock was behind the cursor: all that it dated up to here has been read since. Epoch milliseconds. */
  readonly readToMs?: number | undefined
  /** When this was written, by the clock of this machine: how long ago the last run was. Epoch milliseconds. */
  readonly hereMs?: number | undefined
  /** Where the first sync began: the copy has no older changes. Epoch milliseconds. */
  readonly sinceMs?: number | undefined
  /** The parameters that the command line added to each request, such as the guest's details: `sync verify` asks in the same way. */
  readonly asked?: Asked | undefined
  /** How far the service's clock was ahead of this machine's, where that is so much that asking by ours would miss something. Milliseconds. */
  readonly aheadMs?: number | undefined
}

/** Parameters of a request, each with its value. */
export type Asked = readonly (readonly [name: string, value: string])[]

/** Reads a memo. One that is missing, or that another version wrote, says nothing: a run then only reads more than it must. */
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
