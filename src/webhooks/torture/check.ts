import type { Sent } from '../listener/target.ts'
import type { TriedReceiver } from './tried-receiver.ts'

/** What a check found. */
export interface Finding {
  readonly result: 'ok' | 'fail' | 'skipped'
  /** What the receiver did, or why nothing was sent to it. */
  readonly yours: string
}

/** One thing that happens to every receiver sooner or later. */
export interface Check {
  readonly name: string
  /** What a good receiver answers: `2xx to …`. */
  readonly good: string
  /** True for a check that judges what the others have seen. */
  readonly sendsNothing?: boolean
  run(receiver: TriedReceiver): Promise<Finding>
}

/** A delivery of a check, in words ('' for the only one), and what became of it. */
export type Answered = readonly [to: string, sent: Sent]

/** Judges the answers of a check, which all must be good ones. The finding names those that are not, or says what all were. */
export function judged(answers: readonly Answered[], isGood: (status: number) => boolean): Finding {
  const bad = answers.filter(([, { status }]) => status === null || !isGood(status))
  return bad.length === 0
    ? { result: 'ok', yours: summary(answers, answers.length) }
    : { result: 'fail', yours: summary(bad, answers.length) }
}

/** True for 2xx: the service takes the delivery for done. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** What the receiver did, in words. */
export function answerText({ status, error, location }: Sent): string {
  if (status === null) return error ?? 'no answer'
  return location === null ? `answered ${status}` : `answered ${status}, to ${location}`
}

/** The answers in words, alike ones together: `cut JSON, empty body: answered 200`. */
function summary(answers: readonly Answered[], of: number): string {
  const groups = Map.groupBy(answers, ([, sent]) => answerText(sent))
  const parts = [...groups].map(([text, group]) => {
    const names = group.map(([to]) => to).filter((to) => to !== '')
    if (group.length === of) return text
    return names.length > 0 ? `${names.join(', ')}: ${text}` : `${group.length} of ${of}: ${text}`
  })
  return parts.join('; ')
}
