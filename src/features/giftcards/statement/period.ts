import { Failure } from '../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { dataDirectory } from '../../../base/storage/directories.ts'
import { type Clock, parseInstant, toWireTime } from '../../../base/time/instant.ts'
import { SANDBOX_PROFILE } from '../../../client/profiles/profile.ts'
import { centsText, sumOf } from '../../../money/amount.ts'
import { operationsPath } from '../../../money/operations/file.ts'
import { type CopyToRead, databaseToRead, openToRead } from '../../../sync/open-target.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { limitHeapGrowth } from '../../../terminal/output/heap.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { type CopyOwner, copyOwner, ONE_SOURCE, settingsOf, sourceName } from '../../shared/copies.ts'
import { showsOneValue } from './liability.ts'
import { readOwnWrites } from './own-writes.ts'
import { movementList, statementCard, statementTotals, toStatementView } from './printed/views.ts'
import { type NamedCopy, type Period, readHistory, toCardHistory } from './snapshots.ts'
import {
  createMovementFormatter,
  openStatement,
  type PrintedMovement,
  type Statement,
  statementRecord,
} from './statement.ts'

type PeriodFlags = { readonly [F in 'source' | 'from' | 'to']?: string | undefined }

/**
 * Shows a statement for the period between two snapshots. Throws PARTIAL_FAILURE if the service does not show one
 * of this machine's writes. Also throws USAGE and any error from the copy.
 */
export async function showPeriod(opened: Opened<PeriodFlags, object>, copy: string): Promise<void> {
  const { flags, host, connection, show, say } = opened
  const problems = new Problems()
  const noSnapshots = 'only a database has dated snapshots; to create one: partner giftcards sync --to cards.db'
  const kind = problems.check(() => databaseToRead(copy, '--copy', noSnapshots))
  if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'omit it')
  if (flags.source?.trim() === '') problems.add('--source must not be empty')
  // Read the period without a time zone first, to report mistakes before a profile is needed.
  readPeriod(flags, { now: host.now(), timezone: null }, problems)
  problems.throwIfAny()
  const whose = copyOwner(settingsOf(host, flags))
  const source = sourceName(flags.source, problems.valueOrThrow(kind), whose)
  const timezone = await connection.zoneOf(whose.profile)
  connection.zone = timezone
  const period = readPeriod(flags, { now: host.now(), timezone }, problems)
  problems.throwIfAny()
  const target = await openToRead(copy, '--copy', { resource: 'giftcards', source, env: host.env, timezone })
  try {
    const service = whose.service ?? (whose.profile === SANDBOX_PROFILE ? 'sandbox' : null)
    await limitHeapGrowth()
    const made = await makeStatement(target, { name: copy, source }, period, { ...whose, service }, host)
    const { statement, movements, knownSinceMs } = made
    const record = statementRecord(statement, movements, { source, knownSinceMs })
    const shown = toStatementView(record)
    const isOfMany = host.venue !== undefined
    const views = { card: statementCard(shown), list: isOfMany ? statementTotals : movementList }
    if (showsOneValue(show)) await show.one(show.isPlain && !isOfMany ? shown : record, views)
    else await show.all(record.movements, movementList)
    if (show.isPlain && isOfMany) await show.showDetails(shown, views)
    const remark = explainUnknownRedeemers(statement, knownSinceMs)
    if (remark !== null) await say(remark)
    const failure = missingWritesFailure(statement, copy)
    if (failure !== null) throw failure
  } finally {
    await target.close()
  }
}

function makeStatement(
  copy: CopyToRead,
  named: NamedCopy,
  period: Period,
  { profile, service }: CopyOwner,
  host: Host,
) {
  return readHistory(copy, named, period, async ({ takenMs, cards }) => {
    const path = operationsPath(dataDirectory(host.env))
    const known = service === null ? null : readOwnWrites(path, { profile, service, nowMs: host.now() })
    const movements: PrintedMovement[] = []
    const printed = createMovementFormatter()
    const parts = { writes: known?.writes ?? [], tellsWho: known !== null }
    const statement = openStatement(takenMs, parts, (movement) => movements.push(printed(movement)))
    for await (const batch of cards) for (const card of batch) statement.add(toCardHistory(card))
    return { statement: statement.end(), movements, knownSinceMs: known?.sinceMs ?? null }
  })
}

function readPeriod(flags: PeriodFlags, clock: Clock, problems: Problems): Period {
  const read = (name: 'from' | 'to', edge: 'lower' | 'upper') => {
    const text = flags[name]
    if (text === undefined) return null
    return problems.check(() => parseInstant(text, { ...clock, edge, flag: `--${name}` })) ?? null
  }
  const period = { fromMs: read('from', 'lower'), toMs: read('to', 'upper') }
  const isReversed = period.fromMs !== null && period.toMs !== null && period.fromMs > period.toMs
  if (isReversed) problems.add('--from is later than --to')
  return period
}

/**
 * Returns the failure for writes that the service does not show, or `null` if it shows all of them. `copy` is the
 * copy's name as typed.
 */
export function missingWritesFailure({ notShown }: Pick<Statement, 'notShown'>, copy: string): Failure | null {
  const [first] = notShown
  if (first === undefined) return null
  const redeemed = notShown.flatMap(({ cents }) => cents ?? [])
  const cancelled = notShown.length - redeemed.length
  const cards = redeemed.length === 1 ? 'one card' : `${redeemed.length} cards`
  const words = [
    ...(redeemed.length === 0 ? [] : [`redemptions of ${centsText(sumOf(redeemed))} on ${cards}`]),
    ...(cancelled === 0 ? [] : [cancelled === 1 ? 'one cancellation' : `${cancelled} cancellations`]),
  ]
  return new Failure('PARTIAL_FAILURE', `the service does not show ${words.join(' and ')} made by this machine`, {
    hint: `look at each card: partner timeline giftcard ${first.card} --copy ${quoteShellWord(copy)}`,
    details: { notShown: notShown.length },
  })
}

/**
 * Returns a note if it is unclear who made the redemptions, otherwise `null`. `knownSinceMs` has the same meaning as
 * in {@link statementRecord}.
 */
export function explainUnknownRedeemers(
  { kinds, elsewhereSinceMs }: Pick<Statement, 'kinds' | 'elsewhereSinceMs'>,
  knownSinceMs: number | null,
): string | null {
  if (knownSinceMs === null)
    return kinds.has('redeemed') || kinds.has('cancelled')
      ? 'it is unknown who made the redemptions: add --profile to show which of them this machine made for this venue'
      : null
  return elsewhereSinceMs !== null && elsewhereSinceMs < knownSinceMs
    ? `this machine has recorded its writes since ${toWireTime(knownSinceMs)}; earlier writes are listed as made elsewhere`
    : null
}
