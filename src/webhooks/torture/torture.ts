import { Failure } from '../../base/failure/failure.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { CREDENTIAL_HEADERS } from '../../contract/events.ts'
import { pause } from '../../http/client/retry.ts'
import { sample } from '../events/sample.ts'
import { type Check, type Finding, judge } from './check.ts'
import { answersInTime, BODY_CHECKS, DELIVERY_CHECKS, plainCheck, sendInTurn } from './checks.ts'
import type { ReceiverUnderTest } from './receiver-under-test.ts'

const HEADER = CREDENTIAL_HEADERS.securityKey.toLowerCase()

const wrongCredentials: Check = {
  name: 'wrong-credentials',
  good: '401 or 403 to a wrong, almost correct, empty or missing key',
  run: async (receiver) => {
    const key = receiver.headers[HEADER]
    if (key === undefined) return { result: 'skipped', yours: 'not tried: requires --security-key' }
    const body = sample('BOOKING_UPDATED', 'BK-1010')
    const last = key.endsWith('a') ? 'b' : 'a'
    const answers = await sendInTurn(receiver, [
      ['another key', body, { [HEADER]: 'wrong-key-of-partner-torture' }],
      ['a key with a different last character', body, { [HEADER]: key.slice(0, -1) + last }],
      ['a key with an extra character', body, { [HEADER]: `${key}${last}` }],
      ['an empty key', body, { [HEADER]: '' }],
      ['no key', body, { [HEADER]: null }],
    ])
    return judge(answers, (status) => status === 401 || status === 403)
  },
}

export interface CheckResult extends Finding {
  readonly check: string
  readonly good: string
  readonly ms: number
}

export const SAMPLES_ARE_ABOUT = 'bookings BK-1001 to BK-1030 and cards GIFT1-00000100-AAAA and GIFT2-00005025-AAAA'

/** Returns the checks in execution order. */
export function allChecks(answerWithinMs: number): readonly Check[] {
  return [plainCheck, ...DELIVERY_CHECKS, wrongCredentials, ...BODY_CHECKS, answersInTime(answerWithinMs)]
}

/**
 * Runs checks in order, starting with `plain`. Skips the remaining checks if `plain` fails, if the receiver stops
 * responding, or when time is up. Calls `begin` when a check starts, and calls the returned function when the check
 * ends. Throws Interrupted, or NETWORK_ERROR if nothing could be sent.
 */
export async function* torture(
  receiver: ReceiverUnderTest,
  checks: readonly Check[],
  begin: (check: string) => () => void = () => () => {},
): AsyncGenerator<CheckResult> {
  const timed = (check: Check) => run(receiver, check).finally(begin(check.name))
  const first = await timed(plainCheck)
  if (!receiver.wasReached)
    throw new Failure('NETWORK_ERROR', `the receiver cannot be reached: ${first.yours}`, {
      hint: 'nothing was sent; check that the receiver is running and that the host and port of --to are correct',
    })
  let obstacle = first.result === 'fail' ? 'the receiver does not accept a plain delivery' : null
  if (first.result !== 'ok' || checks.includes(plainCheck)) yield first
  for (const check of checks) {
    if (check === plainCheck) continue
    if (obstacle !== null) {
      yield { check: check.name, good: check.good, result: 'skipped', yours: `not tried: ${obstacle}`, ms: 0 }
      continue
    }
    receiver.wasSilent = false
    const checked = await timed(check)
    yield checked
    if (checked.result === 'fail' && receiver.wasSilent && !(await answersAgain(receiver)))
      obstacle = `the receiver stopped responding during ${check.name}`
  }
}

async function run(
  receiver: ReceiverUnderTest,
  { name: check, good, sendsNothing = false, run }: Check,
): Promise<CheckResult> {
  const started = monotonicMs()
  receiver.during = check
  const isOutOfTime = () => !sendsNothing && receiver.isOutOfTime
  const outOfTime = (what: string): Finding => {
    receiver.skippedForTime.push(check)
    return { result: 'skipped', yours: `${what}: time is up` }
  }
  let finding = isOutOfTime() ? outOfTime('not tried') : await run(receiver)
  // If time ran out before a response arrived, the missing response proves nothing.
  if (finding.result === 'fail' && isOutOfTime()) finding = outOfTime('not finished')
  return { check, good, ...finding, ms: Math.round(monotonicMs() - started) }
}

/** How many times to try again if a receiver does not respond. It may be restarting. */
const TRIES = 8
const PAUSE_MS = 500

/** Sends new deliveries to a receiver that did not respond. Returns whether it responds now. */
async function answersAgain(receiver: ReceiverUnderTest): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    const { status, ms } = await receiver.send(sample('BOOKING_CREATED'))
    if (status !== null) return true
    if (ms >= receiver.trial.patienceMs || receiver.isOutOfTime) return false
    await pause(PAUSE_MS, { signal: receiver.trial.signal, now: Date.now })
  }
  return false
}
