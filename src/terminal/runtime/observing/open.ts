import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import type { CommandClass, Host } from '../host.ts'
import { Observer } from './observer.ts'
import { readTraceTarget } from './otlp.ts'
import { checkPingUrl, findPing, type GivenPing, hidePing, PROFILE_PLACEHOLDER, readPing } from './ping-url.ts'
import { Pings, urlChooser } from './pings.ts'
import { parseTraceparent } from './trace-context.ts'
import { Tracer } from './tracer.ts'

/** Flags that make a command only show what it would do. Such runs are not reported. */
const ONLY_SHOWS = ['--dry-run', '--list']

/**
 * Opens the observer of a command line. `words` are the words before `--` and may be invalid. `Named` is the command's
 * class, or `null` if the command is unknown. Throws USAGE if the ping URL cannot be used.
 */
export async function openObserver(
  host: Host,
  words: readonly string[],
  Named: CommandClass | null,
): Promise<Observer> {
  const { version, env, now } = host
  const pings = await openPings(host, words, Named)
  const target = readTraceTarget(env)
  const tellsService = words.includes('--trace-service')
  const context = parseTraceparent(env['TRACEPARENT'] ?? '')
  const parts = { command: Named?.id ?? 'partner', context, target, tellsService, version, env, now }
  const tracer = target !== null || tellsService ? new Tracer(parts) : null
  return new Observer(pings, tracer)
}

async function openPings(host: Host, words: readonly string[], Named: CommandClass | null): Promise<Pings | null> {
  const given = findPing(words, host.env)
  if (given === null) return null
  hidePing(given.text, host.stderr)
  // Ignore the variable if the command does not ping, because it may be set for all commands. But `--ping` on such a
  // command is a mistake in the job, so report it to the monitor.
  const isWanted = given.from === '--ping' || (Named !== null && 'ping' in { ...Named.baseFlags, ...Named.flags })
  if (!isWanted || ONLY_SHOWS.some((flag) => words.includes(flag))) return null
  const read = await readOrWarn(given, host)
  if (read === null) return null
  const url = checkPingUrl(read)
  const hasPlaceholder = read.text.includes(PROFILE_PLACEHOLDER)
  if (hasPlaceholder && !words.some((word) => /^--profiles(?:=|$)/.test(word)))
    throw usageFailure(
      [`${read.from} contains ${PROFILE_PLACEHOLDER}, which works only with --profiles`],
      'name the profile instead',
    )
  return new Pings({ env: host.env, version: host.version, stderr: host.stderr, urlFor: urlChooser(url) })
}

/**
 * Reads the URL. If it is a reference that cannot be read, warns and returns `null`, because an unavailable secret
 * store must not stop a run. The monitor notices the missing ping.
 */
async function readOrWarn(given: GivenPing, host: Host): Promise<GivenPing | null> {
  try {
    return await readPing(given, host)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await host.stderr.writeEvenIfQuiet(`warning: no pings will be sent for this run: ${error.message}\n`)
    return null
  }
}
