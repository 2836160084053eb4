import { Command } from '@oclif/core/command'
import type { ArgInput, FlagInput, Input } from '@oclif/core/interfaces'
import { Failure, usageFailure } from '../failure/failure.ts'
import { dataDirectory } from '../files/directories.ts'
import type { Answer } from '../http/answer.ts'
import type { JsonValue } from '../json/exact.ts'
import type { OperationStore } from '../money/operation-store.ts'
import { renderOne } from '../render/one-record.ts'
import { WireRecord } from '../render/record.ts'
import { terminalSafe } from '../render/safe-text.ts'
import type { Format, ListView, ViewContext } from '../render/view.ts'
import { OUTPUT_FLAGS } from './flags.ts'
import type { Host } from './host.ts'
import { hostOf } from './oclif-config.ts'
import { Printer, type Views } from './printer.ts'
import type { Query } from './query.ts'
import { usageOf } from './usage.ts'

/** What every command's flags may hold, as far as the two base classes read them. */
export interface CommonFlags {
  readonly output?: Format | undefined
  readonly json?: boolean | undefined
  readonly columns?: string | undefined
  readonly query?: string | undefined
  readonly curl?: boolean | undefined
  readonly har?: string | undefined
  readonly yes?: boolean | undefined
  readonly verbose?: boolean | undefined
  readonly profile?: string | undefined
  readonly 'base-url'?: string | undefined
  readonly timeout?: string | undefined
  readonly retries?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly 'no-validate'?: boolean | undefined
  readonly param?: string[] | undefined
  readonly set?: string[] | undefined
  readonly data?: string | undefined
  readonly force?: boolean | undefined
}

/**
 * The base of commands that talk to nobody: reads the command line, asks the person, prints the answer. How is decided
 * here, once; what a command is called and takes, and what it does, is its own.
 */
export abstract class LocalCommand extends Command {
  static override baseFlags: FlagInput = OUTPUT_FLAGS

  protected readonly host: Host = hostOf(this.config)
  protected common: CommonFlags = {}
  protected store: OperationStore | undefined
  protected isConfirmed = false
  #query: Query | null = null

  /** oclif's own start-up work: a deprecation check and a user agent for another library. Nothing here needs it. */
  protected override async init(): Promise<void> {}

  /** Errors are printed in one place, by main. */
  protected override async catch(error: Error): Promise<never> {
    throw error
  }

  protected override async finally(_error: Error | undefined): Promise<void> {
    const trouble = this.store?.trouble ?? null
    if (trouble !== null) await this.say(`warning: ${trouble}`)
  }

  /** Lets go of what the command holds, once its result has been told. */
  async close(): Promise<void> {
    this.store?.close()
  }

  /** What to report when the command was given up in the middle of its work. */
  async givenUp(reason: unknown): Promise<unknown> {
    return reason
  }

  /** The words of the command line, checked by oclif; `words` are all arguments in a row. Fails: USAGE, in our words. */
  protected async input<F extends Record<string, unknown>, A extends Record<string, unknown>>(command: {
    readonly flags?: FlagInput<F>
    readonly args?: ArgInput<A>
  }): Promise<{ args: A; flags: F & CommonFlags; words: string[] }> {
    const { baseFlags } = this.constructor as typeof LocalCommand
    try {
      const parsed = await this.parse<F, Record<string, unknown>, A>({
        ...(command as Input<F, Record<string, unknown>, A>),
        baseFlags,
      })
      this.common = parsed.flags as CommonFlags
      // Now, while nothing was sent: the answer is printed by them.
      void this.columns
      await this.#checkOutput()
      return { args: parsed.args, flags: parsed.flags as F & CommonFlags, words: parsed.argv as string[] }
    } catch (error) {
      throw usageOf(error, { id: this.id ?? '', flagNames: Object.keys({ ...baseFlags, ...command.flags }) })
    }
  }

  /** How the answer is printed: `--json`, `-o`, else a table; a query is about JSON, and gives JSON. */
  protected get format(): Format {
    return this.common.json ? 'json' : (this.common.output ?? (this.isQueried ? 'json' : 'table'))
  }

  /** True when `--query` is given: it is applied to what the service sent, not to a summary of it. */
  protected get isQueried(): boolean {
    return this.#query !== null
  }

  /** What the output flags ask for must be possible before anything is sent. Fails: USAGE. */
  async #checkOutput(): Promise<void> {
    const { query, curl } = this.common
    const { baseFlags } = this.constructor as typeof LocalCommand
    if (curl && !this.isDryRun && 'dry-run' in baseFlags)
      throw usageFailure(['--curl is for --dry-run: it prints the request as a command'], 'add --dry-run')
    if (query === undefined) return
    const { openQuery } = await import('./query.ts')
    this.#query = openQuery(query)
  }

  /** The paths of `--columns`, or null. Fails: USAGE for an empty name among them. */
  protected get columns(): readonly string[] | null {
    const given = this.common.columns
    if (given === undefined) return null
    const paths = given.split(',').map((path) => path.trim())
    if (paths.some((path) => path === ''))
      throw usageFailure(
        [`--columns has an empty name in ${JSON.stringify(given)}`],
        'for example --columns bookingId,customer.lastName',
      )
    return paths
  }

  protected get isDryRun(): boolean {
    return this.common['dry-run'] === true
  }

  /** True when a person is there to be asked and did not say yes beforehand. */
  protected get asksFirst(): boolean {
    return this.host.canAsk && !this.common.yes && !this.isDryRun
  }

  /** The record of money writes. Fails: INTERNAL when it cannot be used. */
  protected async operations(): Promise<OperationStore> {
    const { OperationStore } = await import('../money/operation-store.ts')
    this.store ??= OperationStore.open(OperationStore.pathIn(dataDirectory(this.host.env)))
    return this.store
  }

  protected printer(format: Format = this.format): Printer {
    const { host, columns } = this
    return new Printer({ host, format, columns, query: this.#query, context: () => this.viewContext() })
  }

  /** Shows a list as it arrives. Stops asking for more after `limit` records. Fails: as `Printer.list`. */
  protected async showList(batches: AsyncIterable<readonly string[]>, view: ListView, limit?: number): Promise<void> {
    await this.printer().list(batches, view, limit)
  }

  /** Shows the object that the service answered with, in its own text; `otherwise` when it answered with nothing. */
  protected async showAnswer(answer: Pick<Answer, 'text'>, views: Views, otherwise: JsonValue = null): Promise<void> {
    if (answer.text === '') return this.showOne(otherwise, views)
    await this.printer().one(new WireRecord(answer.text), views)
  }

  /** Shows a list of which only its records are known; as JSON unless another format was asked for. */
  protected async showFound(batches: AsyncGenerator<readonly string[]>, limit?: number): Promise<void> {
    await this.printer(this.common.output ?? 'json').found(batches, limit)
  }

  /** Shows an object to the person who is to confirm something: a card on stderr, whatever the format of the answer. */
  protected async showToPerson(answer: Answer, views: Views): Promise<void> {
    const text = await renderOne(new WireRecord(answer.text), {
      format: 'table',
      view: views.card,
      listView: views.list,
      columns: null,
      screen: this.host.stderrScreen,
      context: await this.viewContext(),
    })
    await this.host.stderr.write(text)
  }

  /** Shows one object of our own. */
  protected async showOne(value: JsonValue, views: Views): Promise<void> {
    await this.printer().one(WireRecord.of(value), views)
  }

  /** Shows objects that are already here. */
  protected async showAll(records: readonly JsonValue[], view: ListView): Promise<void> {
    const texts = records.map((record) => JSON.stringify(record))
    await this.showList(
      (async function* () {
        yield texts
      })(),
      view,
    )
  }

  /** What views must know beside the record; without a service, times are shown in UTC. */
  protected async viewContext(): Promise<ViewContext> {
    return { timezone: null, now: this.host.now() }
  }

  /** What a person should see before saying yes, such as that this is production; null for nothing. */
  protected async whereabouts(): Promise<string | null> {
    return null
  }

  /** Writes data to stdout. */
  protected async print(text: string): Promise<void> {
    await this.host.stdout.write(text)
  }

  /** Tells the person something, on stderr. */
  protected async say(line: string): Promise<void> {
    await this.host.stderr.write(`${terminalSafe(line)}\n`)
  }

  /** Tells something on stderr that only `--verbose` wants to know. */
  protected async whisper(line: string): Promise<void> {
    if (this.common.verbose || this.host.env['PARTNER_DEBUG'] === '1') await this.say(line)
  }

  /**
   * Asks before something that cannot be undone.
   * Fails: USAGE when nobody can answer and `--yes` was not given; INTERRUPTED when the answer is no.
   */
  protected async confirm(question: string): Promise<void> {
    if (this.common.yes || this.isDryRun) return
    this.isConfirmed = true
    if (!this.host.canAsk)
      throw usageFailure(
        [`${question.replace(/\?$/, '')} needs a yes, and there is no terminal to ask on`],
        'add --yes',
      )
    const { askYesNo } = await import('./prompts.ts')
    const whereabouts = await this.whereabouts()
    if (whereabouts !== null) await this.say(whereabouts)
    if (!(await askYesNo(this.host, question)))
      throw new Failure('INTERRUPTED', 'not done: the answer was no', { hint: 'nothing was sent' })
  }
}
