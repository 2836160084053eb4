import type { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import type { RecordBatches, WireRecord } from '../../../base/json/list/wire-record.ts'
import { pause } from '../../../http/client/retry.ts'
import type { Printing, PrintOptions } from '../../../terminal/output/many/venue.ts'
import { runInner } from '../../../terminal/runtime/inner/run-inner.ts'
import type { CheckContext } from './context.ts'

/** The maximum number of records to keep from a list. */
const MOST_RECORDS = 1000

/**
 * The number of attempts to read a locked copy. Another process may lock the copy briefly, which must not cause an
 * alert.
 */
const MOST_ATTEMPTS = 5
const BUSY_WAIT_MS = 1000

/** The result of a partner command. */
export interface CommandResult {
  readonly failure: Failure | null
  /** The object that the command printed, or `null`. */
  readonly value: JsonValue
  /** The first records of the list that the command printed. */
  readonly records: readonly JsonValue[]
}

class Collector implements Printing {
  value: JsonValue = null
  readonly records: JsonValue[] = []

  async list(batches: AsyncIterable<readonly WireRecord[]>): Promise<void> {
    for await (const batch of batches)
      for (const { value } of batch.slice(0, MOST_RECORDS - this.records.length)) this.records.push(value)
  }

  async genericList(batches: RecordBatches): Promise<void> {
    await this.list(batches)
  }

  async one(record: WireRecord): Promise<void> {
    this.value = record.value
  }
}

/** Runs a partner command for a venue in this process, without printing anything. Throws Interrupted. */
export async function runPartner(
  command: string,
  { args = {}, flags = {} }: { args?: Record<string, string>; flags?: Record<string, string | boolean | string[]> },
  { host, venue, signal }: CheckContext,
): Promise<CommandResult> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    const collector = new Collector()
    const printer: (options: PrintOptions) => Printing = () => collector
    const given = { args, flags: { ...effortIn(host), ...flags, ...venue.flags } }
    const { failure } = await runInner({ command, given, stdin: null, printer, signal }, host)
    if (failure?.code === 'INTERRUPTED') signal.throwIfAborted()
    const isBusy = failure?.code === 'LOCKED' && attempt < MOST_ATTEMPTS
    if (!isBusy) return { failure, value: collector.value, records: collector.records }
    await pause(BUSY_WAIT_MS, { signal, now: host.now })
  }
}

/** Converts environment variables to flags, because commands in this process do not read those variables. */
function effortIn({ env }: CheckContext['host']): Record<string, string> {
  const { PARTNER_TIMEOUT: timeout, PARTNER_RETRIES: retries } = env
  return { ...(timeout ? { timeout } : {}), ...(retries ? { retries } : {}) }
}

/** Returns a failure's message as one line. */
export function failureLine({ message }: Failure): string {
  return message.replace(/:?\s*\n\s*/g, '; ')
}
