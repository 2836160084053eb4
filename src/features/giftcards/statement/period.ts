import { dataDirectory } from '../../../base/storage/directories.ts'
import { type Clock, parseInstant } from '../../../base/time/instant.ts'
import { SANDBOX_PROFILE } from '../../../client/profiles/profile.ts'
import { operationsPath } from '../../../money/operations/file.ts'
import { databaseToRead, openToRead } from '../../../sync/open-target.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { ONE_SOURCE, settingsOf, sourceOf, whoseOf } from '../../shared/copies.ts'
import { disagreement } from './disagreement.ts'
import { writesHere } from './known-here.ts'
import { remarksOn } from './printed/remarks.ts'
import { isOne } from './printed/shown.ts'
import { movementList, statementCard, statementShown, statementTotals } from './printed/views.ts'
import { statementRecord } from './records.ts'
import { type Period, readHistory } from './snapshots.ts'
import { cardsOf, makeStatement } from './statement.ts'

interface PeriodFlags {
  readonly source?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * Shows what became of what is owed on gift cards between two snapshots of a copy. It calls no service.
 * Fails: USAGE; as the copy does; PARTIAL_FAILURE when the service lacks some of what this machine did.
 */
export async function showPeriod(opened: Opened<PeriodFlags, object>, copy: string): Promise<void> {
  const { flags, host, connection, show, say } = opened
  const problems = new Problems()
  const kind = problems.check(() =>
    databaseToRead(
      copy,
      '--copy',
      'a file has no dated snapshots; make them with partner giftcards sync --to cards.db',
    ),
  )
  if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'leave it out')
  if (flags.source?.trim() === '') problems.add('--source must not be empty')
  // Without the zone first, so that mistakes are reported before a profile is needed.
  readPeriod(flags, { now: host.now(), timezone: null }, problems)
  problems.throwIfAny()
  const whose = whoseOf(settingsOf(host, flags))
  const source = sourceOf(flags.source, problems.settled(kind), whose)
  const timezone = await connection.zoneOf(whose.profile)
  connection.zone = timezone
  const period = readPeriod(flags, { now: host.now(), timezone }, problems)
  problems.throwIfAny()
  const target = await openToRead(copy, '--copy', { resource: 'giftcards', source, env: host.env, timezone })
  try {
    const history = await readHistory(target, { name: copy, source }, period)
    const service = whose.service ?? (whose.profile === SANDBOX_PROFILE ? 'sandbox' : null)
    const venue = { profile: whose.profile, service, cards: cardsOf(history), nowMs: host.now() }
    const known = service === null ? null : writesHere(operationsPath(dataDirectory(host.env)), venue)
    const statement = makeStatement(history, { writes: known?.writes ?? [], tellsWho: known !== null })
    const record = statementRecord(statement, { source, knownSinceMs: known?.sinceMs ?? null })
    const shown = statementShown(record)
    const isOfMany = host.venue !== undefined
    const views = { card: statementCard(shown), list: isOfMany ? statementTotals : movementList }
    if (isOne(show)) await show.one(show.isPlain && !isOfMany ? shown : record, views)
    else await show.all(record.movements, movementList)
    if (show.isPlain && isOfMany) await show.inFull(shown, views)
    for (const line of remarksOn(statement, known?.sinceMs ?? null)) await say(line)
    const failure = disagreement(statement, copy)
    if (failure !== null) throw failure
  } finally {
    await target.close()
  }
}

/** Reads --from and --to; what is wrong with them is noted. */
function readPeriod(flags: PeriodFlags, clock: Clock, problems: Problems): Period {
  const read = (name: 'from' | 'to', edge: 'lower' | 'upper') => {
    const text = flags[name]
    if (text === undefined) return null
    return problems.check(() => parseInstant(text, { ...clock, edge, flag: `--${name}` })) ?? null
  }
  const period = { fromMs: read('from', 'lower'), toMs: read('to', 'upper') }
  const isTurned = period.fromMs !== null && period.toMs !== null && period.fromMs > period.toMs
  if (isTurned) problems.add('--from is later than --to')
  return period
}
