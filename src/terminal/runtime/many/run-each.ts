import type { FailureCode } from '../../../base/failure/exit-codes.ts'
import type { Failure } from '../../../base/failure/failure.ts'
import type { HarFile } from '../../../client/har-file.ts'
import type { CommonFlags } from '../../input/command-line.ts'
import type { Merged } from '../../output/many/merged.ts'
import { toFailure } from '../error-report.ts'
import type { CommandClass, Host } from '../host.ts'
import { configFor } from '../oclif-config.ts'
import type { Telling } from './telling.ts'
import type { Turns } from './turns.ts'
import { hostFor } from './venue-host.ts'

/** A command line that is to run for many venues. */
export interface ManyRun {
  readonly Named: CommandClass
  readonly argv: readonly string[]
  readonly host: Host
  readonly flags: CommonFlags
}

/** Holds usage errors back until the command line is right for some venue: a mistake for all of them is told once. */
class Announced {
  readonly #count: number
  #held: { readonly failure: Failure; readonly tell: () => Promise<void> }[] = []
  #isOpen = false

  /** @param count the number of venues. */
  constructor(count: number) {
    this.#count = count
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    for (const { tell } of this.#held.splice(0)) void tell()
  }

  /** Tells of a failure, now or once it is known whose it is. */
  async tell(failure: Failure, tell: () => Promise<void>): Promise<void> {
    if (failure.code !== 'USAGE') this.open()
    if (this.#isOpen) await tell()
    else this.#held.push({ failure, tell })
  }

  /** All runs are over. Fails: USAGE when all of them ended with the same mistake. */
  async settle(): Promise<void> {
    const [first] = this.#held
    const isOfAll = this.#held.length === this.#count
    if (first && isOfAll && this.#held.every(({ failure }) => failure.message === first.failure.message))
      throw first.failure
    this.#isOpen = true
    for (const { tell } of this.#held.splice(0)) await tell()
  }
}

/** What the runs of all venues share. */
interface EachRun extends Pick<ManyRun, 'Named' | 'argv' | 'host'> {
  readonly signal: AbortSignal
  readonly merged: Merged
  readonly telling: Telling
  readonly turns: Turns
  readonly recorder: HarFile | null
  readonly isVerbose: boolean
}

/** How the run of a venue ended. */
export interface VenueEnd {
  readonly profile: string
  readonly exitCode: number
  /** Null when it ended well, or with an exit code of its own. */
  readonly code: FailureCode | null
}

/** Runs the command for each profile. Fails: USAGE when each run ended with the same usage error, which is then told once. */
export async function runEach(profiles: readonly string[], each: EachRun): Promise<readonly VenueEnd[]> {
  const announced = new Announced(profiles.length)
  const inTurn = (work: () => Promise<VenueEnd>) =>
    each.Named.takesTurns ? work() : each.turns.take(work, each.signal)
  const ends = await Promise.all(
    profiles.map((profile) =>
      inTurn(() => runOne(profile, each, announced))
        // Its turn never came.
        .catch((error): VenueEnd => ({ profile, ...endOf(toFailure(error, false)) }))
        .finally(() => each.merged.end(profile)),
    ),
  )
  await announced.settle()
  return ends
}

async function runOne(profile: string, each: EachRun, announced: Announced): Promise<VenueEnd> {
  const { Named, argv, host, signal, merged, telling, turns, recorder, isVerbose } = each
  const venue = {
    profile,
    printer: (options: Parameters<Merged['printerFor']>[1]) => merged.printerFor(profile, options),
    beginRequest: () => announced.open(),
    addUp: (what: string, counts: Readonly<Record<string, number>>) => telling.addUp(what, counts),
    inTurn: <T>(work: () => Promise<T>) => turns.take(work, signal),
    // The file is closed once all are done.
    recorder: recorder && { add: recorder.add, close: () => null },
  }
  const here = hostFor(host, venue, signal, (text) => merged.addText(profile, text))
  const command = new Named([...argv], configFor(here))
  telling.begin(profile)
  try {
    const exitCode = (await command._run()) ?? 0
    await here.stdout.flush()
    announced.open()
    telling.ended(profile)
    return { profile, exitCode, code: null }
  } catch (error) {
    const failure = toFailure(error, isVerbose)
    if (signal.aborted) telling.ended(profile)
    else await announced.tell(failure, () => telling.failed(profile, failure))
    return { profile, ...endOf(failure) }
  } finally {
    // A failure to close does not change the result.
    await command.close().catch(() => {})
  }
}

function endOf({ exitCode, code }: Failure): Omit<VenueEnd, 'profile'> {
  return { exitCode, code }
}
