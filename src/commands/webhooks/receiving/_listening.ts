import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { flag, repeated, requiredFlag } from '../../../cli/input/flags.ts'
import type { Problems } from '../../../cli/input/problems.ts'
import { parseReceiverUrl } from '../../../cli/input/values/receiver-url.ts'
import { parseSize } from '../../../cli/input/values/size.ts'
import { environmentOfChild } from '../../../cli/runtime/child/child-environment.ts'
import type { Host } from '../../../cli/runtime/host.ts'
import type { RunParts } from '../../../cli/runtime/run.ts'
import { type Act, forwardTo, runFor, takeAll } from '../../../listener/act.ts'
import { HandlerCommands } from '../../../listener/handler-commands.ts'
import { type InboxPlace, isDatabase, parseInboxPlace } from '../../../listener/inbox/open-inbox.ts'
import { type Keeper, openJournalKeeper } from '../../../listener/keeper.ts'
import type { RequiredHeader } from '../../../listener/receiver.ts'
import { openTarget } from '../../../listener/target.ts'
import type { SecretSource } from '../../../profiles/profile.ts'
import { readSecret } from '../../../profiles/secret-reading.ts'
import { parseSecretReference } from '../../../profiles/secrets.ts'
import { dataDirectory } from '../../../storage/directories.ts'
import { type DurationLimits, parseDuration } from '../../../time/duration.ts'
import { counted } from '../../../views/wording.ts'

const KIB = 1024
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const USUAL_BODY_BYTES = KIB ** 2
const MOST_BODY_BYTES = 16 * KIB ** 2
const USUAL_WINDOW_MS = 10 * MINUTE_MS
const WINDOW: DurationLimits = { minMs: 0, maxMs: 31 * DAY_MS }
const QUIET: DurationLimits = { minMs: 1000, maxMs: DAY_MS }

/** Where deliveries are received, and what is done with them. */
export const LISTEN_FLAGS = {
  port: flag('N', 'Port to listen on (default: a free one).'),
  host: flag('ADDRESS', 'Address to listen on (default: 127.0.0.1).'),
  path: flag('PATH', 'The one path that takes deliveries, such as /hooks (default: every path).'),
  journal: flag('FILE', 'Where deliveries are kept (default: deliveries.ndjson in the data directory).'),
  to: flag('URL', 'Keep deliveries in this PostgreSQL database, postgres://USER@HOST/DATABASE, in place of a file.'),
  'require-header': repeated({
    helpValue: 'NAME=REF',
    summary: 'A header that each delivery must carry, its value as env:VAR or file:PATH; else 401. May be repeated.',
  }),
  'max-body': flag('SIZE', 'The largest body, such as 64k; else 413 (default: 1m).'),
  count: flag('N', 'End after N deliveries.'),
  'duplicate-window': flag('DUR', 'How long the same event counts as a duplicate (default: 10m).'),
  'quiet-after': flag('DUR', 'Say so on stderr when nothing came for DUR.'),
  exec: flag('CMD', 'Run a shell command for each delivery, with its body on standard input.'),
  'forward-to': flag('URL', 'Pass each delivery on, byte for byte, and give back the answer.'),
} as const

/** Where an inbox is, on the commands that take from it. */
export const INBOX_FLAG = requiredFlag('URL', 'The inbox, postgres://USER@HOST/DATABASE.')

/** Reads where an inbox is; what is wrong is noted in `problems`. */
export function readInboxPlace(
  url: string,
  flagName: string,
  env: Host['env'],
  problems: Problems,
  instead?: string,
): InboxPlace | undefined {
  if (isDatabase(url)) return problems.check(() => parseInboxPlace(url, env, flagName))
  problems.add(`${flagName} must be postgres://USER@HOST/DATABASE`, instead)
  return undefined
}

/** The values of the flags. */
export interface ListenFlags {
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly path?: string | undefined
  readonly journal?: string | undefined
  readonly to?: string | undefined
  readonly 'require-header'?: readonly string[] | undefined
  readonly 'max-body'?: string | undefined
  readonly count?: string | undefined
  readonly 'duplicate-window'?: string | undefined
  readonly 'quiet-after'?: string | undefined
  readonly exec?: string | undefined
  readonly 'forward-to'?: string | undefined
}

/** A header that is required, and where its value is kept. */
interface HeaderReference {
  readonly name: string
  readonly source: SecretSource
}

/** What the flags of `listen` ask for. */
type ListenWanted = ReturnType<typeof readListenFlags>

/** Reads the flags; what is wrong with them is noted in `problems`. */
export function readListenFlags(flags: ListenFlags, env: Host['env'], problems: Problems) {
  const duration = (name: string, text: string | undefined, limits: DurationLimits) =>
    text === undefined ? undefined : problems.check(() => parseDuration(text, name, limits))
  const { 'max-body': size, 'forward-to': forwardTo, to } = flags
  if (flags.journal !== undefined && to !== undefined) problems.add('--journal and --to cannot be given together')
  if (flags.host !== undefined && !/^[\w.:-]+$/.test(flags.host))
    problems.add(`--host must be an address such as 0.0.0.0, not ${JSON.stringify(flags.host)}`)
  if (flags.path !== undefined && !/^\/[^\s?#]*$/.test(flags.path))
    problems.add(`--path must begin with a slash, such as /hooks, not ${JSON.stringify(flags.path)}`)
  if (flags.exec?.trim() === '') problems.add('--exec must not be empty')
  if (flags.exec !== undefined && forwardTo !== undefined)
    problems.add('--exec and --forward-to cannot be given together', 'listen twice, each with a journal of its own')
  return {
    exec: flags.exec ?? null,
    journal: flags.journal,
    inbox:
      to === undefined ? null : (readInboxPlace(to, '--to', env, problems, 'for a file there is --journal') ?? null),
    port: problems.wholeNumber('--port', flags.port, 0, 65_535) ?? 0,
    count: problems.wholeNumber('--count', flags.count, 1, Number.MAX_SAFE_INTEGER) ?? null,
    maxBodyBytes:
      (size === undefined ? undefined : problems.check(() => parseSize(size, '--max-body', 1, MOST_BODY_BYTES))) ??
      USUAL_BODY_BYTES,
    duplicateWindowMs: duration('--duplicate-window', flags['duplicate-window'], WINDOW) ?? USUAL_WINDOW_MS,
    quietMs: duration('--quiet-after', flags['quiet-after'], QUIET) ?? null,
    required: (flags['require-header'] ?? []).flatMap((text) => readHeaderReference(text, problems)),
    target: forwardTo === undefined ? null : (parseReceiverUrl(forwardTo, '--forward-to', problems) ?? null),
  }
}

function readHeaderReference(text: string, problems: Problems): HeaderReference[] {
  const [, name, reference] = /^([!#$%&'*+.^`|~\w-]+)=(.*)$/s.exec(text) ?? []
  const source = name === undefined ? undefined : referenceOf(reference ?? '', `--require-header ${name}`)
  if (name !== undefined && source !== undefined) return [{ name, source }]
  problems.add(
    `--require-header must be NAME=env:VARIABLE or NAME=file:PATH, not the secret itself`,
    'keep secrets out of the command line: the shell history and the process list would show them',
  )
  return []
}

function referenceOf(text: string, flag: string): SecretSource | undefined {
  try {
    return parseSecretReference(text, flag)
  } catch {
    return undefined
  }
}

/** The headers with their values. Fails: NO_PROFILE for one that cannot be read. */
export async function readRequiredHeaders(
  references: readonly HeaderReference[],
  { env, signal, stderr }: Host,
  warn: (line: string) => void,
): Promise<RequiredHeader[]> {
  const headers: RequiredHeader[] = []
  for (const { name, source } of references) {
    const value = await readSecret(source, env, 'security key', { warn, signal })
    stderr.hide(value)
    headers.push({ name, value })
  }
  return headers
}

/** The path of the journal: the one that was named, or the usual one, whose directory is made. */
export function journalPath(given: string | undefined, env: Host['env']): string {
  if (given !== undefined) return given
  const directory = dataDirectory(env)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return join(directory, 'deliveries.ndjson')
}

/** Opens where deliveries are kept. Fails: as `openJournalKeeper` and `openInboxKeeper`. */
export async function openKeeper(
  { inbox, journal, duplicateWindowMs }: Pick<ListenWanted, 'inbox' | 'journal' | 'duplicateWindowMs'>,
  { host, warn }: Pick<RunParts, 'host' | 'warn'>,
): Promise<Keeper> {
  if (inbox === null) return openJournalKeeper(journalPath(journal, host.env), duplicateWindowMs)
  const { openInboxKeeper } = await import('../../../listener/inbox/inbox-keeper.ts')
  return openInboxKeeper(inbox, { duplicateWindowMs, signal: host.signal, tell: (line) => void warn(line) })
}

/** What is done with each delivery, and how to end that once no more come. Fails: USAGE. */
export async function openAct(
  { target, exec, required }: Pick<ListenWanted, 'target' | 'exec' | 'required'>,
  host: Host,
  tell: (line: string) => void,
): Promise<{ readonly act: Act; readonly finish: () => Promise<void> }> {
  if (target !== null) {
    const opened = await openTarget(target, host.env)
    return { act: forwardTo(opened, tell), finish: opened.close }
  }
  if (exec === null) return { act: takeAll, finish: async () => undefined }
  const named = required.flatMap(({ source }) => ('env' in source ? [source.env] : []))
  const commands = new HandlerCommands(exec, await environmentOfChild(host, named))
  const finish = async () => {
    if (commands.underWay > 0) tell(`waiting for ${counted(commands.underWay, 'command', 'commands')} to end`)
    await commands.ended()
  }
  return { act: runFor(commands, tell), finish }
}
