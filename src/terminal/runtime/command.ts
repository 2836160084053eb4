import { Command } from '@oclif/core/command'
import type { FlagInput, Input } from '@oclif/core/interfaces'
import { type CommonFlags, type StatedInput, withDefaultFormat } from '../input/command-line.ts'
import { OUTPUT_FLAGS } from '../input/flags.ts'
import type { CommandClass } from './host.ts'
import { hostOf } from './oclif-config.ts'
import { type Opened, Run } from './run.ts'

type Writes = 'none' | 'booking' | 'money'

/** The base class of all commands. */
export abstract class PartnerCommand extends Command {
  static override baseFlags: FlagInput = OUTPUT_FLAGS

  /**
   * The most serious effect that the command can have. `partner commands` lists it, so that scripts can decide what to
   * run.
   */
  static writes: Writes = 'none'

  static takesTurns = false

  #run: Run | null = null

  /** Skips oclif's initialization, which warns of deprecations and sets a user agent for another library. */
  protected override async init(): Promise<void> {}

  protected override async catch(error: Error): Promise<never> {
    throw error
  }

  protected override async finally(): Promise<void> {}

  /** Parses the command line and returns the parts of the run. Throws USAGE if it is invalid. Makes no requests. */
  protected async open<F extends Record<string, unknown>, A extends Record<string, unknown>>(
    stated: StatedInput<F, A>,
  ): Promise<Opened<F, A>> {
    const { run, ...words } = await this.#begin(stated)
    this.#run = run
    return { ...run.parts, ...words }
  }

  async #begin<F extends Record<string, unknown>, A extends Record<string, unknown>>(stated: StatedInput<F, A>) {
    const { baseFlags, writes } = this.constructor as typeof PartnerCommand
    try {
      const input = { ...(stated as Input<F, Record<string, unknown>, A>), baseFlags }
      const host = hostOf(this.config)
      const parsed = host.given
        ? { args: host.given.args as A, flags: host.given.flags as F, argv: Object.values(host.given.args) }
        : await this.parse<F, Record<string, unknown>, A>(input)
      const { args, flags: typed, argv } = parsed
      const given = withDefaultFormat(typed as F & CommonFlags, host.env)
      // A run for one of several venues uses that venue's profile, as if it were given with `--profile`.
      const flags = host.venue === undefined ? given : { ...given, profile: host.venue.profile }
      if (flags.columns !== undefined)
        (await import('../input/columns.ts')).checkColumns(this.id ?? '', host.dist, flags)
      if (process.platform === 'win32')
        (await import('../input/values/file-names.ts')).checkFileNames(
          { ...baseFlags, ...stated.flags },
          { args, flags },
        )
      const can = { callService: 'har' in baseFlags, sendBody: 'set' in baseFlags }
      const run = await Run.begin(host, flags, this.argv, can)
      return { run, args, flags, words: argv as string[] }
    } catch (error) {
      const flags = { ...baseFlags, ...stated.flags } as Record<string, { readonly required?: boolean }>
      // Load this module only on errors, because its list of misspelled words is long.
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

  /** Runs the command. With `--profiles`, runs it for each venue. */
  override async _run<T>(): Promise<T> {
    const Named = this.constructor as CommandClass
    const host = hostOf(this.config)
    const canBeMany = 'profiles' in Named.baseFlags && host.venue === undefined
    // This cheap check avoids a second parse in most runs. Only the parser can tell whether the flag was given.
    if (canBeMany && this.argv.some((word) => /^--(?:profiles|jobs)\b/.test(word))) {
      const { flags } = await this.#begin(Named)
      if ((flags.profiles ?? flags.jobs) !== undefined)
        return (await (await import('./many/run-many.ts')).runMany({ Named, argv: this.argv, host, flags })) as T
    }
    try {
      const result = await super._run<T>()
      await this.#run?.finish()
      return result
    } catch (error) {
      throw this.#run ? await this.#run.explain(error) : error
    }
  }

  async explainAbandonment(reason: unknown): Promise<unknown> {
    return this.#run ? this.#run.explainAbandonment(reason) : reason
  }

  async close(): Promise<void> {
    await this.#run?.close()
  }
}
