import { CALL_FLAGS, flag } from '../../cli/input/flags.ts'
import { parsePaging } from '../../cli/input/paging.ts'
import { Problems } from '../../cli/input/problems.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import type { Opened } from '../../cli/runtime/run.ts'
import { listGiftCards } from '../../contract/giftcards.ts'
import { isJsonObject } from '../../json/exact.ts'
import { SANDBOX_PROFILE } from '../../profiles/profile.ts'
import { kindToRead, openToRead } from '../../sync/open-target.ts'
import { parseInstant } from '../../time/instant.ts'
import { settingsOf, sourceOf, whoseOf } from '../_copies.ts'

export default class GiftcardsStatement extends PartnerCommand {
  static override summary = 'Say what is owed on gift cards, and how that came about between two days.'
  static override description =
    `Without --copy it asks the service: what is left on Active and PendingPostage cards, by status, age and month of expiry. With --copy it calls nobody, and compares two dated snapshots of giftcards sync: opening + issued - redeemed - cancelled - expired = closing, with each movement by card. TIME is as in bookings list.

It holds what this machine redeemed and cancelled against what the service shows, and ends with exit 11 when the service lacks some of that. What others redeemed, such as the POS next door, is named. What the service does not tell is said, and never guessed.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> giftcards sync --to cards.db && <%= config.bin %> giftcards redeem GIFT1-00000100-AAAA --amount 25 --yes && <%= config.bin %> giftcards sync --to cards.db && <%= config.bin %> <%= command.id %> --copy cards.db',
    '<%= config.bin %> <%= command.id %> --json --query owed.amount',
  ]
  static override baseFlags = CALL_FLAGS
  static override flags = {
    copy: flag('TARGET', 'The snapshots: x.db or postgres://…, as of giftcards sync --to.'),
    source: flag('NAME', "With --copy: whose gift cards (default: the profile's name)."),
    from: flag('TIME', 'With --copy: open with the snapshot at or before TIME (default: the one before the last).'),
    to: flag('TIME', 'With --copy: close with the snapshot at or before TIME (default: the last).'),
  }

  async run(): Promise<void> {
    const opened = await this.open(GiftcardsStatement)
    const { copy, ...rest } = opened.flags
    if (copy !== undefined) return showPeriod(opened, copy)
    const problems = new Problems()
    for (const name of ['source', 'from', 'to'] as const)
      if (rest[name] !== undefined)
        problems.add(`--${name} needs --copy TARGET`, 'partner giftcards sync keeps a copy, such as --copy cards.db')
    problems.throwIfAny()
    await showNow(opened)
  }
}

interface StatementFlags {
  readonly source?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Shows what is owed now. */
async function showNow({ service, connection, show, host }: Opened<StatementFlags, object>): Promise<void> {
  const query = { IncludeCancelled: true, IncludeRedeemed: true, IncludeExpired: true }
  const pages = await service.pages(listGiftCards, { query }, parsePaging({}, new Problems()))
  if (pages === null) return
  const [{ LiabilityCount }, { liabilityCard, liabilityList, liabilityRows }] = await Promise.all([
    import('../../books/statement/liability.ts'),
    import('../../views/books/liability.ts'),
  ])
  const count = new LiabilityCount(host.now(), await connection.timezone('list'))
  for await (const batch of pages) for (const { value } of batch) if (isJsonObject(value)) count.add(value)
  const liability = { ...count.result() }
  if (isOne(show)) return show.one(liability, { card: liabilityCard, list: liabilityList })
  await show.all(liabilityRows(liability), liabilityList)
}

/** Shows what became of it between two snapshots. Fails: USAGE; as the copy does; PARTIAL_FAILURE when the service lacks some of ours. */
async function showPeriod(opened: Opened<StatementFlags, object>, copy: string): Promise<void> {
  const { flags, host, connection, show, say } = opened
  const problems = new Problems()
  const kind = problems.check(() => kindToRead(copy, '--copy'))
  if (kind === 'file')
    problems.add('--copy must be a database: a file has no dated snapshots', 'such as --copy cards.db')
  if (flags.source?.trim() === '') problems.add('--source must not be empty')
  const readPeriod = (timezone: string | null) => {
    const read = (name: 'from' | 'to', edge: 'lower' | 'upper') => {
      const text = flags[name]
      const how = { now: host.now(), timezone, edge, flag: `--${name}` }
      return text === undefined ? null : (problems.check(() => parseInstant(text, how)) ?? null)
    }
    const period = { fromMs: read('from', 'lower'), toMs: read('to', 'upper') }
    if (period.fromMs !== null && period.toMs !== null && period.fromMs > period.toMs)
      problems.add('--from is later than --to')
    problems.throwIfAny()
    return period
  }
  readPeriod(null)
  const whose = whoseOf(settingsOf(host, flags))
  const source = sourceOf(flags.source, problems.settled(kind), whose)
  const timezone = await connection.zoneOf(whose.profile)
  connection.zone = timezone
  const period = readPeriod(timezone)
  const [
    { readHistory },
    { makeStatement },
    { writesHere },
    { statementRecord },
    { disagreement },
    { OperationStore },
  ] = await Promise.all([
    import('../../books/statement/snapshots.ts'),
    import('../../books/statement/statement.ts'),
    import('../../books/statement/known-here.ts'),
    import('../../books/statement/records.ts'),
    import('../../books/statement/disagreement.ts'),
    import('../../money/operations/store.ts'),
  ])
  const target = await openToRead(copy, '--copy', { resource: 'giftcards', source, env: host.env, timezone })
  try {
    const history = await readHistory(target, { name: copy, source }, period)
    const service = whose.service ?? (whose.profile === SANDBOX_PROFILE ? 'sandbox' : null)
    const cards = new Set([...history.opening.keys(), ...history.changes.map(({ card }) => card)])
    const { dataDirectory } = await import('../../storage/directories.ts')
    const path = OperationStore.pathIn(dataDirectory(host.env))
    const known = service === null ? null : writesHere(path, { profile: whose.profile, service, cards })
    const statement = makeStatement(history, { writes: known?.writes ?? [], tellsWho: known !== null })
    const record = statementRecord(statement, { source, knownSinceMs: known?.sinceMs ?? null })
    const { movementList, statementCard, statementShown } = await import('../../views/books/statement.ts')
    const views = { card: statementCard, list: movementList }
    if (show.isPlain) await show.one(statementShown(record), views)
    else if (isOne(show)) await show.one(record, views)
    else await show.all(record.movements, movementList)
    if (known === null)
      await say(
        'without a profile it is not known which redemptions of this machine are for this venue: name one with --profile',
      )
    else if (known.sinceMs > statement.fromMs)
      await say(
        `this machine keeps what it redeemed since ${new Date(known.sinceMs).toISOString()}: what it redeemed before that counts as elsewhere`,
      )
    const failure = disagreement(statement, copy)
    if (failure !== null) throw failure
  } finally {
    await target.close()
  }
}

/** Whether it is shown as one value; else as rows. */
function isOne({ isPlain, isQueried, format }: Opened<StatementFlags, object>['show']): boolean {
  return isPlain || isQueried || format === 'json' || format === 'ndjson'
}
