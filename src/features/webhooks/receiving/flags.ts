import type { Interfaces } from '@oclif/core'
import { type DurationLimits, parseDuration } from '../../../base/time/duration.ts'
import { DAY_MS, MINUTE_MS } from '../../../base/time/units.ts'
import type { SecretSource } from '../../../client/profiles/profile.ts'
import { secretReference } from '../../../client/profiles/secrets.ts'
import { flag, repeated, requiredFlag } from '../../../terminal/input/flags.ts'
import type { Problems } from '../../../terminal/input/problems.ts'
import { parseReceiverUrl } from '../../../terminal/input/values/receiver-url.ts'
import { checkShellCommand } from '../../../terminal/input/values/shell-command.ts'
import { parseSize } from '../../../terminal/input/values/size.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import { isDatabase, parseInboxPlace } from '../../../webhooks/inbox/open-inbox.ts'

const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/
const KIB = 1024
const DEFAULT_BODY_BYTES = KIB ** 2
const MAX_BODY_BYTES = 16 * KIB ** 2
const DEFAULT_WINDOW_MS = 10 * MINUTE_MS
const WINDOW: DurationLimits = { minMs: 0, maxMs: 31 * DAY_MS }
const QUIET: DurationLimits = { minMs: 1000, maxMs: DAY_MS }
/** The durations that `--keep` accepts. */
export const KEEP: DurationLimits = { minMs: DAY_MS }

export const LISTEN_FLAGS = {
  port: flag('N', "Port to listen on, 0 for a free one (default: the last run's port, or a free one)."),
  host: flag('ADDRESS', 'Address to listen on (default: 127.0.0.1).'),
  path: flag('PATH', 'The only path that accepts deliveries, such as /hooks (default: every path).'),
  journal: flag(
    'FILE',
    'Where to store deliveries (default: deliveries.ndjson in the data directory; for a second port, deliveries-PORT.ndjson).',
  ),
  to: flag('URL', 'Store deliveries in this PostgreSQL database, postgres://USER@HOST/DATABASE, instead of a file.'),
  keep: flag(
    'DUR',
    'Compress the journal each day (UTC) and drop handled deliveries older than DUR, such as 90d (default: keep all).',
  ),
  'require-header': repeated({
    helpValue: 'NAME=REF',
    summary:
      'A header that each delivery must have, with its value in env:VAR or file:PATH; deliveries without it are rejected with 401. May be repeated.',
  }),
  'keep-header': repeated({
    helpValue: 'NAME',
    summary:
      'Also store the value of this header; by default, only headers without credentials are stored. May be repeated.',
  }),
  'allow-origin': repeated({
    helpValue: 'ORIGIN',
    summary:
      'Accept deliveries from web pages of this origin, such as https://app.example; other origins are rejected with 403. May be repeated.',
  }),
  'max-body': flag('SIZE', 'The maximum body size, such as 64k; larger bodies are rejected with 413 (default: 1m).'),
  count: flag('N', 'End after N deliveries.'),
  'duplicate-window': flag('DUR', 'How long a repeated event counts as a duplicate (default: 10m).'),
  'quiet-after': flag('DUR', 'Print a notice on stderr if nothing is delivered for DUR.'),
  exec: flag('CMD', 'Run a shell command for each delivery, with its body on standard input.'),
  'forward-to': flag('URL', 'Forward each delivery to URL, byte for byte, and return the response.'),
} as const

export const KEEP_HEADER_FLAG = repeated({
  helpValue: 'NAME',
  summary: 'Also send this stored header; by default, only headers without credentials are sent. May be repeated.',
})

export const INBOX_FLAG = requiredFlag('URL', 'The inbox, postgres://USER@HOST/DATABASE.')

/** Parses the URL of an inbox. Adds a problem if the URL is invalid. */
export function readInboxPlace(url: string, flagName: string, env: Host['env'], problems: Problems, instead?: string) {
  if (isDatabase(url)) return problems.check(() => parseInboxPlace(url, env, flagName))
  problems.add(`${flagName} must be postgres://USER@HOST/DATABASE`, instead)
  return undefined
}

/** Parses a duration. Adds a problem if the text is invalid. Returns `undefined` if the text is invalid or absent. */
export function readDuration(name: string, text: string | undefined, limits: DurationLimits, problems: Problems) {
  return text === undefined ? undefined : problems.check(() => parseDuration(text, name, limits))
}

export type HeaderReference = { readonly name: string; readonly source: SecretSource }

export type ListenOptions = ReturnType<typeof readListenFlags>

/** Parses the flags of `webhooks listen`. Adds a problem for each mistake. */
export function readListenFlags(
  flags: Partial<Interfaces.InferredFlags<typeof LISTEN_FLAGS>>,
  env: Host['env'],
  problems: Problems,
) {
  const { 'max-body': size, 'forward-to': forwardTo, to } = flags
  if (flags.journal !== undefined && to !== undefined) problems.add('--journal and --to cannot be used together')
  if (flags.keep !== undefined && to !== undefined)
    problems.add(
      '--keep and --to cannot be used together',
      'let the workers drop old events with --keep: partner webhooks work --help',
    )
  if (flags.host !== undefined && !/^[\w.:-]+$/.test(flags.host))
    problems.add(`--host must be an address such as 0.0.0.0, not ${JSON.stringify(flags.host)}`)
  if (flags.path !== undefined && !/^\/[^\s?#]*$/.test(flags.path))
    problems.add(`--path must begin with a slash, such as /hooks, not ${JSON.stringify(flags.path)}`)
  checkShellCommand(flags.exec, '--exec', problems)
  if (flags.exec !== undefined && forwardTo !== undefined)
    problems.add('--exec and --forward-to cannot be used together', 'run two listeners, each with its own journal')
  const required = (flags['require-header'] ?? []).flatMap((text) => readHeaderReference(text, problems))
  return {
    exec: flags.exec ?? null,
    journal: flags.journal,
    inbox: to === undefined ? null : (readInboxPlace(to, '--to', env, problems, 'use --journal for a file') ?? null),
    port: problems.wholeNumber('--port', flags.port, 0, 65_535) ?? null,
    count: problems.wholeNumber('--count', flags.count, 1, Number.MAX_SAFE_INTEGER) ?? null,
    maxBodyBytes:
      (size === undefined ? undefined : problems.check(() => parseSize(size, '--max-body', 1, MAX_BODY_BYTES))) ??
      DEFAULT_BODY_BYTES,
    duplicateWindowMs:
      readDuration('--duplicate-window', flags['duplicate-window'], WINDOW, problems) ?? DEFAULT_WINDOW_MS,
    keepMs: readDuration('--keep', flags.keep, KEEP, problems) ?? null,
    quietMs: readDuration('--quiet-after', flags['quiet-after'], QUIET, problems) ?? null,
    required,
    keptHeaders: readKeptHeaders(flags['keep-header'] ?? [], required, problems),
    allowedOrigins: (flags['allow-origin'] ?? []).map((text) => readOrigin(text, problems)),
    target: forwardTo === undefined ? null : (parseReceiverUrl(forwardTo, '--forward-to', problems) ?? null),
  }
}

/** Checks the header names that `--keep-header` lists and returns them in lower case. */
export function readKeptHeaders(names: readonly string[], required: readonly HeaderReference[], problems: Problems) {
  const kept = names.map((name) => name.toLowerCase())
  for (const name of kept)
    if (!HEADER_NAME.test(name)) problems.add(`--keep-header must be the name of a header, not ${JSON.stringify(name)}`)
  for (const { name } of required)
    if (kept.includes(name.toLowerCase()))
      problems.add(`--keep-header ${name}: the value of a required header is never stored`, 'omit one of the two flags')
  return kept
}

/** Normalizes an origin to the form that browsers send. */
function readOrigin(text: string, problems: Problems): string {
  const url = URL.parse(text)
  if (url === null || url.origin === 'null' || url.href !== `${url.origin}/`)
    problems.add(`--allow-origin must be an origin such as https://app.example, not ${JSON.stringify(text)}`)
  return url?.origin ?? ''
}

function readHeaderReference(text: string, problems: Problems): HeaderReference[] {
  const [, name = '', reference = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const source = HEADER_NAME.test(name) ? secretReference(reference) : null
  if (source !== null) return [{ name, source }]
  problems.add(
    `--require-header must be NAME=env:VARIABLE or NAME=file:PATH, not the secret itself`,
    'keep secrets out of the command line, because the shell history and the process list would show them',
  )
  return []
}
