import { Failure, usageFailure } from '../../base/failure/failure.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import { type CallerFor, openBulkCalls } from '../../client/bulk/bulk-caller.ts'
import { type Input, openInput } from '../../client/bulk/input/input.ts'
import { Journal } from '../../client/bulk/journal/journal.ts'
import { Tally } from '../../client/bulk/result.ts'
import type { BulkLine, LineWriter } from '../../client/bulk/run-lines.ts'
import { refuseReadOnly } from '../../client/write-policy.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import { getCurrentMoment } from '../../money/operations/moment.ts'
import { extractSaleKey } from '../../money/sale-search.ts'
import { SALE, type SaleOrder, submitSaleOnce } from '../../money/sales.ts'
import { parseParameters } from '../../terminal/input/command-line.ts'
import { interruptible } from '../../terminal/input/interruptible.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { stopGracefully } from '../../terminal/output/bulk/graceful-stop.ts'
import { showBulk } from '../../terminal/output/bulk/show-bulk.ts'
import { limitHeapGrowth } from '../../terminal/output/heap.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { copyOwner, settingsOf } from '../shared/copies.ts'
import { readTableMap } from '../shared/table-map.ts'
import { counted } from '../shared/views/wording.ts'
import { readSaleLines, type SalesSummary, summarizeSales } from './lines.ts'
import { convertCsvToNdjson } from './reconcile/closings.ts'
import { importedList, importTotalsList } from './views.ts'

type ImportFlags = { readonly [F in 'concurrency' | 'journal' | 'table-map']?: string | undefined } & {
  readonly map?: readonly string[] | undefined
  readonly force?: boolean | undefined
}
type ImportParts = Opened<ImportFlags, { readonly file: string }>

export const DEFAULT_CONCURRENCY = 4
export const MAX_CONCURRENCY = 64
const MANY = 1000

/**
 * Submits a file's sales or checks them in a dry run. Throws USAGE before anything is sent. Also throws
 * PARTIAL_FAILURE and any error from `showBulk`.
 */
export async function importSales(opened: ImportParts): Promise<void> {
  const { args, flags, host, service, connection } = opened
  const problems = new Problems()
  const concurrency =
    problems.wholeNumber('--concurrency', flags.concurrency, 1, MAX_CONCURRENCY) ?? DEFAULT_CONCURRENCY
  const extraQuery = parseParameters(flags, problems)
  if (flags.curl) problems.add('--curl shows a single request, but this command makes many')
  const tables = (await problems.checkAsync(() => readTableMap(flags['table-map']))) ?? null
  problems.throwIfAny()
  if (args.file === '-' && !service.isDryRun && flags.journal === undefined)
    throw missingJournalFailure('standard input')
  const file = await interruptible((signal) => openInput(args.file, () => process.stdin, signal))
  try {
    const isChecked = !flags['no-validate']
    const zone = () =>
      service.isDryRun ? connection.zoneOf(copyOwner(settingsOf(host, flags)).profile) : connection.timezone()
    const input = await convertCsvToNdjson(file, { map: flags.map ?? [], isChecked, zone })
    const read = () => readSaleLines(input, { isChecked, now: host.now(), tables })
    const found = await summarizeSales(input.name, read)
    if (service.isDryRun) return await showSurvey(opened, input, found)
    await submitLines(opened, input, found, { read, concurrency, extraQuery })
  } finally {
    file.close()
  }
}

interface ImportOptions {
  readonly read: () => AsyncIterable<readonly BulkLine<JsonObject>[]>
  readonly concurrency: number
  readonly extraQuery: SaleOrder['extraQuery']
}

async function submitLines(opened: ImportParts, input: Input, found: SalesSummary, work: ImportOptions): Promise<void> {
  const { flags, host, service, connection, show, say, warn, ask } = opened
  const { lines, invalid, unlinked, totals } = found
  const path = flags.journal ?? (input.path === null ? null : `${input.path}.journal`)
  if (path === null) throw missingJournalFailure(input.name)
  if (lines === 0) return say(`${input.name} has no sales`)
  const session = await connection.session()
  refuseReadOnly(session)
  const { profile } = session.caller
  const journal = await Journal.open(path, { command: 'sales import', service: session.service, profile })
  try {
    if (ask.needsConsent)
      await say(`${counted(lines - invalid, 'sale', 'sales')}: ${totals.map(formatTotal).join(', ')}`)
    const desk = await service.moneyDesk()
    settleLeftoverOperations(desk, journal)
    if (unlinked !== null) await warn(unlinked)
    if (journal.size > 0) await say(`${path}: earlier runs processed ${counted(journal.size, 'sale', 'sales')}`)
    const stop = stopGracefully(host)
    if (lines > MANY) await limitHeapGrowth()
    const inDoubt = new Set([...journal.all()].filter(({ state }) => state === 'in-doubt').map(({ id }) => id))
    const run = {
      lines: removeSeenIds(inDoubt, work.read()),
      writer: createSaleWriter(desk, openBulkCalls(desk.caller, stop.signal), work.extraQuery),
      ...{ concurrency: work.concurrency, journal, stop, tally: new Tally() },
      ...{ force: flags.force === true, now: getCurrentMoment },
    }
    await showBulk({ host, say }, flags, run, {
      printer: show.streamPrinter(),
      view: importedList,
      total: lines,
      recordOf: ({ line, id, outcome, status, message }) => ({ line, saleId: id, outcome, status, message }),
      ...SUMMARY_OPTIONS,
    }).finally(async () => {
      // Wait until the last concluded operations have been committed. The store's `trouble` reports any error.
      await desk.store.together(() => {}).catch(() => {})
      if (input.hasChanged())
        await warn(`${input.name} changed during the import; to submit the new sales, run the import again`)
      if (!stop.signal.aborted && inDoubt.size > 0)
        await warn(`outcome unknown for sales that are no longer in ${input.name}: ${formatFirstIds(inDoubt)}`)
    })
    if (journal.hasBegun && host.stderrScreen.columns !== null) await say(`sent to ${await connection.destination()}`)
  } finally {
    journal.close()
  }
}

const SUMMARY_OPTIONS = {
  words: {
    accepted: 'accepted',
    skipped: 'accepted in earlier runs',
    'already-there': 'already there',
    rejected: 'rejected',
    invalid: 'invalid',
    unknown: 'unknown',
  },
  many: 'sales',
  failedWords: 'were not accepted',
  hint: 'see the result lines, correct the file and run the import again; accepted sales are not sent again',
} as const

/** Returns a writer that records each sale, sends it and determines the outcome, as `sales create` does. */
function createSaleWriter(
  desk: MoneyDesk,
  callerFor: CallerFor,
  extraQuery: SaleOrder['extraQuery'],
): LineWriter<JsonObject> {
  const { store } = desk
  const done = new Map<string, string>()
  return {
    async write({ id, item }, doubt, onSend) {
      let operation: string | null = null
      const caller = callerFor(() => onSend(operation))
      const onSending = (id: string) => {
        operation = id
      }
      const earlier = doubt && { firstSent: doubt.at, operation: doubt.operation }
      try {
        const order = { ...extractSaleKey(item), body: item, extraQuery }
        const result = await submitSaleOnce({ ...desk, caller, onSending, together: store.together }, order, earlier)
        done.set(id, result.operation.id)
        if (result.answer) return { outcome: 'accepted', status: result.answer.status, message: null }
        return { outcome: 'accepted', status: null, message: `${result.lost}, but the sale arrived: ${result.how}` }
      } catch (error) {
        if (doubt === null || !(error instanceof Failure) || error.code !== 'CONFLICT') throw error
        // A conflict means that the earlier attempt arrived. `submitSaleOnce` throws it only if it ignores the attempt,
        // for example with --force.
        return { outcome: 'accepted', status: 409, message: error.message }
      }
    },
    settled({ id }) {
      const operation = done.get(id)
      if (operation !== undefined) void store.concludeOne(operation).then(() => desk.ledger?.end(operation))
      done.delete(id)
    },
  }
}

/** Resolves the open operations that a killed run left behind if the journal records their sales as accepted. */
function settleLeftoverOperations({ store, service, clock }: MoneyDesk, journal: Journal): void {
  if (journal.size === 0) return
  for (const { id, command, service: at, target } of store.list({ state: 'open' })) {
    if (command !== SALE || at !== service) continue
    const known = journal.known(target)
    if (known?.state === 'accepted' && known.operation === id)
      store.settle(id, 'applied', 'the import journal records the sale as accepted', clock())
  }
}

async function* removeSeenIds<T>(ids: Set<string>, batches: AsyncIterable<readonly BulkLine<T>[]>) {
  for await (const batch of batches) {
    for (const { id } of batch) if (id !== null) ids.delete(id)
    yield batch
  }
}

function formatFirstIds(ids: ReadonlySet<string>): string {
  return [...ids].slice(0, 10).join(', ') + (ids.size > 10 ? ` and ${ids.size - 10} more` : '')
}

async function showSurvey({ show, say, warn }: ImportParts, { name }: Input, found: SalesSummary): Promise<void> {
  const { lines, invalid, complaints, unlinked, totals } = found
  for (const { line, invalid: why } of complaints) await say(`line ${line}: ${why}`)
  if (invalid > complaints.length) await say(`and ${invalid - complaints.length} more lines that cannot be sent`)
  if (unlinked !== null) await warn(unlinked)
  await show.all(totals, importTotalsList)
  await say(`${name}: ${counted(lines, 'line', 'lines')}, ${lines - invalid} can be sent; nothing was sent`)
  if (invalid === 0) return
  throw new Failure('PARTIAL_FAILURE', `${invalid} of ${lines} lines cannot be sent`, {
    hint: 'correct these lines; nothing was sent',
    details: { failed: invalid, of: lines, complaints },
  })
}

function formatTotal({ currency, type, sales, total }: JsonObject): string {
  const kind = type === 'SALE' ? '' : ` (${type})`
  return total === null ? `${sales} without a total${kind}` : `${currency} ${total}${kind}`
}

/**
 * Returns the failure if `--journal` is missing but required. It is required if the input is not a file, because sales
 * might otherwise be sent twice.
 */
function missingJournalFailure(name: string): Failure {
  return usageFailure(
    [`${name} can be read only once, so the import needs --journal FILE`],
    'keep the journal: with it, you can run the import again without sending a sale twice',
  )
}
