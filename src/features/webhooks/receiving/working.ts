import type { Interfaces } from '@oclif/core'
import { formatCommand } from '../../../base/failure/suggested.ts'
import type { DurationLimits } from '../../../base/time/duration.ts'
import { HOUR_MS } from '../../../base/time/units.ts'
import { flag, toggle } from '../../../terminal/input/flags.ts'
import type { Problems } from '../../../terminal/input/problems.ts'
import { parseTargetUrl } from '../../../terminal/input/values/receiver-url.ts'
import { checkShellCommand } from '../../../terminal/input/values/shell-command.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import { openHandlerCommands } from '../../../webhooks/handling/handler-commands.ts'
import {
  type ForwardOptions,
  type Handle,
  handleByCommand,
  handleByForwarding,
} from '../../../webhooks/inbox/handle.ts'
import type { HandledEvent } from '../../../webhooks/inbox/worker.ts'
import { openTarget } from '../../../webhooks/listener/target.ts'
import { CREDENTIAL_FLAGS, checkCredentials } from '../sending/input.ts'
import { surroundings } from './commands.ts'
import { INBOX_FLAG, KEEP, KEEP_HEADER_FLAG, readDuration, readInboxPlace, readKeptHeaders } from './flags.ts'

const DEFAULT_LEASE_MS = 30_000
const DEFAULT_LIMIT_MS = 30_000
const LEASE: DurationLimits = { minMs: 2000, maxMs: HOUR_MS }
const LIMIT: DurationLimits = { minMs: 1, maxMs: HOUR_MS }
const MAX_CONCURRENCY = 64

export const WORK_FLAGS = {
  from: INBOX_FLAG,
  exec: flag('CMD', 'Run a shell command for each event, with its body on standard input.'),
  'forward-to': flag('URL', 'Forward each event to URL, byte for byte.'),
  'keep-header': KEEP_HEADER_FLAG,
  lease: flag('DUR', 'How long a worker can keep an event without renewing its lease (default: 30s).'),
  concurrency: flag('N', 'How many events to handle at the same time, 1 to 64 (default: 1).'),
  count: flag('N', 'End after N events.'),
  'until-empty': toggle('End when nothing is due.'),
  keep: flag('DUR', 'Delete completed events from the inbox after DUR, such as 90d (default: never).'),
  timeout: flag('DUR', 'With --forward-to: how long to wait for each response (default: 30s).'),
  ...CREDENTIAL_FLAGS,
} as const

/** Parses the flags of `webhooks work`. Adds a problem for each mistake. */
export function readWorkFlags(
  flags: Omit<Interfaces.InferredFlags<typeof WORK_FLAGS>, 'json'>,
  { env, canAsk }: Pick<Host, 'env' | 'canAsk'>,
  problems: Problems,
) {
  const { exec, 'forward-to': forwardTo, timeout } = flags
  checkShellCommand(exec, '--exec', problems)
  if (exec !== undefined && forwardTo !== undefined)
    problems.add('--exec and --forward-to cannot be used together', 'let the command do both')
  if (exec === undefined && forwardTo === undefined)
    problems.add('--exec CMD or --forward-to URL is required: it defines how each event is handled')
  const references = [flags['security-key'], flags['security-token']].filter((text) => text !== undefined)
  if (forwardTo === undefined && references.length > 0)
    problems.add('--security-key and --security-token need --forward-to')
  if (forwardTo === undefined && timeout !== undefined)
    problems.add(
      '--timeout needs --forward-to',
      'a command can run for any length of time, because its lease is renewed',
    )
  const keptHeaders = readKeptHeaders(flags['keep-header'] ?? [], [], problems)
  if (forwardTo === undefined && keptHeaders.length > 0) problems.add('--keep-header needs --forward-to')
  checkCredentials(flags, canAsk, problems)
  return {
    place: readInboxPlace(flags.from, '--from', env, problems),
    exec: exec ?? null,
    target:
      forwardTo === undefined
        ? null
        : (parseTargetUrl(forwardTo, '--forward-to', references.length > 0, problems) ?? null),
    keptHeaders,
    leaseMs: readDuration('--lease', flags.lease, LEASE, problems) ?? DEFAULT_LEASE_MS,
    limitMs: readDuration('--timeout', timeout, LIMIT, problems) ?? DEFAULT_LIMIT_MS,
    concurrency: problems.wholeNumber('--concurrency', flags.concurrency, 1, MAX_CONCURRENCY) ?? 1,
    count: problems.wholeNumber('--count', flags.count, 1, Number.MAX_SAFE_INTEGER) ?? null,
    untilEmpty: flags['until-empty'] === true,
    keepMs: readDuration('--keep', flags.keep, KEEP, problems) ?? null,
  }
}

/**
 * Returns a function that handles events and a function that closes the handler. Throws USAGE if a proxy variable is
 * invalid.
 */
export async function openHandle(
  { exec, target, keptHeaders, leaseMs, limitMs, concurrency }: ReturnType<typeof readWorkFlags>,
  { headers, mark }: Pick<ForwardOptions, 'headers' | 'mark'>,
  host: Host,
): Promise<{ readonly handle: Handle; readonly close: () => Promise<void> }> {
  if (target !== null) {
    const opened = await openTarget(target, host.env)
    return { handle: handleByForwarding(opened, { headers, mark, keptHeaders, limitMs }), close: opened.close }
  }
  // If its lease is not renewed, a command is told to stop after three quarters of the lease. The grace period that
  // follows must end before the lease expires.
  const options = { concurrency, graceMs: leaseMs / 10, killOnExit: true }
  const commands = openHandlerCommands(exec ?? '', await surroundings(host), options)
  return { handle: handleByCommand(commands), close: () => commands.ended() }
}

/** Describes a problem with an event, to be printed immediately. Returns `null` if the event caused no problem. */
export function describeProblem({ leased, outcome, words, isDone, nextMs }: HandledEvent): string | null {
  const { id, attempt, read } = leased
  const name = `${[read.event ?? 'an event without a name', read.subject].filter((word) => word !== null).join(' ')} (${id})`
  if (outcome === 'lost')
    return `${name}: ${words}; it was not marked${isDone ? ' as done, although it was handled' : ', and its handler was stopped'}`
  const failed = `${name} failed: ${words}`
  if (outcome === 'dead')
    return `${failed}; marked dead after ${attempt} attempts: ${formatCommand`webhooks inbox --retry ${id}`}`
  if (outcome !== 'retry') return null
  return `${failed}; attempt ${attempt + 1} at ${new Date(nextMs ?? 0).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`
}

export function workedLine({ leased, outcome, words, isDone, ms, nextMs }: HandledEvent): string {
  const { id, attempt, times, read, timeMs } = leased
  const instant = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString())
  return JSON.stringify({
    ...{ id: Number(id), event: read.event, subject: read.subject, locationId: read.locationId },
    ...{ receivedAt: instant(timeMs), times, attempt, outcome, ms },
    error: isDone && outcome !== 'lost' ? null : words,
    nextAt: outcome === 'retry' ? instant(nextMs) : null,
  })
}
