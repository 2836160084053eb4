import { EXIT_CODES, type FailureCode } from '../../../src/failure/exit-codes.ts'

/** What is known of a command. */
interface Known {
  readonly id: string
  readonly writes: string
  readonly flags: readonly string[]
}

/** Any command: INTERRUPTED by a signal, INCOMPLETE when the reader of its output goes away. */
const ANY: readonly FailureCode[] = ['INTERNAL', 'USAGE', 'INCOMPLETE', 'INTERRUPTED']

/** A command that calls the service: any of its endpoints may answer anything. */
const CALL: readonly FailureCode[] = [
  'NOT_FOUND',
  'NO_PROFILE',
  'REJECTED',
  'CONFLICT',
  'RATE_LIMITED',
  'SERVICE_ERROR',
  'BUSINESS_FAILURE',
]

/** A copy or an inbox in PostgreSQL that cannot be reached, or refuses. */
const DATABASE: readonly FailureCode[] = ['NO_PROFILE', 'REJECTED', 'NETWORK_ERROR', 'LOCKED']

/** A receiver that cannot be reached, or refuses. */
const RECEIVER: readonly FailureCode[] = ['NO_PROFILE', 'NETWORK_ERROR']

/** How else commands end, by their words. All lines that fit count. */
const OTHERS: readonly (readonly [commands: RegExp, codes: readonly FailureCode[]])[] = [
  [/ sync(?: |$)/, [...DATABASE, 'NOT_FOUND']],
  [/^bookings sync verify$/, ['PARTIAL_FAILURE']],
  [/^(?:customers unsubscribe|sales import)$/, ['PARTIAL_FAILURE', 'LOCKED']],
  [/^operations (?:show|resolve)$/, ['NOT_FOUND']],
  [/^operations resolve$/, ['OUTCOME_UNKNOWN']],
  [/^(?:profiles |drift accept$)/, ['NO_PROFILE', 'LOCKED']],
  [/^drift$/, ['PARTIAL_FAILURE']],
  [/^sandbox /, ['NOT_FOUND', 'NO_PROFILE', 'REJECTED', 'NETWORK_ERROR']],
  [/^sign verify$/, ['SIGNATURE_MISMATCH']],
  [/^(?:timeline |support bundle$)/, DATABASE],
  [/^webhooks apply$/, ['PARTIAL_FAILURE']],
  [/^webhooks listen$/, DATABASE],
  [/^webhooks (?:inbox|work|gaps|replay)$/, [...DATABASE, 'NOT_FOUND', 'PARTIAL_FAILURE']],
  [/^webhooks torture$/, [...RECEIVER, 'PARTIAL_FAILURE']],
  [/^webhooks trigger$/, [...RECEIVER, 'REJECTED']],
]

/** The exit codes that a command can end with, from the lowest. */
export function exitCodesOf({ id, writes, flags }: Known): number[] {
  const calls = flags.includes('retries') && id !== 'config'
  const codes = [
    ...ANY,
    ...(calls ? CALL : []),
    ...(flags.includes('profile') ? (['NO_PROFILE'] as const) : []),
    ...(flags.includes('profiles') ? (['PARTIAL_FAILURE'] as const) : []),
    ...(writes === 'none' ? [] : (['OUTCOME_UNKNOWN'] as const)),
    ...OTHERS.flatMap(([commands, more]) => (commands.test(id) ? more : [])),
  ]
  return [...new Set([0, ...codes.map((code) => EXIT_CODES[code])])].sort((a, b) => a - b)
}
