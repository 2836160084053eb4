import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { type RecordBatches, WireRecord } from '../../base/json/list/wire-record.ts'
import { toIncomplete } from '../../client/calls/list.ts'
import type { Batches } from '../../terminal/input/filters/kept-records.ts'
import type { Printing, PrintOptions, Views } from '../../terminal/output/many/venue.ts'
import { singleBatch } from '../../terminal/output/printer.ts'
import { genericListView } from '../../terminal/render/generic-views.ts'
import type { ListView, ViewContext } from '../../terminal/render/view.ts'
import { withCleanTexts } from './untrusted.ts'

/** The maximum size, in bytes, of a result as JSON. */
export const MAX_RESULT_BYTES = 256 * 1024

/** The part of {@link MAX_RESULT_BYTES} that is reserved for the table of a list's first records. */
const ROOM_FOR_TEXT = 24 * 1024

/** What a command printed, without the characters that {@link withCleanTexts} removes. */
export type Captured = { readonly context: ViewContext } & (
  | {
      readonly form: 'list'
      readonly records: readonly JsonValue[]
      readonly isTruncated: boolean
      readonly view: ListView
    }
  | { readonly form: 'one'; readonly value: JsonObject; readonly views: Views }
)

/** Captures what a command prints, up to `limit` records and {@link MAX_RESULT_BYTES}. */
export class Capture implements Printing {
  readonly #limit: number
  result: Captured | null = null
  /** Returns the context for rendering the command's views, such as the time zone. */
  context: PrintOptions['context'] = async () => ({ timezone: null, now: Date.now() })

  constructor(limit: number) {
    this.#limit = limit
  }

  async list(batches: Batches, view: ListView, limit = Number.POSITIVE_INFINITY): Promise<void> {
    const records: JsonValue[] = []
    let bytes = '{"records":[],"truncated":false}'.length
    let isTruncated = false
    try {
      for await (const batch of batches) {
        for (const record of batch.slice(0, limit - records.length)) {
          const value = withCleanTexts(record.value)
          bytes += Buffer.byteLength(JSON.stringify(value)) + 1
          const mostBytes = records.length === 0 ? MAX_RESULT_BYTES : MAX_RESULT_BYTES - ROOM_FOR_TEXT
          isTruncated = records.length === this.#limit || bytes > mostBytes
          if (isTruncated) break
          records.push(value)
        }
        if (isTruncated || records.length >= limit) break
      }
    } catch (error) {
      throw toIncomplete(error, records.length)
    }
    if (isTruncated && records.length === 0) throw tooLarge('the first record')
    this.result = { context: await this.context(), form: 'list', records, isTruncated, view }
  }

  async genericList(batches: RecordBatches, limit?: number): Promise<void> {
    await this.list(batches, genericListView([]), limit)
  }

  async one(record: WireRecord, views: Views): Promise<void> {
    const value = withCleanTexts(record.value)
    if (Array.isArray(value)) return this.list(singleBatch(value.map(WireRecord.of)), views.list)
    if (Buffer.byteLength(JSON.stringify(value)) > MAX_RESULT_BYTES) throw tooLarge('the result')
    this.result = { context: await this.context(), form: 'one', value: isJsonObject(value) ? value : { value }, views }
  }
}

function tooLarge(what: string): Failure {
  return new Failure('INCOMPLETE', `${what} is larger than ${MAX_RESULT_BYTES / 1024} KiB, so it is not returned`)
}
