import { EXIT_CODES, type FailureCode } from '../../../src/base/failure/exit-codes.ts'

/** What is known of a command. */
interface Known {
  readonly id: string
  readonly writes: string
  readonly flags: readonly string[]
}

/** Any command: INTERRUPTED by a signal, INCOMPLETE when the reader of its output goes away. */
const ANY: readonly FailureCode[] = ['INTERNAL', 'USAGE', 'INCOMPLETE', 'INTERRUPTED']

/** A request to the service: any endpoint, and what stands before it, may refuse with any status. */
const CALL: readonly FailureCode[] = [
  'NOT_FOUND',
  'NO_PROFILE',
  'REJECTED',
  'CONFLICT',
  'RATE_LIMITED',
  'SERVICE_ERROR',
]

/** A copy or an inbox in PostgreSQL that cannot be reached, or refuses. */
const DATABASE: readonly FailureCode[] = ['REJECTED', 'NETWORK_ERROR']

/** Credentials that cannot be read, and a receiver that cannot be reached. */
const RECEIVER: readonly FailureCode[] = ['NO_PROFILE', 'NETWORK_ERROR']

/** How else commands end, by their words. All lines that fit count. */
const OTHERS: readonly (readonly [commands: RegExp, codes: readonly FailureCode[]])[] = [
  [/ sync(?: status| verify)?$/, DATABASE],
  // The lock of a copy, or of a database that something else writes to.
  [
    / sync(?: status| verify)?$|^(?:giftcards statement|report night|timeline (?:booking|giftcard|sale)|sales reconcile|webhooks gaps)$/,
    ['LOCKED'],
  ],
  [/^(?:customers unsubscribe|sales import|drift|profiles (?:add|remove|set|use)|webhooks listen)$/, ['LOCKED']],
  [/^drift accept$/, ['LOCKED']],
  [/^(?:bookings sync verify|customers unsubscribe|drift|sales import)$/, ['PARTIAL_FAILURE']],
  // The books that do not agree.
  [/^(?:giftcards statement|sales reconcile|tables check)$/, ['PARTIAL_FAILURE']],
  [/^webhooks (?:apply|gaps|inbox|replay|torture|work)$/, ['PARTIAL_FAILURE']],
  [/^operations show$/, ['NOT_FOUND']],
  [/^operations resolve$/, ['OUTCOME_UNKNOWN']],
  // Their answers are signed, and say themselves whether they are a success.
  [/^(?:inbound balance|operations resolve)$/, ['BUSINESS_FAILURE']],
  [/^profiles (?:add|remove|set|show|use)$|^support bundle$/, ['NO_PROFILE']],
  // A directory without a sandbox, an ID that there is not.
  [/^sandbox (?:clock|deliveries|faults (?:list|clear)|journal)$/, ['NOT_FOUND']],
  [/^sandbox (?:exec|start|snapshot (?:delete|load|save))$/, ['NOT_FOUND']],
  [/^sandbox start$/, ['NETWORK_ERROR']],
  // A port that is taken, and the copy of an integration.
  [/^sandbox rehearse$/, [...DATABASE, 'LOCKED', 'PARTIAL_FAILURE']],
  [/^(?:certify|sign) verify$/, ['SIGNATURE_MISMATCH']],
  [/^certify$/, ['PARTIAL_FAILURE']],
  [/^(?:report night|sales reconcile|webhooks listen)$/, DATABASE],
  [/^webhooks (?:inbox|work|gaps|replay)$/, [...DATABASE, 'NOT_FOUND']],
  [/^webhooks (?:gaps|replay|torture|trigger|work)$/, RECEIVER],
  [/^webhooks trigger$/, ['REJECTED']],
]

/** These have the flags of a request, and end well without any, or whatever the service says to it. */
const GOES_ON = /^(?:config|support bundle|webhooks listen)$/

/** A profile is only looked for, and what is wrong with it is a row or nothing. */
const PROFILE_IS_NO_NEED = /^(?:doctor|operations list)$/

/** Each of several things has an outcome of its own there, so a refusal in an answer is a row. */
const EACH_BY_ITSELF = /^(?:sales import|webhooks apply)$/

/** Sales of a file that were refused, or are there already, are rows. */
function isRow(id: string, code: FailureCode): boolean {
  return id === 'sales import' && (code === 'NOT_FOUND' || code === 'CONFLICT')
}

/** Whether a command ends when the service refuses it. */
export function endsWithTheService({ id, flags }: Pick<Known, 'id' | 'flags'>): boolean {
  return flags.includes('retries') && !GOES_ON.test(id)
}

/** The exit codes that a command can end with, from the lowest. */
export function exitCodesOf({ id, writes, flags }: Known): number[] {
  const codes: readonly FailureCode[] = [
    ...ANY,
    ...(endsWithTheService({ id, flags }) ? CALL.filter((code) => !isRow(id, code)) : []),
    ...(flags.includes('profile') && !PROFILE_IS_NO_NEED.test(id) ? (['NO_PROFILE'] as const) : []),
    ...(flags.includes('base-url') && /^sandbox /.test(id) ? (['NETWORK_ERROR'] as const) : []),
    // A profile that there is not, and one of several that failed.
    ...(flags.includes('profiles') ? (['NO_PROFILE'] as const) : []),
    // It runs once for each of several profiles.
    ...(flags.includes('jobs') ? (['PARTIAL_FAILURE'] as const) : []),
    ...(writes === 'none' ? [] : (['OUTCOME_UNKNOWN'] as const)),
    ...(writes === 'none' || EACH_BY_ITSELF.test(id) ? [] : (['BUSINESS_FAILURE'] as const)),
    ...OTHERS.flatMap(([commands, more]) => (commands.test(id) ? more : [])),
  ]
  return [...new Set([0, ...codes.map((code) => EXIT_CODES[code])])].sort((a, b) => a - b)
}
