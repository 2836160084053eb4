/** What a fault does to a request. All times are in milliseconds. */
export type FaultEffect =
  /** Responds with this status. The default message is the one that the contract documents for the endpoint. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string | undefined }
  | { readonly kind: 'latency'; readonly ms: number }
  /** Resets the connection (RST) without a response. */
  | { readonly kind: 'reset' }
  /** Closes the connection without a response. */
  | { readonly kind: 'close' }
  /** Closes the connection after this many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Cuts the body off in the middle of its JSON, but does not close the connection. */
  | { readonly kind: 'malformed' }
  /** Sends the body a few bytes at a time. */
  | { readonly kind: 'dribble'; readonly bytes?: number | undefined; readonly everyMs?: number | undefined }
  | { readonly kind: 'hang' }
  /** Pads the body with an extra member of this many bytes. */
  | { readonly kind: 'oversize'; readonly bytes?: number | undefined }
  | { readonly kind: 'redirect'; readonly url: string; readonly status?: number | undefined }
  /** Shifts the Date header by this duration. */
  | { readonly kind: 'skew'; readonly ms: number }
  | { readonly kind: 'duplicate-webhook'; readonly times?: number | undefined }
  | { readonly kind: 'late-webhook'; readonly ms: number }
  | { readonly kind: 'lost-webhook' }

/** A fault to add: which requests it affects and what it does to them. */
export interface FaultSpecification {
  /**
   * A method and a path from the contract, such as `GET /GiftCards/{cardNumber}`. `*` stands for any method, path or
   * path segment.
   */
  readonly endpoint: string
  readonly effect: FaultEffect
  /**
   * Whether to act before or after the request takes effect. The default is `after` for faults that alter the
   * endpoint's response, and `before` for all others.
   */
  readonly phase?: Phase | undefined
  /** Affects only this many matching requests. */
  readonly next?: number | undefined
  /** Affects this percentage of matching requests, which are chosen pseudo-randomly based on `seed`. */
  readonly share?: number | undefined
  readonly seed?: number | undefined
  /** Affects only the nth matching request, counted from 1. */
  readonly nth?: number | undefined
}

/** When a fault acts. A `before` fault that replaces or corrupts the response also prevents the request's changes. */
export type Phase = 'before' | 'after'

/** A fault in a sandbox, with counts of the requests that it has matched and affected. */
export interface Fault extends FaultSpecification {
  readonly id: number
  /** How many requests have matched since the fault was added. */
  readonly seen: number
  readonly fired: number
}

const AFTER: ReadonlySet<FaultEffect['kind']> = new Set(['truncate', 'malformed', 'dribble', 'oversize', 'skew'])

/** Returns a fault's phase. The default depends on the fault's effect. */
export function phaseOf({ phase, effect }: FaultSpecification): Phase {
  return phase ?? (AFTER.has(effect.kind) ? 'after' : 'before')
}

/**
 * Whether a fault affects the current request, which is already counted in `seen`. `draw` returns a number from 0
 * (inclusive) to 1 (exclusive).
 */
export function shouldStrike({ seen, fired, next, nth, share }: Fault, draw: () => number): boolean {
  if (nth !== undefined) return seen === nth
  if (next !== undefined && fired >= next) return false
  return share === undefined || draw() * 100 < share
}

export const EFFECTS_WITHOUT_PHASE: ReadonlySet<string> = new Set([
  'skew',
  'duplicate-webhook',
  'late-webhook',
  'lost-webhook',
])

/** The maximum duration of a fault, close to the maximum that a timer supports. */
export const LONGEST_MS = 24 * 24 * 3_600_000

const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, kB: 1000, MB: 1e6, KiB: 1024, MiB: 1024 * 1024 }
const MOST_BYTES = 1024 * 1024 * 1024

/** Parses a size such as `100`, `64KiB` or `20MiB`. Returns `null` if it is invalid or larger than 1024 MiB. */
export function parseBytes(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,10})(B|kB|MB|KiB|MiB)?$/.exec(text) ?? []
  const bytes = count === '' ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN)
  return bytes <= MOST_BYTES ? bytes : null
}

/** Parses a percentage such as `10`, `0.5` or `10%`. Returns `null` if it is invalid, 0, or above 100. */
export function parsePercent(text: string): number | null {
  const share = /^\d{1,3}(\.\d{1,6})?%?$/.test(text) ? Number(text.replace('%', '')) : Number.NaN
  return share > 0 && share <= 100 ? share : null
}
