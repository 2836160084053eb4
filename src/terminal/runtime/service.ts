import { usageFailure } from '../../base/failure/failure.ts'
import type { RecordBatches } from '../../base/json/list/wire-record.ts'
import type { Answer } from '../../client/calls/answer.ts'
import { type CallOptions, call } from '../../client/calls/call.ts'
import { collect, streamList } from '../../client/calls/list.ts'
import type { Paging } from '../../client/calls/paginate.ts'
import type { Piece, Seam } from '../../client/calls/pieces.ts'
import { type CallInput, fillPath } from '../../client/calls/prepare.ts'
import { serviceOf } from '../../client/format-service.ts'
import { plan, sendPlan } from '../../client/plan.ts'
import type { Session } from '../../client/session.ts'
import { refuseReadOnly, wantsConfirmation } from '../../client/write-policy.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import type { SeenValues } from '../completion/sightings.ts'
import type { Ask } from '../input/ask.ts'
import { type CommonFlags, parseParameters } from '../input/command-line.ts'
import { Problems } from '../input/problems.ts'
import type { Show } from '../output/show.ts'
import type { Connection } from './connection.ts'
import type { Host } from './host.ts'
import type { MoneyRecords } from './money-records.ts'
import type { Progress } from './progress.ts'

/** The parts of a run that work without a service. Each is created when it is first needed. */
export interface OuterParts {
  readonly connection: Connection
  readonly show: Show
  readonly ask: Ask
  readonly operations: MoneyRecords
  readonly host: Host
}

type ServiceParts = OuterParts & Readonly<{ flags: CommonFlags; progress: Progress; sightings: SeenValues }>

/** A command's access to the service. Prints requests in a dry run and asks for confirmation before a change. */
export class Service {
  readonly #parts: ServiceParts
  #isRaw = false

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  get isDryRun(): boolean {
    return this.#parts.flags['dry-run'] === true
  }

  /** Sends a request. In a dry run, prints the request and returns `null`. Throws the same errors as `call`. */
  async send<E extends Endpoint>(endpoint: E, input: CallInput<E>, options?: CallOptions): Promise<Answer | null> {
    const whole = this.complete(endpoint, input)
    const session = await this.#parts.connection.sessionFor(endpoint)
    const planned = plan(session, endpoint, whole)
    if (this.isDryRun) {
      await this.#parts.show.plan(planned)
      return null
    }
    if (endpoint.write !== 'none') await this.#allowWrite(session)
    const answer = await sendPlan(planned, options)
    if (endpoint.write !== 'none') this.endWrite()
    this.#parts.sightings.addValue(endpoint.id, answer.value)
    return answer
  }

  /** Prints several requests instead of sending them. Throws the same errors as {@link Connection.session}. */
  async showPlans<E extends Endpoint>(endpoint: E, inputs: Iterable<CallInput<E>>): Promise<void> {
    const session = await this.#parts.connection.sessionFor(endpoint, endpoint.list === undefined ? 'answer' : 'list')
    let isNext = false
    for (const input of inputs) {
      await this.#parts.show.plan(plan(session, endpoint, input), isNext)
      isNext = true
    }
  }

  /**
   * Sends a read request even in a dry run, because the printed request may depend on the response. Throws the same
   * errors as `call`.
   */
  async read<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer> {
    return call((await this.#parts.connection.sessionFor(endpoint)).caller, endpoint, input)
  }

  /**
   * Sends one read request after a successful change. Returns `null` if the request fails, because the change has been
   * made anyway.
   */
  async readBack<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer | null> {
    try {
      const { caller } = await this.#parts.connection.sessionFor(endpoint)
      return await call({ ...caller, retries: 0 }, endpoint, input, { ownConnection: true })
    } catch {
      return null
    }
  }

  /** Sends a read request after the response to a change was lost. Throws the same errors as `call`. */
  async readAfterLoss<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer> {
    const { caller } = await this.#parts.connection.sessionFor(endpoint)
    const { readImmediately } = await import('../../client/calls/read-immediately.ts')
    return readImmediately(caller, endpoint, input)
  }

  /** Records that the change was made, even though its response was lost. */
  endWrite(): void {
    this.#parts.progress.endWrite()
  }

  /** Works like {@link read}, but returns a complete list. `retries` overrides the session's number of retries. */
  async readAll<E extends Endpoint>(endpoint: E, input: CallInput<E>, retries?: number) {
    const { caller } = await this.#parts.connection.sessionFor(endpoint)
    return collect(streamList(retries === undefined ? caller : { ...caller, retries }, endpoint, input))
  }

  /**
   * Returns the records of a list. In a dry run, prints the request and returns `null`. Throws the same errors as
   * `streamList`.
   */
  async records<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<RecordBatches | null> {
    const whole = this.complete(endpoint, input)
    if (this.isDryRun) {
      await this.showPlans(endpoint, [whole])
      return null
    }
    const { caller } = await this.#parts.connection.sessionFor(endpoint, 'list')
    return this.#parts.sightings.watch(endpoint.id, streamList(caller, endpoint, whole))
  }

  /** Works like {@link records}, but requests a time range in pieces. Throws the same errors as `streamPieces`. */
  async pieces<E extends Endpoint>(endpoint: E, pieces: Iterable<Piece<E>>, seam: Seam): Promise<RecordBatches | null> {
    const whole = this.#completed(endpoint, pieces)
    if (this.isDryRun) {
      const inputs = Array.from(whole, ({ input }) => input)
      await this.showPlans(endpoint, inputs)
      return null
    }
    const { caller } = await this.#parts.connection.sessionFor(endpoint, 'list')
    const { streamPieces } = await import('../../client/calls/pieces.ts')
    return streamPieces(caller, endpoint, whole, seam)
  }

  *#completed<E extends Endpoint>(endpoint: E, pieces: Iterable<Piece<E>>): Generator<Piece<E>> {
    for (const { input, endMs } of pieces) yield { input: this.complete(endpoint, input), endMs }
  }

  /** Works like {@link records}, but requests a list in pages. Throws the same errors as `paginate`. */
  async pages<E extends Endpoint>(endpoint: E, input: CallInput<E>, paging: Paging): Promise<RecordBatches | null> {
    const whole = this.complete(endpoint, input)
    if (whole.extraQuery?.some(([name]) => /^(?:Limit|StartIndex)$/i.test(name)))
      throw usageFailure(['--param must not set Limit or StartIndex: paging sets them'], 'use --limit and --page-size')
    const session = await this.#parts.connection.sessionFor(endpoint, 'list')
    if (this.isDryRun) {
      const Limit = Math.min(paging.pageSize, paging.limit ?? paging.pageSize)
      const first = { ...whole, query: { ...whole.query, Limit, StartIndex: 0 } }
      await this.#parts.show.plan(plan(session, endpoint, first))
      return null
    }
    const { paginate } = await import('../../client/calls/paginate.ts')
    return this.#parts.sightings.watch(endpoint.id, paginate(session.caller, endpoint, whole, paging))
  }

  /**
   * Sends a request and prints the response. With `include`, also prints its status and headers. Throws the same errors
   * as `callAndPrint`.
   */
  async sendRaw<E extends Endpoint>(endpoint: E, input: CallInput<E>, include = false): Promise<void> {
    const { host, show, progress } = this.#parts
    const whole = this.complete(endpoint, input)
    const session = await this.#parts.connection.sessionFor(endpoint)
    if (this.isDryRun) return show.plan(plan(session, endpoint, whole))
    if (endpoint.write !== 'none') await this.#allowWrite(session)
    const { callAndPrint } = await import('../output/raw-output.ts')
    this.#isRaw = show.isPlain
    const printer = this.#isRaw ? null : show.printer()
    const onAnswer = endpoint.write === 'none' ? undefined : progress.endWrite
    await callAndPrint(session.caller, endpoint, whole, { host, printer, include, onAnswer })
  }

  /** Adds the parameters given with `--param` to an input. Throws USAGE if a parameter or an ID is invalid. */
  complete<E extends Endpoint>(endpoint: E, input: CallInput<E>): CallInput<E> {
    const problems = new Problems()
    const extraQuery = parseParameters(this.#parts.flags, problems)
    // The check of an ID does not depend on the service, so it runs even if no profile is chosen.
    problems.check(() => fillPath(endpoint, input.path ?? {}))
    problems.throwIfAny()
    return { ...input, extraQuery: [...(input.extraQuery ?? []), ...extraQuery] }
  }

  /**
   * Returns the session if changes are allowed and confirmed. Throws USAGE if they are not allowed, INTERRUPTED if the
   * user declines, or the same errors as {@link Connection.session}.
   */
  async writeSession(): Promise<Session> {
    const session = await this.#parts.connection.session()
    await this.#allowWrite(session)
    return session
  }

  /**
   * Returns the parts for sending a money write or reading its outcome. Throws INTERNAL or the same errors as {@link
   * writeSession}.
   */
  async moneyDesk(purpose: 'writing' | 'reading' = 'writing'): Promise<MoneyDesk> {
    const { connection, flags, host, operations, progress } = this.#parts
    const session = await (purpose === 'writing' ? this.writeSession() : connection.session())
    const { getCurrentMoment } = await import('../../money/operations/moment.ts')
    return {
      clock: getCurrentMoment,
      // A rate limit must not delay the reads that determine the outcome of a money write.
      caller: purpose === 'reading' ? { ...session.caller, pacing: 'ignore' } : session.caller,
      inbound: session.signing,
      store: await operations.open(),
      ...(session.ledger === null ? {} : { ledger: await progress.openLedger(host, session.ledger) }),
      service: session.service,
      force: flags.force === true,
    }
  }

  /**
   * Calls {@link Progress.refuseIfOpen} before a money write, unless `--force` is given. Throws USAGE if the profile is
   * read-only, or the same errors as that method.
   */
  async refuseIfOpen(command: string, target: string, cents: bigint | null): Promise<string | null> {
    const { ask, connection, flags, host, progress } = this.#parts
    const session = await connection.session()
    refuseReadOnly(session)
    if (flags.force) return null
    const { service, caller, timezone: zone, ledger } = session
    const intent = { command, target, cents, service, profile: caller.profile }
    const asksFirst = ask.needsConsent || host.order?.kind === 'prepare'
    return progress.refuseIfOpen(host, intent, { zone, ledger, asksFirst })
  }

  /**
   * Throws USAGE if the profile is read-only. Asks for confirmation if the profile requires it and there is no order.
   */
  async #allowWrite(session: Session): Promise<void> {
    const { ask, host, progress } = this.#parts
    refuseReadOnly(session)
    progress.intendsWrite = true
    if (host.order !== undefined || !wantsConfirmation(session, host.needsYes) || ask.hasAsked) return
    const { host: address, profile } = serviceOf(session)
    await ask.confirmHere(`Change data in ${session.environment ?? 'the venue'} (profile ${profile}, ${address})?`)
  }

  /** Whether to print where a write was sent. True if the output is a table or stderr is a terminal. */
  get shouldPrintDestination(): boolean {
    const { connection, show, host } = this.#parts
    return connection.isUsed && ((show.format === 'table' && !this.#isRaw) || host.stderrScreen.columns !== null)
  }
}
