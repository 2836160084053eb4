import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import type { HarFile } from '../../../client/har-file.ts'
import { chooseProfiles } from '../../../client/profiles/names.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import type { CommonFlags } from '../../input/command-line.ts'
import { Problems } from '../../input/problems.ts'
import { Merged } from '../../output/many/merged.ts'
import type { Host } from '../host.ts'
import { type ManyRun, runEach, type VenueEnd } from './run-each.ts'
import { Telling } from './telling.ts'
import { lendLater, Turns } from './turns.ts'

const USUAL_JOBS = 4
const MOST_JOBS = 100

/**
 * Runs a command once for each of several profiles, in this process, and makes one output of what the runs show. What goes wrong in
 * one of them is told, and holds up no other.
 * Fails: USAGE when the command line cannot be right for any of them, and NO_PROFILE for a profile that there is not, both before any
 * request; PARTIAL_FAILURE when a run failed; INTERRUPTED.
 */
export async function runMany({ Named, argv, host, flags }: ManyRun): Promise<void> {
  const jobs = checkFlags(Named, flags)
  const stored = readProfiles(profilesPath(host.env))
  const profiles = chooseProfiles(flags.profiles ?? '', stored)
  for (const warning of stored.warnings) await host.stderr.write(`warning: ${warning}\n`)
  const recorder = await recorderOf(Named, flags, host)
  const stop = new AbortController()
  const signal = AbortSignal.any([host.signal, stop.signal])
  const merged = new Merged(host, profiles, (error) => stop.abort(error))
  const isJson = flags.json === true || flags.output === 'json' || flags.output === 'ndjson'
  const command = Named.id ?? ''
  const telling = new Telling({ host, count: profiles.length, command, isJson })
  const turns = new Turns(jobs, Named.takesTurns ? lendLater : null)
  const isVerbose = flags.verbose === true
  const each = { Named, argv, host, signal, merged, telling, turns, recorder, isVerbose }
  const ends = await runEach(profiles, each).finally(async () => {
    const trouble = recorder?.close() ?? null
    if (trouble !== null) await host.stderr.write(`warning: ${trouble}\n`)
  })
  const failed = ends.filter(({ exitCode }) => exitCode !== 0)
  if (failed.length > 0 && host.signal.aborted) {
    await merged.abort(host.signal.reason)
    throw stopped(host, ends, Named.takesTurns)
  }
  await merged.finish()
  await telling.sayTotal()
  if (failed.length > 0) throw partialFailure(failed, profiles.length)
}

/** Fails: USAGE for flags that are not for many venues. Returns how many run at the same time. */
function checkFlags({ baseFlags, flags: own }: ManyRun['Named'], flags: CommonFlags): number {
  if (flags.profiles === undefined)
    throw usageFailure(['--jobs needs --profiles'], 'add --profiles all, or leave it out')
  const problems = new Problems()
  const jobs = problems.wholeNumber('--jobs', flags.jobs, 1, MOST_JOBS) ?? USUAL_JOBS
  if (flags.profile !== undefined)
    problems.add('--profile and --profiles cannot be given together', 'leave one of them out')
  if (flags['base-url'] !== undefined)
    problems.add('--base-url cannot be given with --profiles: each profile has its own', 'leave one of them out')
  if (own !== undefined && 'har' in own && 'har' in baseFlags && flags.har !== undefined)
    problems.add(
      '--har reads the traffic of one service: it cannot be given with --profiles',
      'name one with --profile',
    )
  if (flags.data === '-')
    problems.add('--data - can be read once: it cannot be given with --profiles', 'save it, and give --data @FILE')
  problems.throwIfAny()
  return jobs
}

/** The one file that takes the traffic of all venues; null when none is asked for. Fails: USAGE when it cannot be written. */
async function recorderOf({ baseFlags }: ManyRun['Named'], { har }: CommonFlags, host: Host): Promise<HarFile | null> {
  if (typeof har !== 'string' || !('har' in baseFlags)) return null
  const { openHarFile } = await import('../../../client/har-file.ts')
  return openHarFile(har, host.version, () => host.stderr.hidden)
}

const NAMED = 5

function partialFailure(failed: readonly VenueEnd[], count: number): Failure {
  const named = failed.slice(0, NAMED).map(({ profile, exitCode }) => `${profile} (exit ${exitCode})`)
  const more = failed.length > NAMED ? [`${failed.length - NAMED} more`] : []
  const profiles = failed.map(({ profile }) => profile).join(',')
  return new Failure(
    'PARTIAL_FAILURE',
    `${failed.length} of ${count} profiles failed: ${[...named, ...more].join(', ')}`,
    {
      hint: `once that is mended, run it again with --profiles ${profiles}`,
      guide: 'many-venues',
      details: { profiles: count, failed: failed.map(({ profile, exitCode, code }) => ({ profile, exitCode, code })) },
    },
  )
}

function stopped({ signal }: Host, ends: readonly VenueEnd[], isEndless: boolean): Failure {
  const { message } = signal.reason as Error
  const done = ends.filter(({ exitCode }) => exitCode === 0).length
  return new Failure('INTERRUPTED', isEndless ? message : `${message}; ${done} of ${ends.length} profiles were done`)
}
