import { Failure, usageFailure } from '../../base/failure/failure.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import { openBulkCalls } from '../../client/bulk/bulk-caller.ts'
import { type Input, openInput } from '../../client/bulk/input/input.ts'
import { Journal } from '../../client/bulk/journal/journal.ts'
import { Tally } from '../../client/bulk/result.ts'
import type { BulkLine } from '../../client/bulk/run-lines.ts'
import { refuseReadOnly } from '../../client/write-policy.ts'
import { endLeftOvers, SalesInDoubt, saleWriter } from '../../features/sales/import.ts'
import { saleLines } from '../../features/sales/lines.ts'
import { MAP_FLAG, withSalesOfCsv } from '../../features/sales/reconcile/closings.ts'
import { type Survey, survey } from '../../features/sales/survey.ts'
import { importedList, importTotalsList } from '../../features/sales/views.ts'
import { settingsOf, whoseOf } from '../../features/shared/copies.ts'
import { readTableMap, TABLE_MAP_FLAG } from '../../features/shared/table-map-flag.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { momentHere } from '../../money/operations/moment.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { type CommonFlags, parseParameters } from '../../terminal/input/command-line.ts'
import { CHECKED_CALL_FLAGS, FORCE_FLAG, flag } from '../../terminal/input/flags.ts'
import { interruptible } from '../../terminal/input/interruptible.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { showBulk } from '../../terminal/output/bulk/show-bulk.ts'
import { softStop } from '../../terminal/output/bulk/soft-stop.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'

const CONCURRENCY = 4
const MOST_AT_ONCE = 64

export default class SalesImport extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Submit the sales of a file of NDJSON or CSV.'
  static override description =
    `Each line of NDJSON is the body of a sale, as sales create --data takes it, with amounts in cents. CSV has a column for each of saleId, total, currency, staffId and seats, and amounts in currency units; --map names columns that are called otherwise. A result line comes for each, as soon as it is known: NDJSON, and at a terminal a table; the exit code is 11 if any sale was not accepted.

A journal beside the file (FILE.journal) says what became of each sale. Run it again after whatever happened: what was accepted is not sent again, and what was rejected is.`
  static override usage = 'sales import FILE|- [FLAGS]'
  static override examples = [
    `echo '{"origin":{"saleId":"TILL-9"},"staff":{"id":"staff-1"},"table":{"seats":2,"number":"5"}}' | <%= config.bin %> <%= command.id %> - --dry-run`,
    `echo '{"origin":{"saleId":"TILL-9"},"staff":{"id":"staff-1"},"table":{"seats":2},"bookingId":"BK-1003","total":{"amount":4200,"currency":"AUD"}}' > sales.ndjson && <%= config.bin %> <%= command.id %> sales.ndjson`,
  ]
  static override args = { file: requiredArgument('file of NDJSON, or of CSV; - for standard input') }
  static override baseFlags = CHECKED_CALL_FLAGS
  static override flags = {
    concurrency: flag(
      'N',
      `How many sales are under way at the same time, 1 to ${MOST_AT_ONCE} (default: ${CONCURRENCY}).`,
    ),
    journal: flag('FILE', 'Where the journal is kept (default: FILE.journal; - has none).'),
    ...MAP_FLAG,
    ...TABLE_MAP_FLAG,
    ...FORCE_FLAG,
  }

  async run(): Promise<void> {
    const opened = await this.open(SalesImport)
    const { args, flags, host, service, connection } = opened
    const problems = new Problems()
    const concurrency = problems.wholeNumber('--concurrency', flags.concurrency, 1, MOST_AT_ONCE) ?? CONCURRENCY
    const extraQuery = parseParameters(flags, problems)
    if (flags.curl) problems.add('--curl shows one request, and this command makes many')
    const tables = (await problems.checkLater(() => readTableMap(flags['table-map']))) ?? null
    problems.throwIfAny()
    if (args.file === '-' && !service.isDryRun && flags.journal === undefined) throw noJournal('standard input')
    const file = await interruptible((signal) => openInput(args.file, () => process.stdin, signal))
    try {
      const input = await withSalesOfCsv(file, {
        map: flags.map ?? [],
        isChecked: !flags['no-validate'],
        zone: () =>
          service.isDryRun ? connection.zoneOf(whoseOf(settingsOf(host, flags)).profile) : connection.timezone(),
      })
      const reading = { isChecked: !flags['no-validate'], now: host.now(), tables }
      const read = () => saleLines(input, reading)
      const found = await survey(input.name, read)
      if (service.isDryRun) return await showSurvey(opened, input, found)
      await this.#import(opened, flags, input, found, { read, concurrency, extraQuery })
    } finally {
      file.close()
    }
  }

  async #import(parts: RunParts, flags: ImportFlags, input: Input, found: Survey, work: Work): Promise<void> {
    const { host, service, connection, show, say, warn, ask } = parts
    const { lines, invalid, unlinked, totals } = found
    const path = flags.journal ?? (input.path === null ? null : `${input.path}.journal`)
    if (path === null) throw noJournal(input.name)
    if (lines === 0) return say(`${input.name} has no sales`)
    const session = await connection.session()
    refuseReadOnly(session)
    const journal = await Journal.open(path, {
      command: 'sales import',
      ...{ service: session.service, profile: session.caller.profile },
    })
    try {
      if (ask.isWanted) await say(`${counted(lines - invalid, 'sale', 'sales')}: ${totals.map(totalText).join(', ')}`)
      const desk = await service.moneyDesk()
      endLeftOvers(desk, journal)
      if (unlinked !== null) await warn(unlinked)
      if (journal.size > 0) await say(`${path}: earlier runs dealt with ${counted(journal.size, 'sale', 'sales')}`)
      const stop = softStop(host)
      const inDoubt = new SalesInDoubt(journal)
      const run = {
        lines: inDoubt.watch(work.read()),
        writer: saleWriter(desk, openBulkCalls(desk.caller, stop.signal), work.extraQuery),
        ...{ concurrency: work.concurrency, journal, stop, tally: new Tally() },
        ...{ force: flags.force === true, now: momentHere },
      }
      await showBulk({ host, say }, flags, run, {
        printer: show.streamPrinter(),
        view: importedList,
        total: lines,
        recordOf: ({ line, id, outcome, status, message }) => ({ line, saleId: id, outcome, status, message }),
        ...SHOWN,
      }).finally(async () => {
        if (input.hasChanged()) await warn(`${input.name} was changed meanwhile: run it again for what is new`)
        const left = stop.signal.aborted ? null : inDoubt.words
        if (left !== null) await warn(`it is not known what became of sales that ${input.name} no longer has: ${left}`)
      })
      if (journal.hasBegun && host.stderrScreen.columns !== null) await say(`sent to ${await connection.place()}`)
    } finally {
      journal.close()
    }
  }
}

const SHOWN = {
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
  hint: 'see the result lines; mend the file and run it again: what was accepted is not sent again',
} as const

interface ImportFlags extends CommonFlags {
  readonly journal?: string | undefined
}

/** What is to be done with the lines. */
interface Work {
  readonly read: () => AsyncIterable<readonly BulkLine<JsonObject>[]>
  readonly concurrency: number
  readonly extraQuery: (readonly [string, string])[]
}

/** Shows what a file holds, in place of sending it. Fails: PARTIAL_FAILURE when a line cannot be sent. */
async function showSurvey({ show, say, warn }: RunParts, { name }: Input, found: Survey): Promise<void> {
  const { lines, invalid, complaints, unlinked, totals } = found
  for (const { line, invalid: why } of complaints) await say(`line ${line}: ${why}`)
  if (invalid > complaints.length) await say(`and ${invalid - complaints.length} more lines that cannot be sent`)
  if (unlinked !== null) await warn(unlinked)
  await show.all(totals, importTotalsList)
  await say(`${name}: ${counted(lines, 'line', 'lines')}, ${lines - invalid} can be sent; nothing was sent`)
  if (invalid === 0) return
  throw new Failure('PARTIAL_FAILURE', `${invalid} of ${lines} lines cannot be sent`, {
    hint: 'mend these lines; nothing was sent',
    details: { failed: invalid, of: lines, complaints },
  })
}

function totalText({ currency, type, sales, total }: JsonObject): string {
  const kind = type === 'SALE' ? '' : ` (${type})`
  return total === null ? `${sales} without a total${kind}` : `${currency} ${total}${kind}`
}

/** Sales that are sent twice are paid twice: what cannot be told from an earlier run needs a journal with a name. */
function noJournal(name: string): Failure {
  return usageFailure(
    [`${name} can be read only once, so the import needs --journal FILE`],
    'keep that file: with it the same import can be run again, and sends nothing twice',
  )
}
