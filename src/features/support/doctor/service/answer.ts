import { Failure } from '../../../../base/failure/failure.ts'
import { monotonicMs } from '../../../../base/stopwatch.ts'
import { call } from '../../../../client/calls/call.ts'
import type { Caller } from '../../../../client/calls/caller.ts'
import { listBookingStatuses } from '../../../../contract/bookings/statuses.ts'
import { command, type Examination, isInside, type Section } from '../examination.ts'
import { type Finding, fail, failureLine, ok, skipAfter } from '../finding.ts'
import { clockRow } from './clock.ts'
import type { Heard } from './heard.ts'
import { keyRows } from './key.ts'
import { rateLimitRow } from './rate-limit.ts'
import { openSilently } from './session.ts'

const [SERVICE, CLOCK, RATE_LIMIT, ...OF_THE_KEY] = [
  'service',
  'clock',
  'rate limit',
  'key',
  'venue',
  'statuses',
] as const

/** One request, `GET /Resources/booking-statuses`, and all that its answer tells. */
export const answerSection: Section = {
  rows: [SERVICE, CLOCK, RATE_LIMIT, ...OF_THE_KEY],
  needs: ['profile', 'secrets', 'proxy', 'dns', 'tcp', 'tls'],
  needsInside: ['disk'],
  async *examine(given, known) {
    known.session = await openSilently(given)
    const { caller } = known.session
    const heard = await listen(caller, given)
    const service = serviceRow(heard, given)
    yield service
    const cause = service.status === 'fail' ? SERVICE : null
    yield clockRow(CLOCK, heard, { given, isInside: isInside(known), cause })
    const limit = rateLimitRow(RATE_LIMIT, heard, { given, session: known.session, cause })
    yield limit
    const stopped = cause ?? (limit.status === 'fail' ? RATE_LIMIT : null)
    if (stopped === null) yield* keyRows(OF_THE_KEY, heard, given)
    else for (const name of OF_THE_KEY) yield skipAfter(name, stopped)
  },
}

/** Asks for the statuses once. Fails: Interrupted. */
async function listen(caller: Caller, { around }: Examination): Promise<Heard> {
  const came = { status: null as number | null, headers: {} as Heard['headers'], atMs: around.now(), tookMs: 0 }
  const started = monotonicMs()
  const noting: Caller = {
    ...caller,
    transport: async (request) => {
      const reply = await caller.transport(request)
      const { status, headers } = reply
      Object.assign(came, { status, headers, atMs: around.now(), tookMs: Math.round(monotonicMs() - started) })
      return reply
    },
  }
  try {
    return { ...(await call(noting, listBookingStatuses, {}).then((answer) => ({ answer, failure: null }))), ...came }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    return { answer: null, failure, ...came }
  }
}

/** Whether that was an answer of the service at all: a refusal is one, the page of a proxy is none. */
function serviceRow({ status, tookMs, failure }: Heard, given: Examination): Finding {
  const isRefusal = status !== null && status >= 400 && status < 500 && failure?.request?.status === status
  if (failure === null || isRefusal) return ok(SERVICE, `answered ${status} in ${tookMs} ms`)
  const line = [status, failureLine(failure)].filter((part) => part !== null).join(': ')
  const advice = failure.hint === undefined ? '' : ` (${failure.hint})`
  return fail(SERVICE, line + advice, command('profiles check -v', given))
}
