import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { hideSecrets } from '../../base/redaction/redaction.ts'
import { serviceOf } from '../../client/format-service.ts'
import { isLoopback } from '../../http/loopback.ts'
import { SeenValues } from '../completion/sightings.ts'
import { Ask } from '../input/ask.ts'
import { type CommonFlags, checkFormat } from '../input/command-line.ts'
import type { Query } from '../input/query.ts'
import { type ContextOf, Show } from '../output/show.ts'
import type { Screen } from '../render/screen.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import type { ViewContext } from '../render/view.ts'
import { Connection, knownZone } from './connection.ts'
import { type Host, isVerbose } from './host.ts'
import { Progress } from './progress.ts'
import { type OuterParts, Service } from './service.ts'

export interface RunParts extends OuterParts {
  readonly service: Service
  readonly say: (line: string) => Promise<void>
  readonly warn: (text: string) => Promise<void>
  readonly debug: (line: string) => Promise<void>
}

/** The parts of a run and the parsed command line. `words` contains all arguments in their original order. */
export interface Opened<F, A> extends RunParts {
  readonly args: A
  readonly flags: F & CommonFlags
  readonly words: readonly string[]
}

type Capabilities = Readonly<Record<'callService' | 'sendBody', boolean>>

/** A single run of a command, from its flags to its result or failure. */
export class Run {
  readonly parts: RunParts
  readonly #progress = new Progress()
  readonly #sightings = new SeenValues()
  readonly #callsService: boolean

  private constructor(host: Host, flags: CommonFlags, argv: readonly string[], query: Query | null, can: Capabilities) {
    this.#callsService = can.callService
    if (can.sendBody) this.#progress.intendsWrite = true
    const say = async (line: string) => host.stderr.write(await linesOf(line, host.stderr.hidden, host.stderrScreen))
    const context: ContextOf = (isForPerson, day) => this.#viewContext(isForPerson, day)
    const show = new Show(host, flags, query, context)
    const progress = this.#progress
    const connection = new Connection({ host, flags, argv, progress })
    const ask = new Ask(host, flags, () => connection.destination())
    const operations = {
      open: () => progress.openStore(host.env),
      ledger: async () => {
        const { findLedger } = await import('./money-records.ts')
        const url = findLedger(host, flags)
        return url === null ? null : progress.openLedger(host, url)
      },
    }
    const parts = { host, connection, show, ask, operations }
    const service = new Service({ ...parts, flags, progress, sightings: this.#sightings })
    const warn = (text: string) => say(`warning: ${text}`)
    const debug = async (line: string) => {
      if (isVerbose(host, flags.verbose === true)) await say(line)
    }
    this.parts = { ...parts, service, say, warn, debug }
  }

  /** Starts a run. Throws USAGE if the output flags are invalid, before anything can be sent. */
  static async begin(host: Host, flags: CommonFlags, argv: readonly string[], can: Capabilities): Promise<Run> {
    if (flags.quiet && flags.verbose) throw usageFailure(['--quiet and --verbose cannot be used together'])
    if (flags.quiet) {
      host.stderr.isQuiet = true
      host.waiting.silence()
    }
    if (flags['no-input']) host.disableQuestions()
    if (can.callService && flags.curl && !flags['dry-run'])
      throw usageFailure(['--curl needs --dry-run'], 'add --dry-run')
    checkFormat(flags, argv)
    const query = flags.query === undefined ? null : (await import('../input/query.ts')).openQuery(flags.query)
    return new Run(host, flags, argv, query, can)
  }

  /** Looks up the time zone only if it will be shown. The lookup is slow: it takes half as long as starting Node. */
  async #viewContext(isForPerson: boolean, day: string | null): Promise<ViewContext> {
    const { connection, show, host } = this.parts
    const now = host.now()
    // MCP tool results always include a table, so they need the time zone in every format.
    if (show.format !== 'table' && !isForPerson && !host.given) return { timezone: null, now, day }
    const session = await connection.opened()
    if (session === null) return { timezone: connection.zone, now, day }
    return {
      now,
      day,
      get timezone() {
        return knownZone(session.timezone)
      },
    }
  }

  /** Ends a successful run. A money write is marked as concluded only after its response has been printed. */
  async finish(): Promise<void> {
    const { connection, service, host, say } = this.parts
    if (this.#progress.hasWritten) {
      await host.stdout.flush()
      this.#progress.store?.conclude()
      if (service.shouldPrintDestination) await say(`sent to ${await connection.destination()}`)
    }
    await this.#endRecords()
  }

  /** Returns the error to report for a failed run. The error names the service. */
  async explain(error: unknown): Promise<unknown> {
    await this.#endRecords()
    const { hasWritten, undelivered } = this.#progress
    if (!hasWritten) return this.#withService(this.#withNothingSent(error))
    const { failureAfterWrite } = await import('./after-write.ts')
    return this.#withService(failureAfterWrite(error, undelivered))
  }

  /** Returns the error to report for a run that was abandoned for `reason`. */
  async explainAbandonment(reason: unknown): Promise<unknown> {
    const { isWriting, hasWritten, undelivered, store } = this.#progress
    const { failureAfterWrite, failureDuringWrite } = await import('./after-write.ts')
    if (isWriting) return failureDuringWrite(reason, store?.lastSent ?? null)
    return hasWritten ? failureAfterWrite(reason, undelivered) : this.#withNothingSent(reason)
  }

  /** Adds "nothing was sent" or "nothing was changed" to an interruption, but only if that is certain. */
  #withNothingSent(error: unknown): unknown {
    const { isUnsent, isWriting, hasSentRequest } = this.#progress
    if (!(error instanceof Interrupted) || isWriting) return error
    if (isUnsent)
      return new Failure('INTERRUPTED', `${error.message}; nothing was sent`, { outcome: 'not-applied', cause: error })
    if (error.maybeSent || (!error.atInput && (hasSentRequest || !this.#callsService))) return error
    return new Failure('INTERRUPTED', `${error.message}; nothing was ${this.#callsService ? 'sent' : 'changed'}`)
  }

  async close(): Promise<void> {
    // Do not store values for MCP tool calls, which do not use shell completion.
    if (!this.parts.host.given) await this.#storeSightings().catch(() => {})
    await this.parts.connection.close()
    await this.#progress.ledger?.close()
    this.#progress.store?.close()
  }

  /**
   * Stores values for shell completion. A card number can be spent like money, so card numbers are stored only for test
   * services.
   */
  async #storeSightings(): Promise<void> {
    const session = await this.parts.connection.opened()
    if (session === null) return
    const { service, environment, caller } = session
    const mayKeepCards =
      service === 'sandbox' ||
      environment === 'development' ||
      (environment === null && isLoopback(caller.baseUrl.hostname))
    await this.#sightings.save(this.parts.host.env, caller.profile, mayKeepCards)
  }

  /** Adds the service to an error, unless it is a usage error. */
  async #withService(error: unknown): Promise<unknown> {
    const session = await this.parts.connection.opened()
    if (session && error instanceof Failure && error.code !== 'USAGE') error.service = serviceOf(session)
    return error
  }

  /** Updates the ledger. Warns if the ledger or the local record could not be updated. */
  async #endRecords(): Promise<void> {
    const { store, ledger } = this.#progress
    await ledger?.endAll()
    for (const trouble of [store?.trouble, ledger?.trouble]) if (trouble) await this.parts.warn(trouble)
  }
}

/** Wraps a line for stderr. Secrets are hidden first, because wrapping could split a secret. */
async function linesOf(line: string, secrets: readonly string[], screen: Screen): Promise<string> {
  const clean = hideSecrets(line, secrets)
  if (screen.columns === null || clean.length <= screen.columns / 2) return `${terminalSafe(clean)}\n`
  const { hangingLines } = await import('../render/text/message-lines.ts')
  return `${(await hangingLines(clean, screen)).join('\n')}\n`
}
