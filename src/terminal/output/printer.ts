import type { RecordBatches, WireRecord } from '../../base/json/list/wire-record.ts'
import { hideSecrets } from '../../base/redaction/redaction.ts'
import { toIncomplete } from '../../client/calls/list.ts'
import { type Batches, withFirst } from '../input/filters/kept-records.ts'
import type { Query } from '../input/query.ts'
import { type ListWriter, openListWriter } from '../render/list-writer.ts'
import { renderParts } from '../render/one-record.ts'
import { watchForUnknownColumns } from '../render/unknown-columns.ts'
import type { ListOptions, ListView } from '../render/view.ts'
import type { Host } from '../runtime/host.ts'
import { limitHeapGrowth } from './heap.ts'
import type { Printing, PrintOptions, Views } from './many/venue.ts'

const LONG_LIST = 2000
/** Text longer than this many characters is printed in parts. */
const MAX_HELD_CHARACTERS = 65_536

/** Prints a command's results as the output flags require. */
export class Printer implements Printing {
  readonly #options: PrintOptions & { readonly host: Host }

  constructor(options: PrintOptions & { readonly host: Host }) {
    this.#options = options
  }

  /**
   * Prints up to `limit` records of a list. If `batches` fails before the first record, throws its error unchanged. If
   * it fails later, throws INCOMPLETE.
   */
  async list(batches: Batches, view: ListView, limit = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#options.query)
      return this.#found(this.#options.query, `[${(await held(batches, limit)).join(',\n')}]`, view)
    // Start the request before loading the code for tables, to save time.
    const iterator = batches[Symbol.asyncIterator]()
    const first = iterator.next()
    first.catch(() => {})
    const { host } = this.#options
    const writer = await openListWriter({ ...(await this.#listOptions()), view })
    let given = 0
    try {
      for (let step = await first; !step.done; step = await iterator.next()) {
        const taken = step.value.slice(0, limit - given)
        given += taken.length
        if (given > LONG_LIST) await limitHeapGrowth()
        await host.stdout.write(await writer.write(taken))
        if (given >= limit) break
      }
    } catch (error) {
      await host.stdout.write(await writer.abort())
      throw toIncomplete(error, given)
    } finally {
      // Close the list, because unread data from the response would keep the process alive.
      await iterator.return?.()
    }
    await this.#end(writer)
  }

  /** Prints a list of unknown structure. The first records determine the columns. */
  async genericList(batches: RecordBatches, limit?: number): Promise<void> {
    const first = await batches.next()
    const { genericListView } = await import('../render/generic-views.ts')
    const view = genericListView(first.done ? [] : first.value.map(({ value }) => value))
    await this.list(withFirst(first, batches), view, limit)
  }

  async one(record: WireRecord, views: Views): Promise<void> {
    const { query } = this.#options
    if (query) await this.#found(query, record.text, { ...views.list, card: views.card })
    else await this.#printOne(record, views)
  }

  async #found(query: Query, json: string, view: ListView): Promise<void> {
    const { host, raw } = this.#options
    const found = query.apply(json)
    const { presentQueryResult, rawLines } = await import('./query-result.ts')
    if (raw) return host.stdout.write(rawLines(found, this.#options.columns, host.stdoutScreen))
    const { records, isList, listView, card } = presentQueryResult(found, query, view, this.#options.format)
    const [first] = records
    if (!isList && first) return this.#printOne(first, { card, list: listView })
    const writer = await openListWriter({ ...(await this.#listOptions()), view: listView })
    await host.stdout.write(await writer.write(records))
    await this.#end(writer)
  }

  async #end(writer: ListWriter): Promise<void> {
    const { stdout, stderr, stderrScreen } = this.#options.host
    await stdout.write(await writer.end())
    await stderr.write(writer.remark(stderrScreen))
  }

  async #printOne(record: WireRecord, { card, list }: Views): Promise<void> {
    const { host, columns } = this.#options
    const parts = renderParts(record, { ...(await this.#listOptions()), view: card, listView: list })
    let text = ''
    for await (const part of parts) {
      text += part
      // With `--columns`, hold back all text, because the warning about unknown columns must be printed first.
      if (columns !== null || text.length < MAX_HELD_CHARACTERS) continue
      await host.stdout.write(text)
      text = ''
    }
    const unknown = watchForUnknownColumns(columns, list)
    unknown.see(record)
    await host.stderr.write(unknown.remark())
    await host.stdout.write(text)
  }

  async #listOptions(): Promise<Omit<ListOptions, 'view'>> {
    const { host, format, columns, headerless, context } = this.#options
    const hide = (text: Buffer) => hideSecrets(text, host.stdout.hidden)
    return { format, columns, headerless, screen: host.stdoutScreen, context: await context(), hide }
  }
}

export async function* singleBatch(records: readonly WireRecord[]): RecordBatches {
  yield records
}

async function held(batches: Batches, limit: number): Promise<string[]> {
  const records: string[] = []
  if (limit > 0)
    for await (const batch of batches) {
      for (const { text } of batch) records.push(text)
      if (records.length >= limit) break
    }
  return records.slice(0, limit)
}
