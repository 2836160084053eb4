import type { SandboxState } from '../../sandbox/state.ts'
import { dayOf, type LocalMs, readDate } from '../../sandbox/venue/time.ts'
import type { Venue } from '../../sandbox/venue/venue.ts'
import type { Zone } from '../../sandbox/venue/zone.ts'
import type { View } from './view.ts'

/** A problem with a form, and its input, which is shown again. */
export interface Complaint {
  /** The name of the form: `add-fault`. */
  readonly form: string
  /** The problem, in a sentence. */
  readonly message: string
  /** What to do; null when the message says it. */
  readonly hint: string | null
  readonly written: URLSearchParams
}

/** The input for drawing a section. */
export interface Scene {
  readonly state: SandboxState
  readonly view: View
  readonly venue: Venue
  readonly zone: Zone
  /** The venue's time, milliseconds since 1970. */
  readonly now: number
  readonly local: LocalMs
  /** The selected day and today, in days since 1970. */
  readonly day: number
  readonly today: number
  /** The problem with a form; null for none. */
  readonly complaint: Complaint | null
}

/** Makes the scene for a view. An invalid day means today. */
export function setScene(state: SandboxState, view: View, complaint: Complaint | null = null): Scene {
  const now = state.settings().clock.now()
  const { store } = state
  const venue = store.venues.find(({ id }) => id === view.chosen.venue) ?? store.venue
  const local = store.zone.toLocal(now)
  const today = dayOf(local)
  const chosen = readDate(view.chosen.day)
  const day = chosen === null ? today : dayOf(chosen)
  return { state, view, venue, zone: store.zone, now, local, day, today, complaint }
}
