import type { Sent } from '../listener/target.ts'
import type { ReceiverUnderTest } from './receiver-under-test.ts'

/** A check's result. `yours` describes the receiver's response, or why the check was skipped. */
export type Finding = { readonly result: 'ok' | 'fail' | 'skipped'; readonly yours: string }

/** A check that sends one kind of delivery. */
export interface Check {
  readonly name: string
  /** How a correct receiver responds, such as `2xx to …`. */
  readonly good: string
  /** Whether this check sends nothing and only evaluates the responses to other checks. */
  readonly sendsNothing?: boolean
  run(receiver: ReceiverUnderTest): Promise<Finding>
}

/** A delivery's description and its result. The description is empty if only one delivery was sent. */
export type LabeledResult = readonly [to: string, sent: Sent]

/**
 * Checks that all responses are correct. The finding describes the incorrect responses, or all responses if all are
 * correct.
 */
export function judge(answers: readonly LabeledResult[], isGood: (status: number) => boolean): Finding {
  const bad = answers.filter(([, { status }]) => status === null || !isGood(status))
  return bad.length === 0
    ? { result: 'ok', yours: summary(answers, answers.length) }
    : { result: 'fail', yours: summary(bad, answers.length) }
}

/** Returns whether the service counts a delivery with this response as successful. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

export function answerText({ status, error, location }: Sent): string {
  if (status === null) return error ?? 'no answer'
  return location === null ? `answered ${status}` : `answered ${status}, redirecting to ${location}`
}

function summary(answers: readonly LabeledResult[], of: number): string {
  const groups = Map.groupBy(answers, ([, sent]) => answerText(sent))
  const parts = [...groups].map(([text, group]) => {
    const names = group.map(([to]) => to).filter((to) => to !== '')
    if (group.length === of) return text
    return names.length > 0 ? `${names.join(', ')}: ${text}` : `${group.length} of ${of}: ${text}`
  })
  return parts.join('; ')
}
