/**
 * What an evaluation of a check found. `unknown` means that the check could not be evaluated. That is the monitor's own
 * trouble, and it counts like `wrong`, because a check that silently stops checking is as bad as none.
 */
export type Verdict = 'ok' | 'wrong' | 'unknown'

/** The result of one evaluation of a check. */
export interface Finding {
  readonly verdict: Verdict
  /** What was found, as one line. */
  readonly message: string
  /** A command that looks into it, or `null` if there is none. */
  readonly next: string | null
}

/** When a bad finding counts, and how often the alert is repeated. */
export interface Rule {
  /** How long findings must be bad before a fault begins, in milliseconds. */
  readonly forMs: number
  /** The time between reminders of a fault, in milliseconds, or `null` for no reminders. */
  readonly repeatMs: number | null
}

/** What the monitor remembers of a check. All times are in epoch milliseconds. */
export interface CheckState {
  /** The state that was told. It is `ok` until bad findings have lasted as long as the rule demands. */
  readonly state: Verdict
  /** Since when the check has been ok, or when the fault was first seen. */
  readonly sinceMs: number
  /** When the first of the current bad findings was made, while they do not count yet. Otherwise `null`. */
  readonly pendingSinceMs: number | null
  /** When the last alert of the current fault was made, or `null` if there is no fault. */
  readonly toldMs: number | null
  /** The number of faults so far. */
  readonly faults: number
  /** The number of reminders of the current fault. */
  readonly reminders: number
  readonly checkedMs: number
  readonly message: string
  readonly next: string | null
}

/** A change to tell. */
export interface Change {
  readonly change: 'began' | 'ended' | 'reminder'
  /** When the fault was first seen, in epoch milliseconds. */
  readonly sinceMs: number
  /** Distinguishes this change from all other changes of the check. */
  readonly key: string
}

/**
 * Returns the next state of a check and the change to tell, or `null` if there is nothing to tell. `before` is `null`
 * at the first evaluation. Works if the clock is set back: no time is then taken to lie in the future.
 */
export function step(
  before: CheckState | null,
  finding: Finding,
  { forMs, repeatMs }: Rule,
  nowMs: number,
): { readonly after: CheckState; readonly change: Change | null } {
  const { verdict, message, next } = finding
  const { faults = 0, sinceMs = nowMs, reminders = 0 } = before ?? {}
  const found = { checkedMs: nowMs, message, next, faults, reminders: 0, toldMs: null, pendingSinceMs: null }
  const isFault = before !== null && before.state !== 'ok'
  if (verdict === 'ok') {
    if (!isFault) return { after: { ...found, state: 'ok', sinceMs }, change: null }
    const ended: Change = { change: 'ended', sinceMs, key: `ended ${faults}` }
    return { after: { ...found, state: 'ok', sinceMs: nowMs }, change: ended }
  }
  if (isFault) {
    const toldMs = Math.min(before.toldMs ?? nowMs, nowMs)
    const lasting = { ...found, state: verdict, sinceMs, toldMs, reminders }
    if (repeatMs === null || nowMs - toldMs < repeatMs) return { after: lasting, change: null }
    const reminder: Change = { change: 'reminder', sinceMs, key: `reminder ${faults}.${reminders + 1}` }
    return { after: { ...lasting, toldMs: nowMs, reminders: reminders + 1 }, change: reminder }
  }
  const pendingSinceMs = Math.min(before?.pendingSinceMs ?? nowMs, nowMs)
  if (nowMs - pendingSinceMs < forMs) return { after: { ...found, state: 'ok', sinceMs, pendingSinceMs }, change: null }
  return {
    after: { ...found, state: verdict, sinceMs: pendingSinceMs, toldMs: nowMs, faults: faults + 1 },
    change: { change: 'began', sinceMs: pendingSinceMs, key: `began ${faults + 1}` },
  }
}
