import type { FailureCode } from '../../../base/failure/exit-codes.ts'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import type { HarFile } from '../../../client/har-file.ts'
import { chooseProfiles } from '../../../client/profiles/names.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import type { CommonFlags } from '../../input/command-line.ts'
import { Problems } from '../../input/problems.ts'
import { Merged } from '../../output/many/merged.ts'
import type { PrintOptions } from '../../output/many/venue.ts'
import { toFailure } from '../error-report.ts'
import type { CommandClass, Host } from '../host.ts'
import { configFor } from '../oclif-config.ts'
import { releaseAfterDelay, Turns } from './turns.ts'
import { hostFor } from './venue-host.ts'
import { VenueReports } from './venue-reports.ts'

interface ManyRun {
  readonly Named: CommandClass
  readonly argv: readonly string[]
  readonly host: Host
  readonly flags: CommonFlags
}

const DEFAULT_JOBS = 4
const MAX_JOBS = 100

/**
 * Runs a command for each of several profiles in this process and merges the output. Reports the failure of a profile
 * without delaying the others. Throws PARTIAL_FAILURE or INTERRUPTED. Also throws USAGE or NO_PROFILE, but only if
 * no request was sent.
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
  const reports = new VenueReports({ host, count: profiles.length, command, isJson })
  const turns = new Turns(jobs, Named.takesTurns ? releaseAfterDelay : null)
  const isVerbose = flags.verbose === true
  const each = { Named, argv, host, signal, merged, reports, turns, recorder, isVerbose }
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
  await reports.printTotal()
  if (failed.length > 0) throw partialFailure(failed, profiles.length)
}

/** Returns the maximum number of concurrent runs. Throws USAGE if a flag cannot be used with several venues. */
function checkFlags({ baseFlags, flags: own }: ManyRun['Named'], flags: CommonFlags): number {
  if (flags.profiles === undefined)
    throw usageFailure(['--jobs needs --profiles'], 'add --profiles all, or remove --jobs')
  const problems = new Problems()
  const jobs = problems.wholeNumber('--jobs', flags.jobs, 1, MAX_JOBS) ?? DEFAULT_JOBS
  if (flags.profile !== undefined)
    problems.add('--profile and --profiles cannot be used together', 'remove one of them')
  if (flags['base-url'] !== undefined)
    problems.add(
      '--base-url cannot be used with --profiles, because each profile has its own base URL',
      'remove one of them',
    )
  if (own !== undefined && 'har' in own && 'har' in baseFlags && flags.har !== undefined)
    problems.add(
      'a HAR file contains the traffic of one service, so --har cannot be used with --profiles',
      'choose one venue with --profile',
    )
  if (flags.data === '-')
    problems.add(
      'standard input can be read only once, so --data - cannot be used with --profiles',
      'save the input to a file and use --data @FILE',
    )
  problems.throwIfAny()
  return jobs
}

/**
 * Opens the file that records the traffic of all venues. Returns `null` without `--har`. Throws USAGE if the file is
 * not writable.
 */
async function recorderOf({ baseFlags }: ManyRun['Named'], { har }: CommonFlags, host: Host): Promise<HarFile | null> {
  if (typeof har !== 'string' || !('har' in baseFlags)) return null
  const { openHarFile } = await import('../../../client/har-file.ts')
  return openHarFile(har, host.version, () => host.stderr.hidden)
}

const MAX_NAMED = 5

function partialFailure(failed: readonly VenueEnd[], count: number): Failure {
  const named = failed.slice(0, MAX_NAMED).map(({ profile, exitCode }) => `${profile} (exit ${exitCode})`)
  const more = failed.length > MAX_NAMED ? [`${failed.length - MAX_NAMED} more`] : []
  const profiles = failed.map(({ profile }) => profile).join(',')
  const words = `${failed.length} of ${count} profiles failed: ${[...named, ...more].join(', ')}`
  return new Failure('PARTIAL_FAILURE', words, {
    hint: `fix the cause, then run the command again with --profiles ${profiles}`,
    guide: 'many-venues',
    details: { profiles: count, failed },
  })
}

function stopped({ signal }: Host, ends: readonly VenueEnd[], isEndless: boolean): Failure {
  const { message } = signal.reason as Error
  const done = ends.filter(({ exitCode }) => exitCode === 0).length
  return new Failure('INTERRUPTED', isEndless ? message : `${message}; ${done} of ${ends.length} profiles had finished`)
}

/** Delays usage errors until a run has a different result. If all venues have the same usage error, reports it once. */
class DeferredFailures {
  readonly #held: { readonly failure: Failure; readonly report: () => Promise<void> }[] = []
  #isOpen = false

  releaseAll(): void {
    this.#isOpen = true
    for (const { report } of this.#held.splice(0)) void report()
  }

  /** Reports a failure, either immediately or as soon as it is clear that not all venues fail in the same way. */
  async add(failure: Failure, report: () => Promise<void>): Promise<void> {
    if (failure.code !== 'USAGE') this.releaseAll()
    if (this.#isOpen) await report()
    else this.#held.push({ failure, report })
  }

  /**
   * Reports the remaining failures after all `count` runs. If all runs ended with the same usage error, throws that
   * error instead.
   */
  async settle(count: number): Promise<void> {
    const failures = this.#held.map(({ failure }) => failure)
    const [first] = failures
    if (first && failures.length === count && failures.every(({ message }) => message === first.message)) throw first
    this.#isOpen = true
    for (const { report } of this.#held.splice(0)) await report()
  }
}

interface EachRun extends Pick<ManyRun, 'Named' | 'argv' | 'host'> {
  readonly signal: AbortSignal
  readonly merged: Merged
  readonly reports: VenueReports
  readonly turns: Turns
  readonly recorder: HarFile | null
  readonly isVerbose: boolean
}

/** The result of one run. `code` is `null` if the run did not fail. */
type VenueEnd = { readonly profile: string; readonly exitCode: number; readonly code: FailureCode | null }

/** Runs the command for each profile. Throws USAGE if all runs end with the same usage error. */
async function runEach(profiles: readonly string[], each: EachRun): Promise<readonly VenueEnd[]> {
  const deferred = new DeferredFailures()
  const inTurn = (work: () => Promise<VenueEnd>) => (each.Named.takesTurns ? work() : each.turns.run(work, each.signal))
  const ends = await Promise.all(
    profiles.map((profile) =>
      inTurn(() => runOne(profile, each, deferred))
        // Catch the error that is thrown if a run is stopped while it waits for its turn.
        .catch((error) => endOf(profile, toFailure(error, false)))
        .finally(() => each.merged.end(profile)),
    ),
  )
  await deferred.settle(profiles.length)
  return ends
}

async function runOne(profile: string, each: EachRun, deferred: DeferredFailures): Promise<VenueEnd> {
  const { Named, argv, host, signal, merged, reports, turns, recorder, isVerbose } = each
  const venue = {
    profile,
    beginRequest: () => deferred.releaseAll(),
    addUp: (what: string, counts: Readonly<Record<string, number>>) => reports.addUp(what, counts),
    inTurn: <T>(work: () => Promise<T>) => turns.run(work, signal),
    // Do not close the file here, because the venues share it.
    recorder: recorder && { add: recorder.add, close: () => null },
  }
  const venueHost = hostFor(host, venue, signal, (text) => merged.addText(profile, text))
  const observer = host.observer?.forVenue(profile, venueHost.stderr)
  const here = {
    ...venueHost,
    ...(observer && { observer }),
    printer: (options: PrintOptions) => merged.printerFor(profile, options),
  }
  const command = new Named([...argv], configFor(here))
  reports.begin(profile)
  try {
    const exitCode = (await command._run()) ?? 0
    await here.stdout.flush()
    deferred.releaseAll()
    reports.ended(profile)
    observer?.end(exitCode)
    return { profile, exitCode, code: null }
  } catch (error) {
    const failure = toFailure(error, isVerbose)
    observer?.end(failure.exitCode, `error: ${failure.message}\n`)
    if (signal.aborted) reports.ended(profile)
    else await deferred.add(failure, () => reports.failed(profile, failure))
    return endOf(profile, failure)
  } finally {
    // Ignore errors while closing, because the result is already known.
    await command.close().catch(() => {})
  }
}

function endOf(profile: string, { exitCode, code }: Failure): VenueEnd {
  return { profile, exitCode, code }
}
