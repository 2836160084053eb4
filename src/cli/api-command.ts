import { Command } from '@oclif/core/command'
import type { ArgInput, FlagInput, Input } from '@oclif/core/interfaces'
import type { Endpoint } from '../contract/endpoint.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { dataDirectory } from '../files/directories.ts'
import type { Answer } from '../http/answer.ts'
import { type CallOptions, call } from '../http/call.ts'
import { listed } from '../http/list.ts'
import type { Paging } from '../http/paginate.ts'
import { type CallInput, pathOf, prepare } from '../http/prepare.ts'
import { refuseFailure } from '../http/success.ts'
import type { JsonValue } from '../json/exact.ts'
import type { MoneyDesk } from '../money/desk.ts'
import type { OperationStore } from '../money/operation-store.ts'
import type { Need } from '../profiles/settings.ts'
import { renderOne } from '../render/one-record.ts'
import { WireRecord } from '../render/record.ts'
import { terminalSafe } from '../render/safe-text.ts'
import type { Format, ListView, ViewContext } from '../render/view.ts'
import { parseDuration } from '../time/duration.ts'
import { isKnownZone } from '../time/zone.ts'
import { OUTPUT_FLAGS, SERVICE_FLAGS } from './flags.ts'
import type { Host } from './host.ts'
import { hostOf } from './oclif-config.ts'
import { Printer, type Views } from './printer.ts'
import { Problems } from './problems.ts'
import type { Query } from './query.ts'
import type { Session } from './session.ts'
import { usageOf } from './usage.ts'

/** What every command's flags may hold, as far as this class reads them. */
interface CommonFlags {
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

const TIMEOUT_MS = 30_000
const LIST_TIMEOUT_MS = 300_000
const RETRIES = 3

/** What the paths and headers of partner inbound endpoints are made of. */
const INBOUND_NEEDS: readonly Need[] = ['baseUrl', 'signingSecret', 'partnerName', 'signatureHeader']

/**
 * The base of every command: reads the command line, reaches the service, prints the answer. A command states its
 * flags, asks for one thing and shows it; how is decided here, once.
 */
export abstract class ApiCommand extends Command {
  static override baseFlags: FlagInput = { ...SERVICE_FLAGS, ...OUTPUT_FLAGS }

  protected readonly host: Host = hostOf(this.config)
  #flags: CommonFlags = {}
  #query: Query | null = null
  #session: Promise<Session> | undefined
  #store: OperationStore | undefined
  #confirmed = false
  #wrote = false

  /** oclif's own start-up work: a deprecation check and a user agent for another library. Nothing here needs it. */
  protected override async init(): Promise<void> {}

  /** Errors are printed in one place, by main. */
  protected override async catch(error: Error): Promise<never> {
    throw error
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    try {
      if (error === undefined && this.#hasWritten) {
        // An answer that did not get out is none: a write of money stays open until it did.
        await this.host.stdout.flush()
        this.#store?.conclude()
      }
    } finally {
      const session = await this.#session?.catch(() => undefined)
      await session?.close()
      const trouble = this.#store?.trouble ?? null
      if (trouble !== null) await this.say(`warning: ${trouble}`)
      this.#store?.close()
    }
  }

  /** The words of the command line, checked by oclif; `words` are all arguments in a row. Fails: USAGE, in our words. */
  protected async input<F extends Record<string, unknown>, A extends Record<string, unknown>>(command: {
    readonly flags?: FlagInput<F>
    readonly args?: ArgInput<A>
  }): Promise<{ args: A; flags: F & CommonFlags; words: string[] }> {
    const { baseFlags } = this.constructor as typeof ApiCommand
    try {
      const parsed = await this.parse<F, Record<string, unknown>, A>({
        ...(command as Input<F, Record<string, unknown>, A>),
        baseFlags,
      })
      this.#flags = parsed.flags as CommonFlags
      // Now, while nothing was sent: the answer is printed by them.
      void this.columns
      await this.#checkOutput()
      return { args: parsed.args, flags: parsed.flags as F & CommonFlags, words: parsed.argv as string[] }
    } catch (error) {
      throw usageOf(error, { id: this.id ?? '', flagNames: Object.keys({ ...baseFlags, ...command.flags }) })
    }
  }

  /** Uses a profile that was named otherwise than by `--profile`. To be called before anything is sent. */
  protected useProfile(name: string): void {
    this.#flags = { ...this.#flags, profile: name }
  }

  /** How the answer is printed: `--json`, `-o`, else a table; a query is about JSON, and gives JSON. */
  protected get format(): Format {
    return this.#flags.json ? 'json' : (this.#flags.output ?? (this.isQueried ? 'json' : 'table'))
  }

  /** True when `--query` is given: it is applied to what the service sent, not to a summary of it. */
  protected get isQueried(): boolean {
    return this.#query !== null
  }

  /** What the output flags ask for must be possible before anything is sent. Fails: USAGE. */
  async #checkOutput(): Promise<void> {
    const { query, curl } = this.#flags
    const { baseFlags } = this.constructor as typeof ApiCommand
    if (curl && !this.isDryRun && 'dry-run' in baseFlags)
      throw usageFailure(['--curl is for --dry-run: it prints the request as a command'], 'add --dry-run')
    if (query === undefined) return
    const { openQuery } = await import('./query.ts')
    this.#query = openQuery(query)
  }

  /** The paths of `--columns`, or null. Fails: USAGE for an empty name among them. */
  protected get columns(): readonly string[] | null {
    const given = this.#flags.columns
    if (given === undefined) return null
    const paths = given.split(',').map((path) => path.trim())
    if (paths.some((path) => path === ''))
      throw usageFailure(
        [`--columns has an empty name in ${JSON.stringify(given)}`],
        'for example --columns bookingId,customer.lastName',
      )
    return paths
  }

  protected get skipsValidation(): boolean {
    return this.#flags['no-validate'] === true
  }

  protected get isDryRun(): boolean {
    return this.#flags['dry-run'] === true
  }

  /** True when a person is there to be asked and did not say yes beforehand. */
  protected get asksFirst(): boolean {
    return this.host.canAsk && !this.#flags.yes && !this.isDryRun
  }

  /** The extra query parameters of `--param`. Fails: USAGE for one that is not `k=v`. */
  protected extraQuery(problems: Problems): (readonly [string, string])[] {
    return (this.#flags.param ?? []).flatMap((parameter) => {
      const equals = parameter.indexOf('=')
      if (equals > 0) return [[parameter.slice(0, equals), parameter.slice(equals + 1)] as const]
      problems.add(`--param must be k=v, not ${JSON.stringify(parameter)}`)
      return []
    })
  }

  /** The way to the service, opened once. Fails: NO_PROFILE, USAGE. */
  protected session(isList = false): Promise<Session> {
    this.#session ??= this.#openSession(isList)
    return this.#session
  }

  /** The way to the partner inbound endpoints, whose requests are signed and carry no key. Fails: NO_PROFILE, USAGE. */
  protected signedSession(needs: readonly Need[] = INBOUND_NEEDS): Promise<Session> {
    this.#session ??= this.#openSession(false, needs)
    return this.#session
  }

  #sessionOf(endpoint: Endpoint, isList = false): Promise<Session> {
    return endpoint.auth === 'signature' ? this.signedSession() : this.session(isList)
  }

  async #openSession(isList: boolean, signedWith?: readonly Need[]): Promise<Session> {
    const flags = this.#flags
    const problems = new Problems()
    const givenBy = (flag: string, variable: string) =>
      this.argv.some((word) => word === flag || word.startsWith(`${flag}=`)) ? flag : variable
    const timeoutMs =
      flags.timeout === undefined
        ? undefined
        : problems.check(() =>
            parseDuration(flags.timeout ?? '', givenBy('--timeout', 'PARTNER_TIMEOUT'), {
              minMs: 1,
              maxMs: 86_400_000,
            }),
          )
    const retries = problems.wholeNumber(givenBy('--retries', 'PARTNER_RETRIES'), flags.retries, 0, 20)
    problems.throwIfAny()
    const { openSession } = await import('./session.ts')
    return openSession(this.host, {
      profile: flags.profile,
      baseUrl: flags['base-url'],
      timeoutMs: timeoutMs ?? (isList ? LIST_TIMEOUT_MS : TIMEOUT_MS),
      retries: retries ?? RETRIES,
      verbose: flags.verbose === true,
      har: flags.har,
      signedWith,
    })
  }

  /** Calls an endpoint; with `--dry-run` prints the request instead and ends the command. Fails: as `call`. */
  protected async send<E extends Endpoint>(endpoint: E, input: CallInput<E>, options?: CallOptions): Promise<Answer> {
    const whole = this.completed(endpoint, input)
    const session = await this.#sessionOf(endpoint)
    if (this.isDryRun) await this.#showRequest(session, endpoint, whole)
    if (endpoint.write !== 'none') await this.#allowWrite(session)
    const answer = await call(session.caller, endpoint, whole, options)
    if (endpoint.write !== 'none') this.#wrote = true
    // A signed read says in its body that there was nothing to read.
    if (endpoint.auth === 'signature') refuseFailure(answer)
    return answer
  }

  /**
   * What writes of money are made with: the service, and the record of writes under way. `reading`: it is only asked what
   * became of one.
   * Fails: NO_PROFILE; USAGE, also when the profile allows no write; INTERNAL when the record cannot be used, and then nothing
   * may be sent.
   */
  protected async moneyDesk(purpose: 'writing' | 'reading' = 'writing'): Promise<MoneyDesk> {
    const session = await this.session()
    if (purpose === 'writing') await this.#allowWrite(session)
    return {
      caller: session.caller,
      inbound: session.signing,
      store: await this.operations(),
      service: session.service,
      force: this.#flags.force === true,
    }
  }

  /**
   * Whether this profile lets a command change anything. Production is asked about at a terminal.
   * Fails: USAGE for a profile that only reads, and for one that wants a confirmation that nobody can give.
   */
  async #allowWrite(session: Session): Promise<void> {
    const { mode, environment, caller } = session
    refuseReadOnly(session)
    const asks = mode === 'confirm' || (mode === null && environment === 'production' && this.host.canAsk)
    if (!asks || this.#confirmed) return
    await this.confirm(
      `Change something in ${environment ?? 'the venue'} of profile ${caller.profile} (${caller.baseUrl.host})?`,
    )
  }

  /**
   * Before anything is read or a person is bothered.
   * Fails: OUTCOME_UNKNOWN when the same write is open and was not forced; USAGE for a profile that only reads.
   */
  protected async refuseIfOpen(command: string, target: string, amount: string | null): Promise<void> {
    const session = await this.session()
    refuseReadOnly(session)
    if (this.#flags.force) return
    const { service, caller } = session
    const [store, { alreadyOpen }] = await Promise.all([this.operations(), import('../money/already-open.ts')])
    const open = store.openLike({ command, target, amount, service, profile: caller.profile })
    if (open) throw alreadyOpen(open)
  }

  /** The record of money writes. Fails: INTERNAL when it cannot be used. */
  protected async operations(): Promise<OperationStore> {
    const { OperationStore } = await import('../money/operation-store.ts')
    this.#store ??= OperationStore.open(OperationStore.pathIn(dataDirectory(this.host.env)))
    return this.#store
  }

  /**
   * Calls an endpoint whose answer may be anything, and shows that as it came; as records or a part of it where that was asked
   * for and it is JSON. With `include`, its status and headers first. Fails: as `callAndPrint`.
   */
  protected async sendRaw<E extends Endpoint>(endpoint: E, input: CallInput<E>, include = false): Promise<void> {
    const problems = new Problems()
    const whole = { ...input, extraQuery: this.extraQuery(problems) }
    problems.throwIfAny()
    const session = await this.#sessionOf(endpoint)
    if (this.isDryRun) await this.#showRequest(session, endpoint, whole)
    if (endpoint.write !== 'none') await this.#allowWrite(session)
    const { callAndPrint } = await import('./raw-output.ts')
    const isAsItCame = !this.isQueried && this.columns === null && this.format === 'table'
    const printer = isAsItCame ? null : this.#printer()
    await callAndPrint(session.caller, endpoint, whole, { host: this.host, printer, include })
  }

  /** Calls an endpoint that only reads, also in a dry run: a plan may need it. */
  protected async look<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer> {
    const session = await this.#sessionOf(endpoint)
    return call(session.caller, endpoint, input)
  }

  /** The records of a list endpoint as they arrive; with `--dry-run` prints the request instead. Fails: as `listed`. */
  protected async *records<E extends Endpoint>(endpoint: E, input: CallInput<E>): AsyncGenerator<readonly string[]> {
    const whole = this.completed(endpoint, input)
    const session = await this.#sessionOf(endpoint, true)
    if (this.isDryRun) await this.#showRequest(session, endpoint, whole)
    yield* listed(session.caller, endpoint, whole)
  }

  /** The records of a list endpoint that comes in pages, likewise. Fails: as `paginate`. */
  protected async *pages<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    paging: Paging,
  ): AsyncGenerator<readonly string[]> {
    const whole = this.completed(endpoint, input)
    if (whole.extraQuery?.some(([name]) => /^(?:Limit|StartIndex)$/i.test(name)))
      throw usageFailure(['--param must not set Limit or StartIndex: paging does'], 'use --limit and --page-size')
    const session = await this.#sessionOf(endpoint, true)
    if (this.isDryRun) {
      const Limit = Math.min(paging.pageSize, paging.limit ?? paging.pageSize)
      await this.#showRequest(session, endpoint, { ...whole, query: { ...whole.query, Limit, StartIndex: 0 } })
    }
    const { paginate } = await import('../http/paginate.ts')
    yield* paginate(session.caller, endpoint, whole, paging)
  }

  /** The request with what `--param` adds to it. Fails: USAGE. */
  protected completed<E extends Endpoint>(endpoint: E, input: CallInput<E>): CallInput<E> {
    const problems = new Problems()
    if (endpoint.method === 'GET' && (this.#flags.data !== undefined || (this.#flags.set ?? []).length > 0))
      problems.add(
        '--data and --set make a body, which a GET has none of',
        'use --param k=v for an extra query parameter',
      )
    const extraQuery = this.extraQuery(problems)
    // Before a profile is asked for: an id that cannot be sent is wrong wherever it would go.
    problems.check(() => pathOf(endpoint, input.path ?? {}))
    problems.throwIfAny()
    return { ...input, extraQuery: [...(input.extraQuery ?? []), ...extraQuery] }
  }

  /** Shows the request in place of sending it, and ends the command. */
  async #showRequest<E extends Endpoint>(session: Session, endpoint: E, input: CallInput<E>): Promise<never> {
    const { requestText } = await import('./dry-run.ts')
    const request = prepare(endpoint, input, session.caller.baseUrl)
    const how = { format: this.format, curl: this.#flags.curl === true }
    const { text, note } = await requestText(request, endpoint, session, how)
    await this.print(text)
    if (note !== null) await this.say(note)
    throw new DryRunShown()
  }

  /** For a dry run of several: shows each request. */
  protected async showRequests<E extends Endpoint>(endpoint: E, inputs: readonly CallInput<E>[]): Promise<void> {
    for (const [index, input] of inputs.entries()) {
      if (index > 0 && this.format === 'table') await this.print('\n')
      try {
        await this.send(endpoint, input)
      } catch (error) {
        if (!(error instanceof DryRunShown)) throw error
      }
    }
  }

  protected override async _run<T>(): Promise<T> {
    try {
      return await super._run<T>()
    } catch (error) {
      if (error instanceof DryRunShown) return undefined as T
      if (!this.#hasWritten) throw error
      const { afterWrite } = await import('./after-write.ts')
      throw afterWrite(error, this.#store?.undelivered[0] ?? null)
    }
  }

  get #hasWritten(): boolean {
    return this.#wrote || (this.#store !== undefined && this.#store.undelivered.length > 0)
  }

  #printer(format: Format = this.format): Printer {
    const { host, columns } = this
    return new Printer({ host, format, columns, query: this.#query, context: () => this.viewContext() })
  }

  /** Shows a list as it arrives. Stops asking for more after `limit` records. Fails: as `Printer.list`. */
  protected async showList(batches: AsyncIterable<readonly string[]>, view: ListView, limit?: number): Promise<void> {
    await this.#printer().list(batches, view, limit)
  }

  /** Shows the object that the service answered with, in its own text; `otherwise` when it answered with nothing. */
  protected async showAnswer(answer: Pick<Answer, 'text'>, views: Views, otherwise: JsonValue = null): Promise<void> {
    if (answer.text === '') return this.showOne(otherwise, views)
    await this.#printer().one(new WireRecord(answer.text), views)
  }

  /** Shows a list of which only its records are known; as JSON unless another format was asked for. */
  protected async showFound(batches: AsyncGenerator<readonly string[]>, limit?: number): Promise<void> {
    await this.#printer(this.#flags.output ?? 'json').found(batches, limit)
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
    await this.#printer().one(WireRecord.of(value), views)
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

  protected async viewContext(): Promise<ViewContext> {
    // Zones are for people: JSON and CSV carry instants, and looking a zone up costs time.
    const shown = this.#session && this.format === 'table'
    return { timezone: shown ? await this.timezone() : null, now: this.host.now() }
  }

  /** The venue's zone, null when nobody said. Fails: USAGE for one that does not exist. */
  protected async timezone(isList = false): Promise<string | null> {
    const { timezone } = await this.session(isList)
    if (timezone !== null && !isKnownZone(timezone))
      throw usageFailure(
        [`${JSON.stringify(timezone)} is not a time zone`],
        'set PARTNER_TIMEZONE or the timezone of the profile to one like Australia/Sydney',
      )
    return timezone
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
    if (this.#flags.verbose || this.host.env['PARTNER_DEBUG'] === '1') await this.say(line)
  }

  /**
   * Asks before something that cannot be undone.
   * Fails: USAGE when nobody can answer and `--yes` was not given; INTERRUPTED when the answer is no.
   */
  protected async confirm(question: string): Promise<void> {
    if (this.#flags.yes || this.isDryRun) return
    this.#confirmed = true
    if (!this.host.canAsk)
      throw usageFailure(
        [`${question.replace(/\?$/, '')} needs a yes, and there is no terminal to ask on`],
        'add --yes',
      )
    const { askYesNo } = await import('./prompts.ts')
    const session = this.#session ? await this.#session : null
    if (session?.environment === 'production')
      await this.say(`production: profile ${session.caller.profile}, ${session.caller.baseUrl.host}`)
    if (!(await askYesNo(question)))
      throw new Failure('INTERRUPTED', 'not done: the answer was no', { hint: 'nothing was sent' })
  }
}

/** Fails: USAGE for a profile that only reads. */
function refuseReadOnly({ mode, caller }: Session): void {
  if (mode !== 'read-only') return
  throw usageFailure(
    [`the profile ${caller.profile} is read-only: nothing was sent`],
    `use another profile, or: partner profiles set ${caller.profile} --mode full`,
  )
}

/** Ends a command whose request was shown and not sent. */
class DryRunShown extends Error {}
