import { Failure } from '../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { CheckKind, CopyCheck, EventsCheck } from '../../../monitor/file/monitor-file.ts'
import type { Finding } from '../../../monitor/state/machine.ts'
import { databaseKind } from '../../../sync/database-kind.ts'
import type { FailedRun } from '../../../sync/watching/failed-run.ts'
import type { SyncStatus } from '../../../sync/watching/status.ts'
import { counted } from '../../shared/views/wording.ts'
import { type CheckContext, commandLine, forVenue, ok, unknown, withoutPassword, wrong } from './context.ts'
import { failureLine, runPartner } from './run-command.ts'

/** Checks how far behind a copy is and whether its last run failed. Throws Interrupted. */
export async function checkCopy(
  { copy, olderThanMs, resource, source }: CopyCheck,
  context: CheckContext,
): Promise<Finding> {
  const to = forVenue(copy, context.venue)
  const flags = { to, ...(source === null ? {} : { source: forVenue(source, context.venue) }) }
  const { value, failure } = await runPartner(`${resource} sync status`, { flags }, context)
  const named = source === null ? [] : ['--source', flags.source ?? '']
  const next = commandLine([resource, 'sync', 'status', '--to', withoutPassword(to), ...named], context.venue)
  if (failure !== null) return unknown(failureLine(failure), next)
  const { lagSeconds, lastFailure } = value as unknown as SyncStatus & { readonly lastFailure?: FailedRun }
  if (lastFailure !== undefined) return wrong(`the last run failed at ${lastFailure.at}: ${lastFailure.message}`, next)
  if (lagSeconds === null) return wrong('no sync has finished yet', next)
  const ageMs = lagSeconds * 1000
  const age = `the copy is ${formatDuration(ageMs)} behind`
  return ageMs > olderThanMs ? wrong(age, next) : ok(age)
}

type OperationsCheck = Extract<CheckKind, { readonly kind: 'operations' }>

/** Checks for money writes whose outcome has been unknown for too long. Throws Interrupted. */
export async function checkOperations({ openLongerThanMs }: OperationsCheck, context: CheckContext): Promise<Finding> {
  const list = ['operations', 'list', '--state', 'open']
  const { records, failure } = await runPartner('operations list', { flags: { state: 'open' } }, context)
  if (failure !== null) return unknown(failureLine(failure), commandLine(list, context.venue))
  const ageMs = (record: JsonValue) => context.host.now() - Date.parse(textOf(record, 'startedAt'))
  const old = records.filter((record) => ageMs(record) > openLongerThanMs).sort((a, b) => ageMs(b) - ageMs(a))
  const [oldest] = old
  if (oldest === undefined)
    return ok(
      records.length === 0
        ? 'no operation is open'
        : `${counted(records.length, 'operation is', 'operations are')} open, but not for long`,
    )
  const [id, command, amount] = ['id', 'command', 'amount'].map((name) => textOf(oldest, name)) as [
    string,
    string,
    string,
  ]
  const write = amount === '' ? command : `${command} of ${amount}`
  // Do not name the target: it may be a gift card, and anyone who has its number can spend its balance.
  const first = `the outcome of ${write} (${id}) has been unknown for ${formatDuration(ageMs(oldest))}`
  const more = old.length > 1 ? `, and of ${old.length - 1} more` : ''
  return wrong(first + more, old.length > 1 ? commandLine(list, context.venue) : `partner operations resolve ${id}`)
}

/** Checks for dead events and for a long time without deliveries. Throws Interrupted. */
export async function checkEvents(
  { journal: given, silentForMs }: EventsCheck,
  context: CheckContext,
): Promise<Finding> {
  const journal = forVenue(given, context.venue)
  const isInbox = databaseKind(journal) === 'postgres'
  const named = quoteShellWord(withoutPassword(journal))
  const next = isInbox ? `partner webhooks inbox --from ${named}` : `ls -l ${named}`
  try {
    const { sinceMs, isEmpty, dead } = isInbox
      ? await readInboxState(journal, context)
      : await readJournalState(journal)
    if (dead > 0) return wrong(`${counted(dead, 'event is', 'events are')} dead`, `${next} --state dead`)
    const silentMs = Math.max(0, context.host.now() - sinceMs)
    const never = 'nothing has been delivered yet'
    if (silentForMs !== null && silentMs > silentForMs) {
      const words = Number.isFinite(silentMs) ? `nothing has been delivered for ${formatDuration(silentMs)}` : never
      return wrong(words, commandLine(['webhooks', 'list'], context.venue))
    }
    return ok(isEmpty ? never : `the last event was delivered ${formatDuration(silentMs)} ago`)
  } catch (error) {
    if (error instanceof Failure && error.code !== 'INTERRUPTED') return unknown(failureLine(error), next)
    context.signal.throwIfAborted()
    return unknown(`${withoutPassword(journal)} cannot be read: ${describeSystemError(error)}`, next)
  }
}

/** The state of a journal or an inbox. */
interface EventsState {
  /**
   * When the last event was delivered. For an empty journal, when the file was last modified; for an empty inbox,
   * `-Infinity`.
   */
  readonly sinceMs: number
  /** Whether no event has been delivered yet. */
  readonly isEmpty: boolean
  /** The number of dead events. */
  readonly dead: number
}

async function readJournalState(path: string): Promise<EventsState> {
  const { readLastDelivery } = await import('../../../webhooks/events/journal/last-delivery.ts')
  const { timeMs, isEmpty } = await readLastDelivery(path)
  return { sinceMs: timeMs, isEmpty, dead: 0 }
}

async function readInboxState(url: string, { host, signal }: CheckContext): Promise<EventsState> {
  const [{ parseInboxPlace, withInbox }, { countInbox, lastReceivedMs }] = await Promise.all([
    import('../../../webhooks/inbox/open-inbox.ts'),
    import('../../../webhooks/inbox/read-inbox.ts'),
  ])
  return withInbox(parseInboxPlace(url, host.env, 'inbox'), signal, async (connection) => {
    const { dead } = await countInbox(connection)
    const lastMs = await lastReceivedMs(connection)
    return { sinceMs: lastMs ?? Number.NEGATIVE_INFINITY, isEmpty: lastMs === null, dead }
  })
}

function textOf(record: JsonValue, name: string): string {
  const value = (record as JsonObject)[name]
  return value === null || value === undefined ? '' : String(value)
}
