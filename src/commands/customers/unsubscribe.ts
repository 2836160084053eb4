import { Failure } from '../../base/failure/failure.ts'
import { openBulkCalls } from '../../client/bulk/bulk-caller.ts'
import { digestOf } from '../../client/bulk/journal/entry.ts'
import { Journal } from '../../client/bulk/journal/journal.ts'
import { type BulkResult, Tally } from '../../client/bulk/result.ts'
import type { BulkLine, LineWriter } from '../../client/bulk/run-lines.ts'
import type { Answer } from '../../client/calls/answer.ts'
import { call } from '../../client/calls/call.ts'
import { unsubscribeCustomer } from '../../contract/customers.ts'
import { readServiceWords } from '../../contract/shapes/problem.ts'
import { unsubscribedCard, unsubscribedList } from '../../features/customers/customer.ts'
import { momentHere } from '../../money/operations/moment.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { readGivenText } from '../../terminal/input/body.ts'
import { CALL_FLAGS, flag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { checkId } from '../../terminal/input/values/ids.ts'
import { showBulk } from '../../terminal/output/bulk/show-bulk.ts'
import { softStop } from '../../terminal/output/bulk/soft-stop.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

const MOST_AT_ONCE = 64

export default class CustomersUnsubscribe extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Unsubscribe customers from marketing emails.'
  static override description =
    'Several customers are unsubscribed one after the other, with a result line for each; the exit code is 11 if any of them failed. With -, IDs are read from standard input, one a line. It is safe to run it again; with --journal, a long list goes on where it stopped.'
  static override usage = 'customers unsubscribe ID…|- [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> C-1001',
    '<%= config.bin %> <%= command.id %> C-1001 C-1002 C-1003 -o ndjson',
    '<%= config.bin %> customers list --search charlotte --query "[].id" --raw | <%= config.bin %> <%= command.id %> -',
  ]
  static override args = {
    id: requiredArgument('customer ID, as customers list prints it, or - for standard input; may be repeated'),
  }
  static override strict = false
  static override baseFlags = CALL_FLAGS
  static override flags = {
    concurrency: flag('N', `How many are unsubscribed at the same time, 1 to ${MOST_AT_ONCE} (default: 1).`),
    journal: flag('FILE', 'Keep in this file who is done, and leave them out when it is run again.'),
  }

  async run(): Promise<void> {
    const { words, flags, service, show, host, say } = await this.open(CustomersUnsubscribe)
    const problems = new Problems()
    const concurrency = problems.wholeNumber('--concurrency', flags.concurrency, 1, MOST_AT_ONCE) ?? 1
    const isPiped = words.includes('-')
    const ids = [...new Set(isPiped ? await withPiped(words) : words)]
    for (const id of ids) problems.check(() => checkId(id, 'ID'))
    problems.throwIfAny()
    const [only = ''] = ids
    if (ids.length === 0) await say('no IDs on standard input')
    if (ids.length === 1 && !isPiped && flags.journal === undefined) {
      const answer = await service.send(unsubscribeCustomer, { path: { id: only } })
      const views = { card: unsubscribedCard, list: unsubscribedList }
      if (answer === null) return
      return show.one({ id: only, outcome: 'unsubscribed', status: answer.status, message: saidBy(answer) }, views)
    }
    const inputs = ids.map((id) => service.complete(unsubscribeCustomer, { path: { id } }))
    if (service.isDryRun) return service.showPlans(unsubscribeCustomer, inputs)
    if (ids.length === 0) return show.all([], unsubscribedList)
    const { caller, service: to } = await service.writeSession()
    const of = { command: 'customers unsubscribe', service: to, profile: caller.profile }
    const journal = flags.journal === undefined ? null : await Journal.open(flags.journal, of)
    try {
      const stop = softStop(host)
      const callerFor = openBulkCalls(caller, stop.signal)
      const writer: LineWriter<(typeof inputs)[number]> = {
        async write({ item }, _doubt, onSend) {
          const one = callerFor(() => onSend(null))
          try {
            const answer = await call(one, unsubscribeCustomer, item)
            service.endWrite()
            return { outcome: 'accepted', status: answer.status, message: saidBy(answer) }
          } catch (error) {
            // Nobody is unsubscribed by a 409, whatever it is about.
            if (!(error instanceof Failure) || error.code !== 'CONFLICT') throw error
            return { outcome: 'rejected', status: 409, message: error.message }
          }
        },
      }
      const lines = inputs.map((item, at): BulkLine<typeof item> => lineOf(ids[at] ?? '', at + 1, item))
      const run = {
        lines: inOneBatch(lines),
        ...{ writer, concurrency, journal, stop, tally: new Tally(), force: false, now: momentHere },
      }
      await showBulk({ host, say }, flags, run, {
        printer: show.printer(),
        view: unsubscribedList,
        total: ids.length,
        recordOf,
        words: journal && WORDS,
        many: 'customers',
        failedWords: 'could not be unsubscribed',
        hint: 'see the result lines; it is safe to run it again for all of them',
      })
    } finally {
      journal?.close()
    }
  }
}

/** What the service answered, in its own words; null for an empty body. */
function saidBy({ value, words, text }: Answer): string | null {
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

function lineOf<T>(id: string, line: number, item: T): BulkLine<T> {
  return { line, id, digest: digestOf(id), item }
}

async function* inOneBatch<T>(lines: readonly BulkLine<T>[]) {
  yield lines
}

function recordOf({ id, outcome, status, message }: BulkResult) {
  const words = { accepted: 'unsubscribed', unknown: 'unknown' } as Readonly<Record<string, string>>
  return { id, outcome: words[outcome] ?? 'failed', status, message }
}

/** The IDs of the command line, with those of standard input in place of each `-`. Fails: USAGE when it cannot be read. */
async function withPiped(words: readonly string[]): Promise<readonly string[]> {
  const lines = (await readGivenText('-', 'ID')).split('\n').map((line) => line.trim())
  return words.flatMap((word) => (word === '-' ? lines.filter((line) => line !== '') : [word]))
}
