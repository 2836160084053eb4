import type { Method } from '../../contract/endpoint.ts'
import { isParameter, segmentsOf } from '../../contract/paths.ts'

/** What goes wrong on purpose. Times in milliseconds. */
export type FaultEffect =
  /** An answer of this status; without a message the words that the endpoint documents for it. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string | undefined }
  | { readonly kind: 'latency'; readonly ms: number }
  /** The connection ends with RST, without an answer. */
  | { readonly kind: 'reset' }
  /** The connection ends in order, without an answer. */
  | { readonly kind: 'close' }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The body ends in the middle of its JSON, while the connection stays whole. */
  | { readonly kind: 'malformed' }
  /** The body comes a few bytes at a time. */
  | { readonly kind: 'dribble'; readonly bytes?: number | undefined; readonly everyMs?: number | undefined }
  /** No answer ever comes. */
  | { readonly kind: 'hang' }
  /** The body gets a member of so many bytes more. */
  | { readonly kind: 'oversize'; readonly bytes?: number | undefined }
  | { readonly kind: 'redirect'; readonly url: string; readonly status?: number | undefined }
  /** The Date header is off by so much. */
  | { readonly kind: 'skew'; readonly ms: number }
  /** Webhooks that the request causes come several times. */
  | { readonly kind: 'duplicate-webhook'; readonly times?: number | undefined }
  /** Webhooks that the request causes come late. */
  | { readonly kind: 'late-webhook'; readonly ms: number }

/** One fault: where it strikes, how often, and what it does. */
export interface FaultSpecification {
  /** `GET /GiftCards/{cardNumber}`, as the contract writes it; `*` stands for any method, path or segment. */
  readonly endpoint: string
  readonly effect: FaultEffect
  /**
   * `before`: nothing of the request is kept. `after`: its change is committed, then the fault strikes.
   * Unless given: before for what comes in place of an answer, after for what is done to one.
   */
  readonly phase?: 'before' | 'after' | undefined
  /** Strikes the next so many matching requests. */
  readonly next?: number | undefined
  /** Strikes this share of matching requests, in percent, drawn from `seed`. */
  readonly share?: number | undefined
  readonly seed?: number | undefined
  /** Strikes only the nth matching request, counted from 1. */
  readonly nth?: number | undefined
}

/** A fault that was added, and what it has done so far. */
export interface Fault extends FaultSpecification {
  readonly id: number
  /** Matching requests since it was added. */
  readonly seen: number
  /** How many of them it struck. */
  readonly fired: number
}

/** The phase in which a fault strikes. */
export function phaseOf({ phase, effect }: FaultSpecification): 'before' | 'after' {
  if (phase) return phase
  return AFTER.has(effect.kind) ? 'after' : 'before'
}

const AFTER: ReadonlySet<FaultEffect['kind']> = new Set(['truncate', 'malformed', 'dribble', 'oversize', 'skew'])

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Splits `GET /GiftCards/{cardNumber}`; null when it is not a method and a path. */
export function readEndpointPattern(pattern: string): { method: string; segments: readonly string[] } | null {
  const [method = '', path = '', ...rest] = pattern.trim().split(/\s+/)
  if (method === '*' && path === '') return { method, segments: ['**'] }
  const known = method === '*' || METHODS.includes(method.toUpperCase() as Method)
  if (rest.length > 0 || !known || !(path.startsWith('/') || path === '*')) return null
  return { method: method.toUpperCase(), segments: path === '*' ? ['**'] : segmentsOf(path) }
}

/** Whether a pattern could ever mean an endpoint of the contract, given by its method and template. */
export function patternReaches(pattern: string, method: string, template: string): boolean {
  const read = readEndpointPattern(pattern)
  if (!read || (read.method !== '*' && read.method !== method)) return false
  if (read.segments[0] === '**') return true
  const segments = segmentsOf(template)
  return (
    read.segments.length === segments.length &&
    segments.every((segment, at) => {
      const asked = read.segments[at]
      return isParameter(segment) ? asked !== '' : asked === segment || asked === '*'
    })
  )
}

/** What is wrong with an effect, as it may come from outside; null when it is one. */
export function effectProblem(effect: FaultEffect): string | null {
  const amount = (value: unknown, what: string) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? null
      : `${what} must be a whole number from 0`
  switch (effect?.kind) {
    case 'status':
      return Number.isInteger(effect.status) && effect.status >= 200 && effect.status <= 599
        ? null
        : `${effect.status} is not an HTTP status from 200 to 599`
    case 'latency':
    case 'late-webhook':
      return amount(effect.ms, 'the time in milliseconds')
    case 'skew':
      return Number.isSafeInteger(effect.ms) ? null : 'the time in milliseconds must be a whole number'
    case 'truncate':
      return amount(effect.bytes, 'the number of bytes')
    case 'oversize':
      return amount(effect.bytes ?? 0, 'the number of bytes')
    case 'dribble':
      return effect.bytes === 0
        ? 'the number of bytes must be above 0'
        : amount(effect.bytes ?? 1, 'the number of bytes')
    case 'duplicate-webhook':
      return amount(effect.times ?? 2, 'the number of times')
    case 'redirect':
      if (typeof effect.url !== 'string' || effect.url === '') return 'a redirect needs a URL'
      return /^[\x21-\x7e]+$/.test(effect.url) ? null : 'the URL of a redirect cannot stand in a header'
    case 'reset':
    case 'close':
    case 'malformed':
    case 'hang':
      return null
    default:
      return 'there is no such kind of fault'
  }
}

/** Whether a pattern means an endpoint, given by its template, and the path that was requested. */
export function patternMatches(pattern: string, method: string, template: string, path: string): boolean {
  const read = readEndpointPattern(pattern)
  if (!read || (read.method !== '*' && read.method !== method)) return false
  if (read.segments[0] === '**') return true
  return fits(read.segments, segmentsOf(template)) || fits(read.segments, segmentsOf(path))
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    segments.every((segment, at) => {
      const asked = pattern[at] ?? ''
      return asked === '*' || asked === segment || (isParameter(asked) && isParameter(segment))
    })
  )
}
