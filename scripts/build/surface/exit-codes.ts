import { EXIT_CODES, type FailureCode } from '../../../src/base/failure/exit-codes.ts'

/** The properties of a command that determine its exit codes. */
interface Known {
  readonly id: string
  readonly writes: string
  readonly flags: readonly string[]
}

/** Codes that any command can exit with: INTERRUPTED after a signal, and INCOMPLETE if its output pipe is closed. */
const ANY: readonly FailureCode[] = ['INTERNAL', 'USAGE', 'INCOMPLETE', 'INTERRUPTED']

/** Codes that any request can cause, because an endpoint, or a proxy in front of it, can respond with any status. */
const CALL: readonly FailureCode[] = [
  'NOT_FOUND',
  'NO_PROFILE',
  'REJECTED',
  'CONFLICT',
  'RATE_LIMITED',
  'SERVICE_ERROR',
]

/** Codes for commands that use a copy or an inbox in PostgreSQL. */
const DATABASE: readonly FailureCode[] = ['REJECTED', 'NETWORK_ERROR']

/**
 * Codes for commands that send events to a receiver. The credentials might be unreadable, or the connection might fail.
 */
const RECEIVER: readonly FailureCode[] = ['NO_PROFILE', 'NETWORK_ERROR']

/** Additional exit codes, by command pattern. A command gets the codes of every pattern that it matches. */
const OTHERS: readonly (readonly [commands: RegExp, codes: readonly FailureCode[]])[] = [
  [/ sync(?: status| verify)?$/, DATABASE],
  // A command fails with LOCKED if another process has locked the copy or is writing to its database.
  [
    / sync(?: compact| status| verify)?$|^(?:giftcards statement|report night|timeline (?:booking|giftcard|sale)|sales reconcile|webhooks gaps)$/,
    ['LOCKED'],
  ],
  [/^(?:customers unsubscribe|sales import|drift|profiles (?:add|remove|set|use)|webhooks listen)$/, ['LOCKED']],
  [/^(?:drift accept|monitor)$/, ['LOCKED']],
  [/^(?:bookings sync verify|customers unsubscribe|drift|sales import)$/, ['PARTIAL_FAILURE']],
  // A command fails with PARTIAL_FAILURE if the records that it compares differ.
  [/^(?:giftcards statement|sales reconcile|tables check)$/, ['PARTIAL_FAILURE']],
  [/^webhooks (?:apply|gaps|inbox|replay|torture|work)$/, ['PARTIAL_FAILURE']],
  [/^operations (?:approve|show)$/, ['NOT_FOUND']],
  [/^operations resolve$/, ['OUTCOME_UNKNOWN']],
  // A command fails with BUSINESS_FAILURE if the response body reports a failure.
  [/^(?:inbound balance|operations resolve)$/, ['BUSINESS_FAILURE']],
  [/^profiles (?:add|remove|set|show|use)$|^support bundle$/, ['NO_PROFILE']],
  // A command fails with NOT_FOUND if the directory does not contain a sandbox, or if an ID does not exist.
  [/^sandbox (?:clock|deliveries|faults (?:list|clear)|journal)$/, ['NOT_FOUND']],
  [/^sandbox (?:exec|start|snapshot (?:delete|load|save))$/, ['NOT_FOUND']],
  [/^sandbox start$/, ['NETWORK_ERROR']],
  // A rehearsal compares the venue with the integration's copy, which can be in a database.
  [/^sandbox rehearse$/, [...DATABASE, 'LOCKED', 'PARTIAL_FAILURE']],
  [/^(?:certify|sign) verify$/, ['SIGNATURE_MISMATCH']],
  [/^(?:certify|monitor(?: test)?)$/, ['PARTIAL_FAILURE']],
  [/^(?:report night|sales reconcile|webhooks listen)$/, DATABASE],
  [/^webhooks (?:inbox|work|gaps|replay)$/, [...DATABASE, 'NOT_FOUND']],
  [/^webhooks (?:gaps|replay|torture|trigger|work)$/, RECEIVER],
  [/^webhooks trigger$/, ['REJECTED']],
]

/** Commands that can succeed even if they send no request, or if the service rejects their request. */
const GOES_ON = /^(?:config|support bundle|webhooks listen)$/

/**
 * Whether a command fails if the ledger is unreachable. `doctor` prints a row instead, an `mcp` tool returns an error,
 * and `config` and `profiles` do not open the ledger.
 */
function needsLedger({ id, flags }: Pick<Known, 'id' | 'flags'>): boolean {
  return flags.includes('ledger') && !/^(?:config|doctor|mcp|profiles )/.test(id)
}

/** Commands that use a profile if one is set, but do not fail without one. */
const PROFILE_IS_NO_NEED = /^(?:doctor|operations list)$/

/** Commands that handle each item separately: a rejected item does not end the command. */
const EACH_BY_ITSELF = /^(?:sales import|webhooks apply)$/

/**
 * Whether a command reports this failure in its output and continues. `sales import` prints a row for every sale in the
 * file, even if the service rejects the sale or already has it.
 */
function isRow(id: string, code: FailureCode): boolean {
  return id === 'sales import' && (code === 'NOT_FOUND' || code === 'CONFLICT')
}

/** Whether a command fails when the service rejects its request. */
export function endsWithTheService({ id, flags }: Pick<Known, 'id' | 'flags'>): boolean {
  return flags.includes('retries') && !GOES_ON.test(id)
}

/** Returns the exit codes of a command, in ascending order. */
export function exitCodesOf({ id, writes: does, flags }: Known): number[] {
  // If a tool's write fails, the exit code of the MCP server does not change.
  const writes = id === 'mcp' ? 'none' : does
  const codes: readonly FailureCode[] = [
    ...ANY,
    ...(endsWithTheService({ id, flags }) ? CALL.filter((code) => !isRow(id, code)) : []),
    ...(flags.includes('profile') && !PROFILE_IS_NO_NEED.test(id) ? (['NO_PROFILE'] as const) : []),
    ...(flags.includes('base-url') && /^sandbox /.test(id) ? (['NETWORK_ERROR'] as const) : []),
    ...(needsLedger({ id, flags }) ? (['NETWORK_ERROR'] as const) : []),
    // A command fails with NO_PROFILE if `--profiles` contains a profile that does not exist.
    ...(flags.includes('profiles') ? (['NO_PROFILE'] as const) : []),
    // A command with `--jobs` runs once per profile. It fails with PARTIAL_FAILURE if any of these runs fails.
    ...(flags.includes('jobs') ? (['PARTIAL_FAILURE'] as const) : []),
    ...(writes === 'none' ? [] : (['OUTCOME_UNKNOWN'] as const)),
    ...(writes === 'none' || EACH_BY_ITSELF.test(id) ? [] : (['BUSINESS_FAILURE'] as const)),
    ...OTHERS.flatMap(([commands, more]) => (commands.test(id) ? more : [])),
  ]
  return [...new Set([0, ...codes.map((code) => EXIT_CODES[code])])].sort((a, b) => a - b)
}
