import { Failure } from '../../../../base/failure/failure.ts'
import { monotonicMs } from '../../../../base/stopwatch.ts'
import { formatDuration } from '../../../../base/time/duration.ts'
import type { Answer } from '../../../../client/calls/answer.ts'
import { call } from '../../../../client/calls/call.ts'
import type { Caller } from '../../../../client/calls/caller.ts'
import { readLearnedLimits } from '../../../../client/pace-file.ts'
import { listBookingStatuses } from '../../../../contract/bookings/statuses.ts'
import { parseRateLimit } from '../../../../contract/failures.ts'
import { parseHttpDate } from '../../../../http/client/retry.ts'
import { command, type Examination, isInside, openSilently, type Section } from '../examination.ts'
import { type Finding, fail, failureLine, ok, skip, skipAfter, warn } from '../finding.ts'

/** The response to `GET /Resources/booking-statuses`. */
interface StatusesResponse {
  /** The HTTP status, or `null` if no complete response arrived. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** When the headers arrived, in milliseconds since 1970. */
  readonly atMs: number
  readonly tookMs: number
  /** The venue's booking statuses, or `null` if the request failed. */
  readonly answer: Answer | null
  readonly failure: Failure | null
}

/** The clock difference, in milliseconds, above which time windows and tokens no longer work. */
const MAX_OFFSET_MS = 5 * 60_000

/**
 * The largest clock difference that is ignored, in milliseconds. The response time and the one-second resolution of the
 * `Date` header can cause such a difference.
 */
const TOLERATED_OFFSET_MS = 30_000

/** Matches the common headers for rate limits. The service documents none of them. */
const LIMIT_HEADER = /^(?:x-)?rate-?limit(?:-(?:limit|remaining|reset|policy))?$/

const SHOWN_LIMITS = 1

/** The command that shows whether this machine's clock is synchronized. */
export const CLOCK_COMMAND = process.platform === 'linux' ? 'timedatectl status' : 'date -u'

const [SERVICE, CLOCK, RATE_LIMIT] = ['service', 'clock', 'rate limit'] as const
const KEY_ROWS = ['key', 'venue', 'statuses'] as const

/** Sends one request, `GET /Resources/booking-statuses`, and reports everything that the response shows. */
export const answerSection: Section = {
  rows: [SERVICE, CLOCK, RATE_LIMIT, ...KEY_ROWS],
  needs: ['profile', 'secrets', 'proxy', 'dns', 'tcp', 'tls'],
  needsInside: ['disk'],
  async *examine(given, known) {
    known.session = await openSilently(given)
    const { caller } = known.session
    const heard = await requestStatuses(caller, given)
    const service = serviceRow(heard, given)
    yield service
    const cause = service.status === 'fail' ? SERVICE : null
    yield clockRow(heard, isInside(known), cause)
    const limit = rateLimitRow(heard, cause, given, caller)
    yield limit
    const stopped = cause ?? (limit.status === 'fail' ? RATE_LIMIT : null)
    if (stopped === null) yield* keyRows(heard, given)
    else for (const name of KEY_ROWS) yield skipAfter(name, stopped)
  },
}

/** Requests the booking statuses and records the status, headers and time of the response. Throws Interrupted. */
async function requestStatuses(caller: Caller, { around }: Examination): Promise<StatusesResponse> {
  const received = {
    status: null as number | null,
    headers: {} as StatusesResponse['headers'],
    atMs: around.now(),
    tookMs: 0,
  }
  const started = monotonicMs()
  const noting: Caller = {
    ...caller,
    transport: async (request) => {
      const reply = await caller.transport(request)
      const { status, headers } = reply
      Object.assign(received, { status, headers, atMs: around.now(), tookMs: Math.round(monotonicMs() - started) })
      return reply
    },
  }
  try {
    return {
      ...(await call(noting, listBookingStatuses, {}).then((answer) => ({ answer, failure: null }))),
      ...received,
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    return { answer: null, failure, ...received }
  }
}

/** Checks that the service itself responded. A refusal counts as a response, but a proxy's error page does not. */
function serviceRow({ status, tookMs, failure }: StatusesResponse, given: Examination): Finding {
  const isRefusal = status !== null && status >= 400 && status < 500 && failure?.request?.status === status
  if (failure === null || isRefusal) return ok(SERVICE, `answered ${status} in ${tookMs} ms`)
  const line = [status, failureLine(failure)].filter((part) => part !== null).join(': ')
  const advice = failure.hint === undefined ? '' : ` (${failure.hint})`
  return fail(SERVICE, line + advice, command('profiles check -v', given))
}

/** Compares this machine's clock with the response's `Date` header, even if the response is an error. */
function clockRow(heard: StatusesResponse, isInside: boolean, cause: string | null): Finding {
  const dated = parseHttpDate(heard.headers['date'] ?? '')
  if (dated === null)
    return cause === null
      ? skip(CLOCK, 'the response has no Date header to compare the clock with')
      : skipAfter(CLOCK, cause)
  // If the response was cached, the `Age` header is its age in seconds.
  const age = /^\d{1,9}$/.test(heard.headers['age'] ?? '') ? Number(heard.headers['age']) * 1000 : 0
  const offMs = heard.atMs - (dated + age)
  const off = formatDuration(Math.abs(offMs))
  const way = offMs > 0 ? 'ahead of' : 'behind'
  if (Math.abs(offMs) <= TOLERATED_OFFSET_MS)
    return ok(CLOCK, `within ${formatDuration(TOLERATED_OFFSET_MS)} of the service's clock`)
  const judged = Math.abs(offMs) > MAX_OFFSET_MS ? fail : warn
  const own = `the sandbox has its own clock, and this machine's is ${off} ${way} it`
  if (isInside) return judged(CLOCK, own, 'partner sandbox clock')
  const wrong = `this machine's clock is ${off} ${way} the service's, so changes are searched for in the wrong period`
  return judged(CLOCK, wrong, CLOCK_COMMAND)
}

/**
 * Distinguishes rejected keys, keys without an app, keys without a venue, and valid keys. Source: "API key (all REST
 * endpoints)".
 */
function* keyRows({ answer, failure }: StatusesResponse, given: Examination): Generator<Finding> {
  const [key, venue, statuses] = KEY_ROWS
  const fault = KEY_FAULTS.get(failure?.code)
  if (failure !== null && fault !== undefined) {
    yield fail(key, failureLine(failure) + fault, command('config', given))
    yield* [venue, statuses].map((name) => skipAfter(name, key))
    return
  }
  yield ok(key, 'the service accepts it')
  if (failure?.code === 'VENUE_NOT_LINKED') {
    const unlinked = `${failureLine(failure)} The key is valid, but no venue is linked to its app`
    // Only the partner manager can link a venue.
    yield fail(venue, unlinked, "ask the partner manager to link the venue to this key's app")
    yield skipAfter(statuses, venue)
    return
  }
  if (answer === null) {
    yield ok(venue, 'not refused')
    yield fail(statuses, failure ? failureLine(failure) : 'refused', failure?.hint ?? null)
    return
  }
  yield ok(venue, "a venue is linked to the key's app")
  const count = Array.isArray(answer.value) ? answer.value.length : 0
  yield count > 0
    ? ok(statuses, `the venue has ${count} booking statuses`)
    : warn(statuses, 'the venue has no booking statuses, so none can be set', command('bookings statuses', given))
}

/** Explanations of failures caused by the API key, keyed by failure code. */
const KEY_FAULTS: ReadonlyMap<string | undefined, string> = new Map([
  [
    'UNAUTHORIZED',
    ' (401): the service does not know this key; it is wrong, was replaced, or is for the other environment',
  ],
  [
    'UNKNOWN_APP',
    ': the key does not belong to a partner app here; is it for the other environment (development or production)?',
  ],
])

/**
 * Returns the number of seconds until the rate limit is lifted. If the service does not report it, returns the length
 * of the rate limit's window, or 60 if that is also unknown.
 */
function waitSeconds(failure: Failure): number {
  const named = /try again in (\d+) seconds/.exec(failure.hint ?? '')?.[1]
  const windowMs = parseRateLimit(failure.message)?.windowMs
  return named === undefined ? Math.ceil((windowMs ?? 60_000) / 1000) : Number(named)
}

function rateLimitRow(
  { headers, failure }: StatusesResponse,
  cause: string | null,
  given: Examination,
  { pace }: Caller,
) {
  if (failure?.code === 'RATE_LIMITED')
    return fail(
      RATE_LIMIT,
      `${failureLine(failure)}; no further requests were sent`,
      `sleep ${waitSeconds(failure)} && ${command('doctor', given)}`,
    )
  if (cause !== null) return skipAfter(RATE_LIMIT, cause)
  const named = Object.entries(headers).filter(([header]) => LIMIT_HEADER.test(header))
  const now = given.around.now()
  const learned = readLearnedLimits(pace.path, now).filter(({ scope }) => scope === pace.scope)
  const texts = [
    ...named.map(([header, value]) => `${header}: ${value}`),
    ...learned.slice(0, SHOWN_LIMITS).map(({ endpoint, count, windowMs, learnedAt }) => {
      const ago = formatDuration(Math.max(0, now - learnedAt))
      return `${count} requests every ${formatDuration(windowMs)} for ${endpoint}, as the service reported ${ago} ago`
    }),
    ...(learned.length > SHOWN_LIMITS ? [`limits for ${learned.length - SHOWN_LIMITS} more endpoints`] : []),
  ]
  return ok(RATE_LIMIT, texts.length > 0 ? texts.join('; ') : 'the service has reported no rate limit in the last day')
}
