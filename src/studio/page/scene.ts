import type { SandboxState } from '../../sandbox/state.ts'
import { dayOf, type LocalMs, readDate } from '../../sandbox/venue/time.ts'
import type { Venue } from '../../sandbox/venue/venue.ts'
import type { Zone } from '../../sandbox/venue/zone.ts'
import type { View } from './view.ts'

/** What was wrong with a form, and what had been typed into it, so that nothing of that is lost. */
export interface Complaint {
  /** The name of the form: `add-fault`. */
  readonly form: string
  /** What is wrong, in a plain sentence. */
  readonly message: string
  /** What to do about it; null when the message says it. */
  readonly hint: string | null
  readonly written: URLSearchParams
}

/** All that a section is drawn from. */
export interface Scene {
  readonly state: SandboxState
  readonly view: View
  /** The venue that is looked at. */
  readonly venue: Venue
  readonly zone: Zone
  /** The venue's time, milliseconds since 1970. */
  readonly now: number
  /** The same on its clock. */
  readonly local: LocalMs
  /** The day that is looked at and today, in days since 1970 of the venue's calendar. */
  readonly day: number
  readonly today: number
  /** What was wrong with a form that was sent; null when nothing was. */
  readonly complaint: Complaint | null
}

/** Sets the scene for what somebody looks at. A day that no calendar has is today. */
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
