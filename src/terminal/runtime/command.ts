import { Command } from '@oclif/core/command'
import type { FlagInput, Input } from '@oclif/core/interfaces'
import { type CommonFlags, type StatedInput, withUsualFormat } from '../input/command-line.ts'
import { OUTPUT_FLAGS } from '../input/flags.ts'
import type { Host } from './host.ts'
import type { ManyRun } from './many/many-run.ts'
import { hostOf } from './oclif-config.ts'
import { type Opened, Run } from './run.ts'

/**
 * What a command changes at the service: nothing, what it keeps for the venue (bookings, customers, subscriptions), or money.
 * What it changes on this machine does not count.
 */
type Writes = 'none' | 'booking' | 'money'

/** The flags of a run: one that is for a venue uses its profile, as if `--profile` named it. */
function flagsOf<F extends CommonFlags>(flags: F, { venue }: Host): F {
  return venue === undefined ? flags : { ...flags, profile: venue.profile }
}

/** A command of partner: it reads its flags, does one thing, and shows the answer. */
export abstract class PartnerCommand extends Command {
  static override baseFlags: FlagInput = OUTPUT_FLAGS

  /** The worst that it can do: `partner commands` tells, and scripts decide by it what they may run. */
  static writes: Writes = 'none'

  /** Whether it takes its turns itself when it runs for many venues, as one does that never ends. */
  static takesTurns = false

  /** Whether `--profiles` runs it once for each; one that reads many venues anyway takes them all at once. */
  static runsForEach = true

  #run: Run | null = null
  /** Set when the command is to run once for each of several venues, in its place. */
  #many: ManyRun | null = null

  /** Skips oclif's start-up work: a deprecation check, and a user agent for another library. */
  protected override async init(): Promise<void> {}

  /** Leaves errors to main, which prints all of them. */
  protected override async catch(error: Error): Promise<never> {
    throw error
  }

  /** Skips oclif's clean-up, as there is nothing to clean up. */
  protected override async finally(): Promise<void> {}

  /** Reads the command line and returns the parts of the run. Nothing is sent or opened yet. Fails: USAGE. */
  protected async open<F extends Record<string, unknown>, A extends Record<string, unknown>>(
    stated: StatedInput<F, A>,
  ): Promise<Opened<F, A>> {
    const { baseFlags, writes, runsForEach } = this.constructor as typeof PartnerCommand
    try {
      const input = { ...(stated as Input<F, Record<string, unknown>, A>), baseFlags }
      const { args, flags: typed, argv } = await this.parse<F, Record<string, unknown>, A>(input)
      const host = hostOf(this.config)
      const flags = flagsOf(withUsualFormat(typed as F & CommonFlags, host.env), host)
      if (flags.columns !== undefined)
        (await import('../input/columns.ts')).checkColumns(this.id ?? '', host.dist, flags)
      const can = { callService: 'har' in baseFlags, sendBody: 'set' in baseFlags }
      const run = await Run.begin(host, flags, this.argv, can)
      if (runsForEach && (flags.profiles ?? flags.jobs) !== undefined && host.venue === undefined) {
        this.#many = { Named: this.constructor as typeof PartnerCommand, argv: this.argv, host, flags }
        throw new Error('the command runs for each venue')
      }
      this.#run = run
      return { ...run.parts, args, flags, words: argv as string[] }
    } catch (error) {
      const flags = { ...baseFlags, ...stated.flags } as Record<string, { readonly required?: boolean }>
      // The words that people type by mistake are many, and needed only now.
      const { explainUsage } = await import('../input/usage.ts')
      throw explainUsage(error, {
        id: this.id ?? '',
        flagNames: Object.keys(flags),
        argNames: Object.keys(stated.args ?? {}),
        isWrite: writes !== 'none',
        requiredFlags: Object.keys(flags).filter((name) => flags[name]?.required),
        argv: this.argv,
      })
    }
  }

  protected override async _run<T>(): Promise<T> {
    try {
      const result = await super._run<T>()
      await this.#run?.finish()
      return result
    } catch (error) {
      if (this.#many !== null) return (await (await import('./many/run-many.ts')).runMany(this.#many)) as T
      throw this.#run ? await this.#run.explain(error) : error
    }
  }

  /** Returns the error to report when the command was given up in the middle of its work. */
  async givenUp(reason: unknown): Promise<unknown> {
    return this.#run ? this.#run.explainGivingUp(reason) : reason
  }

  /** Closes what the command holds, once its result is known. */
  async close(): Promise<void> {
    await this.#run?.close()
  }
}
