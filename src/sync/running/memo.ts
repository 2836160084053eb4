/** What a run leaves to the next one, beside the cursor. */
export interface Memo {
  /** In the middle of a run: how long its next window is, so that the run that goes on asks for the same ones. Milliseconds. */
  readonly windowMs?: number | undefined
  /** The service's clock was behind the cursor: all that it dated up to here has been read since. Epoch milliseconds. */
  readonly readToMs?: number | undefined
  /** When this was written, by the clock of this machine: how long ago the last run was. Epoch milliseconds. */
  readonly hereMs?: number | undefined
  /** How far the service's clock was ahead of this machine's, where that is so much that asking by ours would miss something. Milliseconds. */
  readonly aheadMs?: number | undefined
}

/** A memo as the copy keeps it. */
export function formatMemo(memo: Memo): string {
  return JSON.stringify(memo)
}

/** Reads a memo. One that is missing, or that another version wrote, says nothing: a run then only reads more than it must. */
export function parseMemo(text: string | null): Memo {
  let value: unknown
  try {
    value = JSON.parse(text ?? '')
  } catch {
    return {}
  }
  if (typeof value !== 'object' || value === null) return {}
  const { windowMs, readToMs, hereMs, aheadMs } = value as Readonly<Record<string, unknown>>
  return {
    windowMs: numberOr(windowMs),
    readToMs: numberOr(readToMs),
    hereMs: numberOr(hereMs),
    aheadMs: numberOr(aheadMs),
  }
}

function numberOr(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
