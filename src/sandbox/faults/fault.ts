/** The effects of faults. Times in milliseconds. */
export type FaultEffect =
  /** Answers with this status; without a message in the documented words. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string | undefined }
  | { readonly kind: 'latency'; readonly ms: number }
  /** The connection ends with RST, without an answer. */
  | { readonly kind: 'reset' }
  /** The connection is closed without an answer. */
  | { readonly kind: 'close' }
  /** The connection ends after this many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The body ends within its JSON, and the connection stays open. */
  | { readonly kind: 'malformed' }
  /** The body is sent a few bytes at a time. */
  | { readonly kind: 'dribble'; readonly bytes?: number | undefined; readonly everyMs?: number | undefined }
  | { readonly kind: 'hang' }
  /** The body has one more member, of this many bytes. */
  | { readonly kind: 'oversize'; readonly bytes?: number | undefined }
  | { readonly kind: 'redirect'; readonly url: string; readonly status?: number | undefined }
  /** The Date header is off by this time. */
  | { readonly kind: 'skew'; readonly ms: number }
  | { readonly kind: 'duplicate-webhook'; readonly times?: number | undefined }
  | { readonly kind: 'late-webhook'; readonly ms: number }
  | { readonly kind: 'lost-webhook' }

/** A fault: where and how often it strikes, and what it does. */
export interface FaultSpecification {
  /** `GET /GiftCards/{cardNumber}`, as in the contract; `*` is any method, path or segment. */
  readonly endpoint: string
  readonly effect: FaultEffect
  /** `before` keeps no change of the request, `after` keeps it. Default: `before` if the answer is replaced. */
  readonly phase?: Phase | undefined
  /** Strikes this many of the next matching requests. */
  readonly next?: number | undefined
  /** Strikes this percentage of matching requests, drawn from `seed`. */
  readonly share?: number | undefined
  readonly seed?: number | undefined
  /** Strikes only the nth matching request, from 1. */
  readonly nth?: number | undefined
}

/** When a fault strikes, relative to the change. */
export type Phase = 'before' | 'after'

/** A fault of a sandbox, and its counts. */
export interface Fault extends FaultSpecification {
  readonly id: number
  /** Matching requests since it was added. */
  readonly seen: number
  readonly fired: number
}

const AFTER: ReadonlySet<FaultEffect['kind']> = new Set(['truncate', 'malformed', 'dribble', 'oversize', 'skew'])

/** The phase in which a fault strikes: its own, or the default of its effect. */
export function phaseOf({ phase, effect }: FaultSpecification): Phase {
  return phase ?? (AFTER.has(effect.kind) ? 'after' : 'before')
}

/** True when a fault strikes the request that it has just counted. `draw` returns a number from 0 to below 1. */
export function strikes({ seen, fired, next, nth, share }: Fault, draw: () => number): boolean {
  if (nth !== undefined) return seen === nth
  if (next !== undefined && fired >= next) return false
  return share === undefined || draw() * 100 < share
}

export const WITHOUT_PHASE: ReadonlySet<string> = new Set(['skew', 'duplicate-webhook', 'late-webhook', 'lost-webhook'])

/** About the longest that a timer can wait. */
export const LONGEST_MS = 24 * 24 * 3_600_000

const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, kB: 1000, MB: 1e6, KiB: 1024, MiB: 1024 * 1024 }
const MOST_BYTES = 1024 * 1024 * 1024

/** Reads `100`, `64KiB` or `20MiB`; null for other texts and more than 1024 MiB. */
export function parseBytes(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,10})(B|kB|MB|KiB|MiB)?$/.exec(text) ?? []
  const bytes = count === '' ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN)
  return bytes <= MOST_BYTES ? bytes : null
}

/** Reads `10`, `0.5` or `10%`; null for other texts and shares of 0 or above 100. */
export function parsePercent(text: string): number | null {
  const share = /^\d{1,3}(\.\d{1,6})?%?$/.test(text) ? Number(text.replace('%', '')) : Number.NaN
  return share > 0 && share <= 100 ? share : null
}
