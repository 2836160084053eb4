import { boolean, custom, option, string } from '@oclif/core/flags'
import type { Format } from '../../render/view.ts'

const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const satisfies readonly Format[]

/** A flag that may be given several times, once a value. */
export const repeated = custom<string>({ multiple: true, multipleNonGreedy: true })

/** A flag with a value, as text; commands check what it says, so that all problems are named at once. */
export const flag = (helpValue: string, summary: string) => string({ helpValue, summary })

/** A flag that must be given. */
export const requiredFlag = (helpValue: string, summary: string) => string({ helpValue, summary, required: true })

/** A flag that is there or not. */
export const toggle = (summary: string) => boolean({ summary })

/** On writes of money. */
export const FORCE_FLAG = { force: toggle('Do it although the same write is open, its outcome not known.') } as const

const GLOBAL = { helpGroup: 'GLOBAL' } as const

/** How the answer is printed. On every command. */
export const OUTPUT_FLAGS = {
  output: option({ options: FORMATS })({
    ...GLOBAL,
    char: 'o',
    env: 'PARTNER_OUTPUT',
    summary: 'How to print the answer (default: table).',
    helpValue: FORMATS.join('|'),
  }),
  json: boolean({ ...GLOBAL, summary: 'Short for -o json.' }),
  columns: string({
    ...GLOBAL,
    helpValue: 'a,b.c',
    summary: 'The columns to print, as paths into the object.',
  }),
  query: string({
    ...GLOBAL,
    helpValue: 'EXPR',
    summary: 'A JMESPath expression: prints what it finds in the JSON of the answer.',
  }),
  yes: boolean({ ...GLOBAL, char: 'y', summary: 'Answer yes to every confirmation.' }),
  verbose: boolean({
    ...GLOBAL,
    char: 'v',
    summary: 'A line a request on stderr (or PARTNER_DEBUG=1).',
  }),
} as const

/** How the service is reached. */
const SERVICE_FLAGS = {
  profile: string({ ...GLOBAL, char: 'p', helpValue: 'NAME', summary: 'The profile to use; "sandbox" is built in.' }),
  'base-url': string({ ...GLOBAL, helpValue: 'URL', summary: "Address of the service, in place of the profile's." }),
  timeout: string({
    ...GLOBAL,
    env: 'PARTNER_TIMEOUT',
    helpValue: 'DUR',
    summary: 'Limit of one whole attempt: 500ms, 30s, 2m (default: 30s; lists 5m).',
  }),
  retries: string({
    ...GLOBAL,
    env: 'PARTNER_RETRIES',
    helpValue: 'N',
    summary: 'How often to try again (default: 3; 0: never).',
  }),
  'dry-run': boolean({ ...GLOBAL, summary: 'Print the request and send nothing.' }),
  curl: boolean({ ...GLOBAL, summary: 'With --dry-run: print the request as a curl command.' }),
  har: string({ ...GLOBAL, helpValue: 'FILE', summary: 'Write the traffic to a HAR file, without secrets.' }),
  param: repeated({ ...GLOBAL, helpValue: 'k=v', summary: 'An extra query parameter. May be repeated.' }),
} as const

const CHECK_FLAGS = {
  'no-validate': boolean({ ...GLOBAL, summary: 'Send without the local checks.' }),
} as const

const BODY_FLAGS = {
  set: repeated({ ...GLOBAL, helpValue: 'path=v', summary: 'An extra body member, such as a.b=1. May be repeated.' }),
  data: string({ ...GLOBAL, helpValue: 'JSON|@file|-', summary: 'A whole body; other flags override its members.' }),
} as const

/** On a command that calls the service and sends no body. */
export const CALL_FLAGS = { ...SERVICE_FLAGS, ...OUTPUT_FLAGS } as const

/** The same, on a command that checks what it sends. */
export const CHECKED_CALL_FLAGS = { ...CHECK_FLAGS, ...CALL_FLAGS } as const

/** On a command that sends a body. */
export const BODY_CALL_FLAGS = { ...BODY_FLAGS, ...CHECKED_CALL_FLAGS } as const
