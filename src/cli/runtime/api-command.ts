import type { FlagInput } from '@oclif/core/interfaces'
import type { Answer } from '../../client/calls/answer.ts'
import { type CallOptions, call } from '../../client/calls/call.ts'
import { streamList } from '../../client/calls/list.ts'
import type { Paging } from '../../client/calls/paginate.ts'
import { type CallInput, fillPath, prepare } from '../../client/calls/prepare.ts'

import { rejectFailure } from '../../client/calls/success.ts'
import { placeText, serviceOf } from '../../client/place.ts'
import type { Session } from '../../client/session.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Failure, usageFailure } from '../../failure/failure.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import type { Sourced } from '../../profiles/profile.ts'
import type { Need } from '../../profiles/settings.ts'
import type { ViewContext } from '../../render/view.ts'
import { parseDuration } from '../../time/duration.ts'
import { isKnownZone } from '../../time/zone.ts'
import { OUTPUT_FLAGS, SERVICE_FLAGS } from '../input/flags.ts'
import { Problems } from '../input/problems.ts'
import { LocalCommand } from './local-command.ts'

const TIMEOUT_MS = 30_000
const LIST_TIMEOUT_MS = 300_000
const RETRIES = 3

/** What the paths and headers of partner inbound endpoints are made of. */
const INBOUND_NEEDS: readonly Need[] = ['baseUrl', 'signingSecret', 'partnerName', 'signatureHeader']

/**
 * The base of commands that talk to the service: how it is reached, what is sent or shown in its place, what becomes of a
 * write. A command states its flags, asks for one thing and shows it.
 */
export abstract class ApiCommand extends LocalCommand {
  static override baseFlags: FlagInput = { ...SERVICE_FLAGS, ...OUTPUT_FLAGS }

  #session: Promise<Session> | undefined
  #usual: Sourced<string> | undefined
  /** A request that may change something has left, and its answer has not come. */
  #isWriting = false
  #wrote = false
  /** The answer was shown as it came, which only a program may read. */
  #isRaw = false

  protected override async finally(error: Error | undefined): Promise<void> {
    try {
      if (error === undefined && this.#hasWritten) {
        // An answer that did not get out is none: a write of money stays open until it did.
        await this.host.stdout.flush()
        this.store?.conclude()
        await this.#tellPlace(this.format === 'table' && !this.#isRaw)
      }
    } finally {
      await super.finally(error)
    }
  }

  override async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined)
    await session?.close()
    await super.close()
  }

  override async givenUp(reason: unknown): Promise<unknown> {
    const { afterWrite, duringWrite } = await import('./after-write.ts')
    const [undelivered] = this.store?.undelivered ?? []
    if (undelivered === undefined && this.#isWriting) return duringWrite(reason, this.store?.lastSent ?? null)
    return this.#hasWritten ? afterWrite(reason, undelivered ?? null) : reason
  }

  /** Uses a profile that an argument names, as if `--profile` had. To be called before anything is sent. */
  protected useProfile(name: string): void {
    this.common = { ...this.common, profile: name }
  }

  /** Uses a profile where none is named, in place of the current one. To be called before anything is sent. */
  protected preferProfile(name: string, from: string): void {
    this.#usual = { value: name, from }
  }

  protected get skipsValidation(): boolean {
    return this.common['no-validate'] === true
  }

  /** The extra query parameters of `--param`. Fails: USAGE for one that is not `k=v`. */
  protected extraQuery(problems: Problems): (readonly [string, string])[] {
    return (this.common.param ?? []).flatMap((parameter) => {
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
    const flags = this.common
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
    const { openSession } = await import('../../client/session.ts')
    return openSession(this.host, {
      profile: flags.profile,
      usual: this.#usual,
      baseUrl: flags['base-url'],
      timeoutMs: timeoutMs ?? (isList ? LIST_TIMEOUT_MS : TIMEOUT_MS),
      retries: retries ?? RETRIES,
      verbose: flags.verbose === true,
      har: flags.har,
      signedWith,
      onWrite: () => {
        this.#isWriting = true
      },
    })
  }

  /** Calls an endpoint; with `--dry-run` prints the request instead and ends the command. Fails: as `call`. */
  protected async send<E extends Endpoint>(endpoint: E, input: CallInput<E>, options?: CallOptions): Promise<Answer> {
    const whole = this.completed(endpoint, input)
    const session = await this.#sessionOf(endpoint)
    if (this.isDryRun) await this.#showRequest(session, endpoint, whole)
    if (endpoint.write !== 'none') await this.#allowWrite(session)
    const answer = await call(session.caller, endpoint, whole, options)
    if (endpoint.write !== 'none') this.#hasAnswer()
    // A signed read says in its body that there was nothing to read.
    if (endpoint.auth === 'signature') rejectFailure(answer)
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
    const { momentHere } = await import('../../money/operations/moment.ts')
    return {
      clock: momentHere,
      // A limit that was met before must not hide what became of money.
      caller: purpose === 'reading' ? { ...session.caller, pacing: 'ignore' } : session.caller,
      inbound: session.signing,
      store: await this.operations(),
      service: session.service,
      force: this.common.force === true,
    }
  }

  /**
   * Whether this profile lets a command change anything. Production is asked about at a terminal.
   * Fails: USAGE for a profile that only reads, and for one that wants a confirmation that nobody can give.
   */
  async #allowWrite(session: Session): Promise<void> {
    const { mode, environment } = session
    refuseReadOnly(session)
    const asks = mode === 'confirm' || (mode === null && environment === 'production' && this.host.canAsk)
    if (!asks || this.isConfirmed) return
    const { host, profile } = serviceOf(session)
    await super.confirm(`Change something in ${environment ?? 'the venue'} of profile ${profile} (${host})?`)
  }

  /**
   * Before anything is read or a person is bothered.
   * Fails: OUTCOME_UNKNOWN when the same write is open and was not forced; USAGE for a profile that only reads.
   */
  protected async refuseIfOpen(command: string, target: string, cents: bigint | null): Promise<void> {
    const session = await this.session()
    refuseReadOnly(session)
    if (this.common.force) return
    const { service, caller } = session
    const [store, { alreadyOpen }, { momentHere }] = await Promise.all([
      this.operations(),
      import('../../money/operations/already-open.ts'),
      import('../../money/operations/moment.ts'),
    ])
    const now = momentHere()
    const open = store.openLike({ command, target, cents, service, profile: caller.profile }, now)
    if (open) throw alreadyOpen(open, now)
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
    const { callAndPrint } = await import('../output/raw-output.ts')
    const isAsItCame = !this.isQueried && this.columns === null && this.format === 'table'
    const printer = isAsItCame ? null : this.printer()
    this.#isRaw = isAsItCame
    const onAnswer = endpoint.write === 'none' ? undefined : () => this.#hasAnswer()
    await callAndPrint(session.caller, endpoint, whole, { host: this.host, printer, include, onAnswer })
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
    yield* streamList(session.caller, endpoint, whole)
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
    const { paginate } = await import('../../client/calls/paginate.ts')
    yield* paginate(session.caller, endpoint, whole, paging)
  }

  /** The request with what `--param` adds to it. Fails: USAGE. */
  protected completed<E extends Endpoint>(endpoint: E, input: CallInput<E>): CallInput<E> {
    const problems = new Problems()
    if (endpoint.method === 'GET' && (this.common.data !== undefined || (this.common.set ?? []).length > 0))
      problems.add(
        '--data and --set make a body, which a GET has none of',
        'use --param k=v for an extra query parameter',
      )
    const extraQuery = this.extraQuery(problems)
    // Before a profile is asked for: an id that cannot be sent is wrong wherever it would go.
    problems.check(() => fillPath(endpoint, input.path ?? {}))
    problems.throwIfAny()
    return { ...input, extraQuery: [...(input.extraQuery ?? []), ...extraQuery] }
  }

  /** Shows the request in place of sending it, and ends the command. */
  async #showRequest<E extends Endpoint>(session: Session, endpoint: E, input: CallInput<E>): Promise<never> {
    const { requestText } = await import('../output/dry-run.ts')
    const request = prepare(endpoint, input, session.caller.baseUrl)
    const how = { format: this.format, curl: this.common.curl === true }
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
      if (!this.#hasWritten) throw await this.#placed(error)
      const { afterWrite } = await import('./after-write.ts')
      throw await this.#placed(afterWrite(error, this.store?.undelivered[0] ?? null))
    }
  }

  /** An error with the service that it came from; a mistake on the command line came from none. */
  async #placed(error: unknown): Promise<unknown> {
    const session = await this.#session?.catch(() => undefined)
    if (session && error instanceof Failure && error.code !== 'USAGE') error.service = serviceOf(session)
    return error
  }

  #hasAnswer(): void {
    this.#isWriting = false
    this.#wrote = true
  }

  get #hasWritten(): boolean {
    return this.#wrote || (this.store !== undefined && this.store.undelivered.length > 0)
  }

  protected override async viewContext(): Promise<ViewContext> {
    // Zones are for people: JSON and CSV carry instants, and looking a zone up costs time.
    const shown = this.#session && this.format === 'table'
    return { timezone: shown ? await this.timezone() : null, now: this.host.now() }
  }

  /** Asks, naming the service where one is in use. Fails: as in the base. */
  protected override async confirm(question: string): Promise<void> {
    await super.confirm(question, this.#session ? placeText(await this.#session) : null)
  }

  /** Tells where a write went: at a terminal, and wherever `always`. */
  async #tellPlace(always: boolean): Promise<void> {
    if (!this.#session || !(always || this.host.stderrScreen.columns !== null)) return
    await this.say(`sent to ${placeText(await this.#session)}`)
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
