/** The effects of faults. Times in milliseconds. */
export type FaultEffect =
  /** Answers with this status; without a message in the documented words. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string | undefined }
  | { readonly kind: 'latency'; readonly ms: number }
  /** The connection ends with RST, without an answer. */
  | { readonly kind: 'reset' }
  /** The connection is closed without an answer. */
  | { readonly kind: 'close' }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The body ends within its JSON, and the connection stays open. */
  | { readonly kind: 'malformed' }
  /** The body is sent a few bytes at a time. */
  | { readonly kind: 'dribble'; readonly bytes?: number | undefined; readonly everyMs?: number | undefined }
  | { readonly kind: 'hang' }
  /** The body has one more member, of so many bytes. */
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
  /** Strikes the next so many matching requests. */
  readonly next?: number | undefined
  /** Strikes this percentage of matching requests, drawn from `seed`. */
  readonly share?: number | undefined
  readonly seed?: number | undefined
  /** Strikes only the nth matching request, from 1. */
  readonly nth?: number | undefined
}

/** Whether a fault strikes before or after the change is kept. */
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
