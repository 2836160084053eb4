/**
 * The verdict of one evaluation of a check. `unknown` means that the check could not be evaluated. It counts as a
 * fault, like `wrong`: otherwise, a check could stop working unnoticed.
 */
export type Verdict = 'ok' | 'wrong' | 'unknown'

/** The result of one evaluation of a check. */
export interface Finding {
  readonly verdict: Verdict
  /** A one-line description of what was found. */
  readonly message: string
  /** A command that investigates the problem, or `null` if there is none. */
  readonly next: string | null
}

/** Settings for when a fault begins and how often to send reminders about it. */
export interface Rule {
  /** How long, in milliseconds, a check must fail before a fault begins. */
  readonly forMs: number
  /** The time, in milliseconds, between reminders about a fault, or `null` for no reminders. */
  readonly repeatMs: number | null
}

/** What the monitor remembers about a check. All times are in epoch milliseconds. */
export interface CheckState {
  /** The check's state. It stays `ok` until the check has failed for as long as the rule requires. */
  readonly state: Verdict
  /** When the check became ok or when the current fault was first seen. */
  readonly sinceMs: number
  /** When the check began to fail, if that is too recent to count as a fault; otherwise `null`. */
  readonly pendingSinceMs: number | null
  /** When the last alert about the current fault was created, or `null` without a fault. */
  readonly toldMs: number | null
  /** The number of faults so far. */
  readonly faults: number
  /** The number of reminders about the current fault. */
  readonly reminders: number
  readonly checkedMs: number
  readonly message: string
  readonly next: string | null
}

/** A change that causes an alert. */
export interface Change {
  readonly change: 'began' | 'ended' | 'reminder'
  /** When the fault was first seen, in epoch milliseconds. */
  readonly sinceMs: number
  /** An ID for this change, unique among the changes of the check. */
  readonly key: string
}

/**
 * Returns the next state of a check and the change that causes an alert. `change` is `null` if no alert is needed.
 * `before` is `null` at the first evaluation. If the clock was set back, times that are now in the future count as the
 * present.
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
