import { Failure } from '../../base/failure/failure.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { parseEventName } from '../../contract/events.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { inboxList } from '../../features/webhooks/deliveries/lists.ts'
import { INBOX_FLAG, readInboxPlace } from '../../features/webhooks/receiving/flags.ts'
import { flag, OUTPUT_FLAGS, repeated, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { type InboxState, STATES } from '../../webhooks/inbox/schema.ts'

const DEFAULT_ROWS = 100

export default class WebhooksInbox extends PartnerCommand {
  static override summary = 'List the events in a PostgreSQL inbox and retry dead ones.'
  static override description =
    `An event waits for its first or next attempt, is leased while a worker handles it, and is finally done or dead. The list starts with the most recent events. The number of events in each state is printed on stderr.

--retry and --retry-dead make dead events due immediately, with all their attempts available again; --retry also accepts an event that waits for a later attempt. Events are never deleted automatically: see --purge-done-before.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from postgres://hooks@db.example/venue --state dead',
    '<%= config.bin %> <%= command.id %> --from postgres://hooks@db.example/venue --retry 17 --retry 21',
    '<%= config.bin %> <%= command.id %> --from postgres://hooks@db.example/venue --purge-done-before -30d --yes',
  ]
  static override baseFlags = OUTPUT_FLAGS
  static override flags = {
    from: INBOX_FLAG,
    state: repeated({
      helpValue: 'STATE',
      summary: `List only events in this state: ${STATES.join(', ')}. May be repeated.`,
    }),
    event: repeated({ helpValue: 'EVENT', summary: 'List only events with this name. May be repeated.' }),
    only: repeated({ helpValue: 'ID', summary: 'List only events about this booking or gift card. May be repeated.' }),
    limit: flag('N', `The maximum number of events to list (default: ${DEFAULT_ROWS}).`),
    retry: repeated({ helpValue: 'ID', summary: 'Retry this event now. May be repeated.' }),
    'retry-dead': toggle('Retry all dead events now.'),
    'purge-done-before': flag('TIME', 'Delete events that were completed before TIME, such as -30d.'),
  }

  async run(): Promise<void> {
    const { flags, host, show, say, ask, connection } = await this.open(WebhooksInbox)
    const problems = new Problems()
    const place = readInboxPlace(flags.from, '--from', host.env, problems)
    const states = flags.state ?? []
    for (const state of states)
      if (!isState(state)) problems.add(`--state must be ${STATES.join(', ')}, not ${JSON.stringify(state)}`)
    const retry = flags.retry ?? []
    for (const id of retry)
      if (!/^\d{1,18}$/.test(id))
        problems.add(`--retry must be an ID from the list, such as 17, not ${JSON.stringify(id)}`)
    const limit = problems.wholeNumber('--limit', flags.limit, 1, 1_000_000) ?? DEFAULT_ROWS
    const before = flags['purge-done-before']
    const clock = {
      now: host.now(),
      timezone: await connection.zoneOf(null),
      edge: 'lower',
      flag: '--purge-done-before',
    } as const
    const beforeMs = before === undefined ? undefined : problems.check(() => parseInstant(before, clock))
    const asked = [retry.length > 0, flags['retry-dead'], before !== undefined].filter(Boolean).length
    const chosen = [flags.state, flags.event, flags.only, flags.limit].filter((value) => value !== undefined).length
    if (asked > 1) problems.add('use only one of --retry, --retry-dead and --purge-done-before')
    if (asked > 0 && chosen > 0)
      problems.add(
        '--state, --event, --only and --limit apply to the list, and cannot be combined with --retry, --retry-dead or --purge-done-before',
      )
    const settled = problems.valueOrThrow(place)
    if (beforeMs !== undefined && ask.needsConsent)
      await ask.confirmHere(
        `Delete the events in ${settled.words} that were completed before ${new Date(beforeMs).toISOString()}?`,
      )
    const { withInbox } = await import('../../webhooks/inbox/open-inbox.ts')
    const { countInbox, listInbox, purgeDone, retryEvents } = await import('../../webhooks/inbox/read-inbox.ts')
    if (beforeMs !== undefined) {
      const deleted = await withInbox(settled, host.signal, (database) => purgeDone(database, beforeMs))
      return say(`${counted(deleted, 'event was', 'events were')} deleted`)
    }
    if (asked === 1) {
      const ids = retry.map((id) => String(BigInt(id)))
      const which = flags['retry-dead'] ? 'dead' : ids
      return reportRetried(await withInbox(settled, host.signal, (database) => retryEvents(database, which)), ids, say)
    }
    const subjects = (flags.only ?? []).map((id) => id.trim().toUpperCase())
    // Do not reject undocumented event names, because an inbox may contain them.
    const events = (flags.event ?? []).map((event) => parseEventName(event) ?? event)
    const choice = { states: states.filter(isState), events, subjects }
    const { rows, counts } = await withInbox(settled, host.signal, async (database) => {
      return { rows: await listInbox(database, choice, limit), counts: await countInbox(database) }
    })
    await show.all(rows, inboxList)
    await say(STATES.map((state) => `${counts[state]} ${state}`).join(', '))
  }
}

function isState(text: string): text is InboxState {
  return (STATES as readonly string[]).includes(text)
}

/**
 * Prints how many events will be retried. Throws PARTIAL_FAILURE unless they include every event that the user named.
 */
async function reportRetried(ids: readonly string[], named: readonly string[], say: (line: string) => Promise<void>) {
  await say(`${counted(ids.length, 'event', 'events')} will be retried`)
  const others = named.filter((id) => !ids.includes(id))
  if (others.length === 0) return
  throw new Failure('PARTIAL_FAILURE', `not dead or waiting: ${others.join(', ')}`, {
    hint: 'a leased event is being handled, and a done event has been handled',
    details: { ids: others.map(Number) },
  })
}
