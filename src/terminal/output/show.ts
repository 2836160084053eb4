import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import type { Answer } from '../../client/calls/answer.ts'
import type { Plan } from '../../client/plan.ts'
import type { WireRequest } from '../../http/transport.ts'
import { type CommonFlags, formatOf, parseColumns, reportFormatOf } from '../input/command-line.ts'
import type { Query } from '../input/query.ts'
import type { CheckResult } from '../render/formats/check-report.ts'
import { renderOne } from '../render/one-record.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import type { Format, ListView, ViewContext } from '../render/view.ts'
import type { Host } from '../runtime/host.ts'
import type { Printing, Views } from './many/venue.ts'
import { Printer } from './printer.ts'

type ShownAnswer = Pick<Answer, 'text'> & Partial<Pick<Answer, 'words' | 'status' | 'headers'>>

const BATCH = 500

/**
 * Creates the context for a view. `isForPerson` is true if a user reads the output, in any format. `day` is the day
 * that the list covers, or `null` if it can cover several.
 */
export type ContextOf = (isForPerson: boolean, day: string | null) => Promise<ViewContext>

/** Prints a command's results as the output flags require. */
export class Show {
  readonly #host: Host
  readonly #flags: CommonFlags
  readonly #query: Query | null
  /** The paths given with `--columns`, or `null` to use the view's own columns. */
  readonly columns: readonly string[] | null
  /** Whether `--query` is given. The query applies to the service's response, not to a summary. */
  readonly isQueried: boolean
  readonly #context: ContextOf
  #day: string | null = null

  /** Throws USAGE if `--columns` is invalid. */
  constructor(host: Host, flags: CommonFlags, query: Query | null, context: ContextOf) {
    this.#host = host
    this.#flags = flags
    this.#query = query
    this.isQueried = query !== null
    this.columns = parseColumns(flags.columns)
    this.#context = context
  }

  /** Returns the context for views. See {@link ContextOf} for `isForPerson`. */
  readonly context = (isForPerson = false): Promise<ViewContext> => this.#context(isForPerson, this.#day)

  /** The secrets that output must not contain, including those that are read later. */
  get hiddenSecrets(): readonly string[] {
    return this.#host.stdout.hidden
  }

  /** Sets the day (`2026-11-20`) if the list covers only one. If the footer shows the day, cells omit it. */
  ofDay(day: string | null): void {
    const { stdoutScreen, stderrScreen, venue } = this.#host
    // With several venues there is no common footer, because their time zones may differ.
    const hasFooter = !venue && stdoutScreen.columns !== null && stderrScreen.columns !== null && !this.#flags.quiet
    this.#day = hasFooter ? day : null
  }

  /** The output format. With `--query`, the default is JSON. */
  get format(): Format {
    if (this.#flags.raw) return 'ndjson'
    return this.#flags.json ? 'json' : (formatOf(this.#flags) ?? (this.isQueried ? 'json' : 'table'))
  }

  get isPlain(): boolean {
    return this.format === 'table' && this.columns === null && !this.isQueried
  }

  printer(format: Format = this.format): Printing {
    const options = this.#printerOptions(format)
    return this.#host.printer?.(options) ?? new Printer(options)
  }

  #printerOptions(format: Format) {
    const { 'no-header': headerless = false, raw = false } = this.#flags
    const { columns, context } = this
    return { host: this.#host, query: this.#query, format, columns, context, headerless, raw }
  }

  /**
   * Returns a printer for results that arrive one by one. If stdout is not a terminal, its default format is NDJSON.
   */
  streamPrinter(): Printing {
    const isUsual = this.#flags.output === undefined && !this.#flags.json && !this.isQueried
    const isForProgram = this.#host.stdoutScreen.columns === null
    return this.printer(isUsual && isForProgram ? 'ndjson' : this.format)
  }

  /**
   * Prints up to `limit` records as they arrive. Prints nothing if `batches` is `null`. Throws the same errors as
   * `Printer.list`.
   */
  async list(batches: AsyncIterable<readonly WireRecord[]> | null, view: ListView, limit?: number): Promise<void> {
    if (batches !== null) await this.printer().list(batches, view, limit)
  }

  /** Prints a list of unknown structure, as JSON by default. Prints nothing if `batches` is `null`. */
  async genericList(batches: AsyncGenerator<readonly WireRecord[]> | null, limit?: number): Promise<void> {
    if (batches !== null) await this.printer(formatOf(this.#flags) ?? 'json').genericList(batches, limit)
  }

  async genericRecords(records: readonly JsonValue[]): Promise<void> {
    const { genericListView } = await import('../render/generic-views.ts')
    await this.all(records, genericListView(records))
  }

  async all(records: Iterable<JsonValue>, view: ListView): Promise<void> {
    await this.list(inBatches(records), view)
  }

  /** Prints check results as they arrive, either as a list or as the test report given with `-o`. */
  async checks(results: AsyncIterable<CheckResult>, view: ListView, name: string): Promise<void> {
    const format = reportFormatOf(this.#flags)
    if (format === null) return this.list(recordsOf(results), view)
    const { openCheckReport } = await import('../render/formats/check-report.ts')
    const report = openCheckReport(format, name)
    for await (const result of results) await this.text(report.write(result))
    await this.text(report.end())
  }

  /**
   * Prints a response, or nothing if it is `null`. Prints `own` if the response is empty. If the response cannot be printed
   * as a record, prints `own` with the response in an additional `answer` member.
   */
  async answer(answer: ShownAnswer | null, views: Views, own: JsonObject = {}): Promise<void> {
    if (answer === null) return
    const { text, words = '' } = answer
    if (words !== '') await this.#warnOfWords(answer)
    const record = new WireRecord(text === '' ? 'null' : text)
    const isRow = (this.format !== 'csv' && this.format !== 'tsv') || isJsonObject(record.value)
    if (text !== '' && isRow) return this.printer().one(record, views)
    const came = text === '' ? words : record.value
    if (came === '') return this.one(own, views)
    const list = { ...views.list, csvPaths: [...views.list.csvPaths, 'answer'] }
    await this.one({ ...own, answer: came }, { card: views.card, list })
  }

  async #warnOfWords({ words = '', status, headers }: ShownAnswer): Promise<void> {
    const type = headers?.['content-type']?.split(';')[0] ?? 'text'
    const what = `the body is not JSON (${words.length} characters of ${type})`
    await this.#host.stderr.write(
      `${terminalSafe(`warning: the service answered ${status}, which indicates success, but ${what}`)}\n`,
    )
  }

  async one(value: JsonValue, views: Views): Promise<void> {
    await this.printer().one(WireRecord.of(value), views)
  }

  /** Prints an object as a card, even for one of several venues. The cards of venues follow their combined list. */
  async showDetails(value: JsonValue, views: Views): Promise<void> {
    await new Printer(this.#printerOptions('table')).one(WireRecord.of(value), views)
  }

  /** Prints an object on stderr before asking for confirmation. It is always shown as a card, even with `--json`. */
  async showBeforeConfirmation(answer: Pick<Answer, 'text'>, views: Views): Promise<void> {
    const text = await renderOne(new WireRecord(answer.text), {
      format: 'table',
      view: views.card,
      listView: views.list,
      columns: null,
      screen: this.#host.stderrScreen,
      context: await this.#context(true, null),
    })
    await this.#host.stderr.writeEvenIfQuiet(text)
  }

  /** Prints a request instead of sending it. `isNext` is true if another request was printed before this one. */
  async plan({ request, endpoint, session }: Plan, isNext = false): Promise<void> {
    const { requestText } = await import('./dry-run.ts')
    // A query needs JSON, even if the output format is different.
    const how = { format: this.isQueried ? 'json' : this.format, curl: this.#flags.curl === true } as const
    const { text, notes } = await requestText(request, endpoint, session, how)
    const isOneOfMany = this.#host.venue !== undefined && (how.format === 'json' || how.format === 'ndjson')
    if ((this.isQueried || isOneOfMany) && !how.curl) return this.#found(text)
    await this.text(isNext && this.format === 'table' ? `\n${text}` : text)
    for (const note of notes) await this.#host.stderr.write(`${terminalSafe(note)}\n`)
  }

  /** Prints a dry run's request to a receiver other than the service. */
  async request(request: WireRequest): Promise<void> {
    const { plainRequestText } = await import('./dry-run.ts')
    if (this.isQueried) return this.#found(plainRequestText(request, 'json'))
    await this.text(plainRequestText(request, this.format))
  }

  async #found(json: string): Promise<void> {
    const { genericCardView, genericListView } = await import('../render/generic-views.ts')
    const record = new WireRecord(json.trim())
    await this.printer().one(record, { card: genericCardView, list: genericListView([record.value]) })
  }

  async text(text: string): Promise<void> {
    await this.#host.stdout.write(text)
  }
}

async function* inBatches(records: Iterable<JsonValue>): AsyncGenerator<readonly WireRecord[]> {
  let batch: WireRecord[] = []
  for (const record of records) {
    if (batch.push(WireRecord.of(record)) < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

async function* recordsOf(results: AsyncIterable<CheckResult>): AsyncGenerator<readonly WireRecord[]> {
  for await (const result of results) yield [WireRecord.of({ ...result })]
}
