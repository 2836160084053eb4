import type { Interfaces } from '@oclif/core'
import { boolean, custom, option, string } from '@oclif/core/flags'
import type { InferredFlags } from '@oclif/core/interfaces'
import type { Format, ReportFormat } from '../render/view.ts'

export const FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const satisfies readonly Format[]

/** Additional output formats for commands that print check results. */
export const REPORT_FORMATS = ['junit', 'tap'] as const satisfies readonly ReportFormat[]

export type FlagValues<F> = Omit<Interfaces.InferredFlags<F>, 'json'>

export const repeated = custom<string>({ multiple: true, multipleNonGreedy: true })

/** Defines a flag with a text value. Commands validate the value, so that they can report all problems together. */
export const flag = (helpValue: string, summary: string) => string({ helpValue, summary })

export const requiredFlag = (helpValue: string, summary: string) => string({ helpValue, summary, required: true })

export const toggle = (summary: string) => boolean({ summary })

/** The `--force` flag of commands that move money. */
export const FORCE_FLAG = {
  force: toggle('Send the request even if the outcome of an identical request is still unknown.'),
} as const

/** The `--once` flag of money writes. */
export const ONCE_FLAG = {
  once: flag('KEY', 'Your own ID for this write. Repeating the command with the same ID does not repeat the write.'),
} as const

/** The `--ledger` flag of commands that make or inspect money writes. */
export const LEDGER_FLAG = {
  ledger: flag(
    'URL',
    'PostgreSQL database where several machines record their money writes: postgres://USER@HOST/DATABASE.',
  ),
} as const

/** The `--ping` flag of commands that run unattended. `openObserver` reads it even if the command line is invalid. */
export const PING_FLAG = {
  ping: string({
    helpValue: 'URL',
    summary: 'Notify a job monitor when a run begins and ends (see partner help cron).',
    env: 'PARTNER_PING_URL',
  }),
} as const

const GLOBAL = { helpGroup: 'GLOBAL' } as const

type Extra = Pick<Parameters<typeof string>[0] & object, 'char' | 'env'>

const global = (helpValue: string, summary: string, extra: Extra = {}) =>
  string({ ...GLOBAL, helpValue, summary, ...extra })

const globalToggle = (summary: string, extra: Extra = {}) => boolean({ ...GLOBAL, summary, ...extra })

function formatFlag<F extends string>(options: readonly F[], what: string, group: { helpGroup?: 'GLOBAL' } = {}) {
  const summary = `${what} (default: PARTNER_OUTPUT, or table).`
  return option({ options })({ ...group, char: 'o', summary, helpValue: options.join('|') })
}

/** The flags for output and prompts that every command has. */
export const OUTPUT_FLAGS = {
  output: formatFlag(FORMATS, 'Output format', GLOBAL),
  json: globalToggle('Short for -o json.'),
  columns: global('a,b.c', 'Columns to print, as paths into each record.'),
  query: global('EXPR', 'JMESPath expression to apply to the JSON before printing it.'),
  raw: globalToggle('With --query: print strings without quotes, one value per line.', { char: 'r' }),
  'no-header': globalToggle('Omit the header row of CSV, TSV and tables.'),
  yes: globalToggle('Answer yes to every confirmation.', { char: 'y' }),
  verbose: globalToggle('Log each request to stderr (or set PARTNER_DEBUG=1).', { char: 'v' }),
  quiet: globalToggle('Print only errors on stderr.', { char: 'q' }),
  'no-input': globalToggle('Never prompt, as if there were no terminal.'),
  'no-color': globalToggle('Disable colour (or set NO_COLOR=1).'),
} as const

export const MANY_FLAGS = {
  profiles: global(
    'all|tag:NAME|a,b',
    'Run for several profiles. Each record names its profile; --limit applies to each profile, --query to all records.',
  ),
  jobs: global('N', 'With --profiles: how many profiles to run in parallel (default: 4).'),
} as const

const SERVICE_FLAGS = {
  profile: global('NAME', 'Profile to use; "sandbox" is built in.', { char: 'p' }),
  'base-url': global('URL', "Address of the service, instead of the profile's."),
  timeout: global('DUR', 'Time limit for each attempt, such as 500ms, 30s or 2m (default: 30s; lists 5m).', {
    env: 'PARTNER_TIMEOUT',
  }),
  retries: global('N', 'Maximum number of retries (default: 3; 0 for none).', { env: 'PARTNER_RETRIES' }),
  'dry-run': globalToggle('Print the request instead of sending it.'),
  curl: globalToggle('With --dry-run: print the request as a curl command.'),
  har: global('FILE', 'Record the traffic in a HAR file, without secrets.'),
  record: globalToggle('Record the structure of responses, without their values, for partner drift.'),
  'trace-service': globalToggle('Send a traceparent header, so that the service can continue a trace.'),
  param: repeated({ ...GLOBAL, helpValue: 'k=v', summary: 'An extra query parameter. May be repeated.' }),
} as const

/** The output flags of commands that print check results. */
export const REPORT_OUTPUT_FLAGS = {
  ...OUTPUT_FLAGS,
  output: formatFlag([...FORMATS, ...REPORT_FORMATS], 'Output format; junit and tap are for test runners'),
} as const

/** The output flags of commands that can also print an HTML page. */
export const PAGE_OUTPUT_FLAGS = {
  ...OUTPUT_FLAGS,
  output: formatFlag(
    [...FORMATS, ...REPORT_FORMATS, 'html'],
    'Output format; junit and tap are for test runners, and html is a web page',
  ),
} as const

const CHECK_FLAGS = { 'no-validate': globalToggle('Send values as typed, without the local checks.') } as const

/** The `--set` flag, for commands that do not accept `--data`. */
export const SET_FLAG = {
  set: repeated({ helpValue: 'path=v', summary: 'An extra body member, such as a.b=1. May be repeated.' }),
} as const

const BODY_FLAGS = {
  ...SET_FLAG,
  data: string({ helpValue: 'JSON|@file|-', summary: 'The whole body; other flags override its members.' }),
} as const

/** The flags that are global in at least one command. */
export const GLOBAL_FLAGS = Object.entries({ ...SERVICE_FLAGS, ...CHECK_FLAGS, ...MANY_FLAGS, ...OUTPUT_FLAGS }).map(
  ([name, { char, type }]) => ({ name, char, takesValue: type === 'option' }),
)

const { profile, 'base-url': baseUrl, timeout, retries, har, record, 'trace-service': traceService } = SERVICE_FLAGS

/** Flags for commands that need a profile but make no requests. */
export const PROFILE_FLAGS = { profile, 'base-url': baseUrl, ...OUTPUT_FLAGS } as const

/** Flags for diagnostic commands, which do not retry. */
export const EXAMINE_FLAGS = { profile, 'base-url': baseUrl, timeout, ...OUTPUT_FLAGS } as const

/** Flags for commands that send several kinds of requests and do not record the traffic. */
export const READING_FLAGS = { timeout, retries, ...PROFILE_FLAGS } as const

/** Flags for read-only commands that send several kinds of requests. */
export const LOOK_FLAGS = { har, record, 'trace-service': traceService, ...READING_FLAGS } as const

/** The `--dry-run` flag for commands that send to a receiver other than the service. */
export const DRY_RUN_FLAG = { 'dry-run': SERVICE_FLAGS['dry-run'] } as const

/** Flags for commands that call the service without a request body. */
export const CALL_FLAGS = { ...SERVICE_FLAGS, ...OUTPUT_FLAGS } as const

/** Flags for commands that call the service with a body, which is validated first. */
export const CHECKED_CALL_FLAGS = { ...CHECK_FLAGS, ...CALL_FLAGS } as const

export const BODY_CALL_FLAGS = { ...BODY_FLAGS, ...CHECKED_CALL_FLAGS } as const

export type SharedFlags = InferredFlags<
  typeof BODY_CALL_FLAGS & typeof MANY_FLAGS & typeof PAGE_OUTPUT_FLAGS & typeof FORCE_FLAG & typeof LEDGER_FLAG
>
