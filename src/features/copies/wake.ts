import { Wakes } from '../../sync/running/wakes.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { type InboxPlace, isDatabase, parseInboxPlace } from '../../webhooks/inbox/open-inbox.ts'
import type { BookingEvent, EventWatch } from '../../webhooks/waking/booking-event.ts'
import { followJournal } from '../../webhooks/waking/follow-journal.ts'
import { watchInbox } from '../../webhooks/waking/watch-inbox.ts'
import { settingsOf } from '../shared/copies.ts'
import type { SyncFlags } from './flags.ts'

/** Starts sync runs for a venue's events until `close` is called. */
export interface OpenWakes {
  readonly wakes: Wakes
  close(): Promise<void>
}

/** A journal or inbox that is watched for one or more venues. */
interface Source {
  readonly listeners: Set<EventWatch['onEvents']>
  readonly opening: Promise<{ close(): Promise<void> }>
}

/** The open event sources by name, for each command's signal. All venues of a command share its sources. */
const SOURCES = new WeakMap<AbortSignal, Map<string, Source>>()

/**
 * Checks `--wake` and adds any problems. Returns a function that opens the event source, or `null` if the inbox is
 * invalid. The function throws any error from `followJournal` or `watchInbox`.
 */
export function readWake({ flags, host, warn }: Opened<SyncFlags, object>, problems: Problems) {
  const { wake = '' } = flags
  if (flags.every === undefined)
    problems.add(
      '--wake requires --every, which also finds changes whose events were lost',
      'add an interval: --every 5m',
    )
  if (wake.trim() === '') problems.add('--wake must not be empty', 'pass a journal or inbox written by webhooks listen')
  const inbox = isDatabase(wake) ? problems.check(() => parseInboxPlace(wake, host.env, '--wake')) : null
  if (inbox === undefined) return null
  return () => {
    const source = sharedSource(wake, inbox, host.signal, (text) => void warn(text))
    return openWakes(source, settingsOf(host, flags).locationId?.value ?? null)
  }
}

/**
 * Starts runs for events about a venue's bookings. If the event or the profile does not name a location, the event is
 * assumed to be about this venue.
 */
async function openWakes(
  { source, release }: ReturnType<typeof sharedSource>,
  locationId: string | null,
): Promise<OpenWakes> {
  const wakes = new Wakes()
  const isOurs = (event: BookingEvent) =>
    locationId === null || event.locationId === null || event.locationId === locationId
  const onEvents = (events: readonly BookingEvent[]) => {
    const ours = events.filter(isOurs)
    if (ours.length > 0) wakes.add(ours)
  }
  source.listeners.add(onEvents)
  const opened = await source.opening
  const close = async () => {
    source.listeners.delete(onEvents)
    if (source.listeners.size > 0) return
    release()
    await opened.close()
  }
  return { wakes, close }
}

/** Returns the source with the given name, opening it if necessary. `release` removes it from the open sources. */
function sharedSource(
  name: string,
  inbox: InboxPlace | null,
  signal: AbortSignal,
  report: EventWatch['report'],
): { source: Source; release: () => void } {
  const sources = SOURCES.get(signal) ?? new Map<string, Source>()
  SOURCES.set(signal, sources)
  const release = () => sources.delete(name)
  const known = sources.get(name)
  if (known !== undefined) return { source: known, release }
  const listeners: Source['listeners'] = new Set()
  const onEvents: EventWatch['onEvents'] = (events) => {
    for (const listener of listeners) listener(events)
  }
  const watch = { onEvents, report }
  const opening = inbox === null ? followJournal(name, watch) : watchInbox(inbox, signal, watch)
  const source = { listeners, opening }
  sources.set(name, source)
  return { source, release }
}
