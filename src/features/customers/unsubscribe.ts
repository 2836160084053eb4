import { Failure } from '../../base/failure/failure.ts'
import { openBulkCalls } from '../../client/bulk/bulk-caller.ts'
import { digestOf } from '../../client/bulk/journal/entry.ts'
import { Journal } from '../../client/bulk/journal/journal.ts'
import { type BulkResult, Tally } from '../../client/bulk/result.ts'
import type { LineWriter, SendableLine } from '../../client/bulk/run-lines.ts'
import type { Answer } from '../../client/calls/answer.ts'
import { call } from '../../client/calls/call.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import { unsubscribeCustomer } from '../../contract/customers.ts'
import { readServiceWords } from '../../contract/shapes/problem.ts'
import { getCurrentMoment } from '../../money/operations/moment.ts'
import { readGivenText } from '../../terminal/input/body.ts'
import type { CommonFlags } from '../../terminal/input/command-line.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { checkId } from '../../terminal/input/values/ids.ts'
import { stopGracefully } from '../../terminal/output/bulk/graceful-stop.ts'
import { showBulk } from '../../terminal/output/bulk/show-bulk.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { unsubscribedCard, unsubscribedList } from './customer.ts'

export const MAX_CONCURRENCY = 64

type Input = CallInput<typeof unsubscribeCustomer>

type UnsubscribeFlags = CommonFlags & { readonly [F in 'concurrency' | 'journal']?: string | undefined }

/**
 * Unsubscribes the customers named on the command line and prints the result for each. Throws USAGE or PARTIAL_FAILURE.
 */
export async function unsubscribe(words: readonly string[], flags: UnsubscribeFlags, parts: RunParts): Promise<void> {
  const { service, show, say } = parts
  const problems = new Problems()
  const concurrency = problems.wholeNumber('--concurrency', flags.concurrency, 1, MAX_CONCURRENCY) ?? 1
  const isPiped = words.includes('-')
  const ids = [...new Set(isPiped ? await expandPipedIds(words) : words)]
  for (const id of ids) problems.check(() => checkId(id, 'ID'))
  problems.throwIfAny()
  const [only = ''] = ids
  if (ids.length === 0) await say('no IDs on standard input')
  if (ids.length === 1 && !isPiped && flags.journal === undefined) {
    const answer = await service.send(unsubscribeCustomer, { path: { id: only } })
    const views = { card: unsubscribedCard, list: unsubscribedList }
    if (answer === null) return
    return show.one(
      { id: only, outcome: 'unsubscribed', status: answer.status, message: serviceMessage(answer) },
      views,
    )
  }
  const lines = ids.map((id, at) => {
    const item = service.complete(unsubscribeCustomer, { path: { id } })
    return { line: at + 1, id, digest: digestOf(id), item }
  })
  const inputs = lines.map(({ item }) => item)
  if (service.isDryRun) return service.showPlans(unsubscribeCustomer, inputs)
  if (ids.length === 0) return show.all([], unsubscribedList)
  await unsubscribeMany(lines, concurrency, flags, parts)
}

async function unsubscribeMany(
  lines: readonly SendableLine<Input>[],
  concurrency: number,
  flags: UnsubscribeFlags,
  parts: RunParts,
): Promise<void> {
  const { service, show, host } = parts
  const { caller, service: to } = await service.writeSession()
  const of = { command: 'customers unsubscribe', service: to, profile: caller.profile }
  const journal = flags.journal === undefined ? null : await Journal.open(flags.journal, of)
  try {
    const stop = stopGracefully(host)
    const callerFor = openBulkCalls(caller, stop.signal)
    const writer: LineWriter<Input> = {
      async write({ item }, _doubt, onSend) {
        try {
          const sender = callerFor(() => onSend(null))
          const answer = await call(sender, unsubscribeCustomer, item)
          service.endWrite()
          return { outcome: 'accepted', status: answer.status, message: serviceMessage(answer) }
        } catch (error) {
          // A 409 counts as a rejection, because it never means that the customer is already unsubscribed.
          if (!(error instanceof Failure) || error.code !== 'CONFLICT') throw error
          return { outcome: 'rejected', status: 409, message: error.message }
        }
      },
    }
    const inOneBatch = (async function* () {
      yield lines
    })()
    const run = {
      lines: inOneBatch,
      ...{ writer, concurrency, journal, stop, tally: new Tally(), force: false, now: getCurrentMoment },
    }
    await showBulk(parts, flags, run, {
      printer: show.printer(),
      view: unsubscribedList,
      total: lines.length,
      recordOf: toRecord,
      words: journal && WORDS,
      many: 'customers',
      failedWords: 'could not be unsubscribed',
      hint: 'see the result lines; it is safe to run the command again for all customers',
    })
  } finally {
    journal?.close()
  }
}

/** Returns the service's message, or `null` if the response body is empty. */
function serviceMessage({ value, words, text }: Answer): string | null {
  return readServiceWords(value).message ?? (words.trim() || text.trim() || null)
}

const WORDS = {
  accepted: 'unsubscribed',
  skipped: 'unsubscribed in earlier runs',
  'already-there': 'failed',
  rejected: 'failed',
  invalid: 'invalid',
  unknown: 'unknown',
} as const

function toRecord({ id, outcome, status, message }: BulkResult) {
  const words = { accepted: 'unsubscribed', unknown: 'unknown' } as Readonly<Record<string, string>>
  return { id, outcome: words[outcome] ?? 'failed', status, message }
}

/** Replaces each `-` with the IDs that are read from standard input. Throws USAGE if standard input cannot be read. */
async function expandPipedIds(words: readonly string[]): Promise<readonly string[]> {
  const lines = (await readGivenText('-', 'ID')).split('\n').map((line) => line.trim())
  return words.flatMap((word) => (word === '-' ? lines.filter((line) => line !== '') : [word]))
}
