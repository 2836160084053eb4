import type { SandboxState } from '../../sandbox/state.ts'
import { dayOf, readDate } from '../../sandbox/venue/time.ts'
import type { View } from './view.ts'

/** A problem with a submitted form. The form shows the rejected input (`written`) again. */
export interface Complaint {
  /** The name of the form, such as `add-fault`. */
  readonly form: string
  /** A sentence that describes the problem. */
  readonly message: string
  /** A sentence that says what to do, or `null` if the message is enough. */
  readonly hint: string | null
  readonly written: URLSearchParams
}

/**
 * Everything that is needed to render a section. `now` is the venue's time in milliseconds since 1970. `day` is the
 * selected day, and both `day` and `today` are in days since 1970. `complaint` is the problem with a submitted form, if
 * any.
 */
export type Scene = Readonly<ReturnType<typeof createScene>>

/** Returns the scene for a view. If the view's day is invalid, uses the current day. */
export function createScene(state: SandboxState, view: View, complaint: Complaint | null = null) {
  const now = state.settings().clock.now()
  const { store } = state
  const venue = store.venues.find(({ id }) => id === view.chosen.venue) ?? store.venue
  const local = store.zone.toLocal(now)
  const today = dayOf(local)
  const chosen = readDate(view.chosen.day)
  const day = chosen === null ? today : dayOf(chosen)
  return { state, view, venue, zone: store.zone, now, local, day, today, complaint }
}
