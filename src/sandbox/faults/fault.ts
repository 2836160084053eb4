/** What goes wrong on purpose. Times in milliseconds. */
export type FaultEffect =
  /** An answer with this status; without a message in the words that the endpoint documents for it. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string | undefined }
  | { readonly kind: 'latency'; readonly ms: number }
  /** The connection ends with RST, without an answer. */
  | { readonly kind: 'reset' }
  /** The connection is closed without an answer. */
  | { readonly kind: 'close' }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The body ends in the middle of its JSON, and the connection stays open. */
  | { readonly kind: 'malformed' }
  /** The body comes a few bytes at a time. */
  | { readonly kind: 'dribble'; readonly bytes?: number | undefined; readonly everyMs?: number | undefined }
  /** No answer ever comes. */
  | { readonly kind: 'hang' }
  /** The body has another member, of so many bytes. */
  | { readonly kind: 'oversize'; readonly bytes?: number | undefined }
  | { readonly kind: 'redirect'; readonly url: string; readonly status?: number | undefined }
  /** The Date header is off by so much. */
  | { readonly kind: 'skew'; readonly ms: number }
  /** Webhooks that the request causes come several times. */
  | { readonly kind: 'duplicate-webhook'; readonly times?: number | undefined }
  /** Webhooks that the request causes come late. */
  | { readonly kind: 'late-webhook'; readonly ms: number }
  /** Webhooks that the request causes never come. */
  | { readonly kind: 'lost-webhook' }

/** One fault: where it strikes, how often, and what it does. */
export interface FaultSpecification {
  /** `GET /GiftCards/{cardNumber}`, as the contract writes it; `*` stands for any method, path or segment. */
  readonly endpoint: string
  readonly effect: FaultEffect
  /**
   * `before`: nothing of the request is kept. `after`: its change is kept, then the fault strikes.
   * Unless given: `before` for what comes in place of an answer, `after` for what is done to one.
   */
  readonly phase?: Phase | undefined
  /** Strikes the next so many matching requests. */
  readonly next?: number | undefined
  /** Strikes this share of matching requests, in percent, drawn from `seed`. */
  readonly share?: number | undefined
  readonly seed?: number | undefined
  /** Strikes only the nth matching request, counted from 1. */
  readonly nth?: number | undefined
}

/** Whether a fault strikes before the change of a request is kept, or after. */
export type Phase = 'before' | 'after'

/** A fault of a sandbox, and what it has done so far. */
export interface Fault extends FaultSpecification {
  readonly id: number
  /** Matching requests since it was added. */
  readonly seen: number
  /** How many of them it struck. */
  readonly fired: number
}

const AFTER: ReadonlySet<FaultEffect['kind']> = new Set(['truncate', 'malformed', 'dribble', 'oversize', 'skew'])

/** The phase in which a fault strikes. */
export function phaseOf({ phase, effect }: FaultSpecification): Phase {
  return phase ?? (AFTER.has(effect.kind) ? 'after' : 'before')
}

/** True when a fault strikes the request that it has just counted. `draw` gives a number from 0 to below 1. */
export function strikes({ seen, fired, next, nth, share }: Fault, draw: () => number): boolean {
  if (nth !== undefined) return seen === nth
  if (next !== undefined && fired >= next) return false
  return share === undefined || draw() * 100 < share
}
