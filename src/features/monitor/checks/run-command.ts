import type { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import type { RecordBatches, WireRecord } from '../../../base/json/list/wire-record.ts'
import { pause } from '../../../http/client/retry.ts'
import type { Printing, PrintOptions } from '../../../terminal/output/many/venue.ts'
import { runInner } from '../../../terminal/runtime/inner/run-inner.ts'
import type { CheckContext } from './context.ts'

/** How many records of a list are kept. */
const MOST_RECORDS = 1000

/** A sync or another reader may be using a copy for a moment, which is no reason for an alert. */
const MOST_ATTEMPTS = 5
const BUSY_WAIT_MS = 1000

/** How a partner command ended. */
export interface CommandResult {
  readonly failure: Failure | null
  /** The object that the command printed, or `null`. */
  readonly value: JsonValue
  /** The first records of the list that the command printed. */
  readonly records: readonly JsonValue[]
}

/** Keeps what a command prints. */
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

/** Runs a partner command in this process for a venue, without any output. Throws Interrupted. */
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

/** Returns the flags that variables set, because values that are not typed are not combined with variables. */
function effortIn({ env }: CheckContext['host']): Record<string, string> {
  const { PARTNER_TIMEOUT: timeout, PARTNER_RETRIES: retries } = env
  return { ...(timeout ? { timeout } : {}), ...(retries ? { retries } : {}) }
}

/** Returns the message of a failure as one line. */
export function failureLine({ message }: Failure): string {
  return message.replace(/:?\s*\n\s*/g, '; ')
}
