import type { SandboxState } from '../../sandbox/state.ts'
import { dayOf, readDate } from '../../sandbox/venue/time.ts'
import type { View } from './view.ts'

/** A problem with a form (`add-fault`), in a sentence, and its input, which is shown again. */
export interface Complaint {
  readonly form: string
  readonly message: string
  /** What to do; null when the message says it. */
  readonly hint: string | null
  readonly written: URLSearchParams
}

/**
 * The input for drawing a section. `now` is the venue's time in milliseconds since 1970, `day` (selected) and `today` are
 * in days since 1970, and `complaint` is the problem with a form, if any.
 */
export type Scene = Readonly<ReturnType<typeof setScene>>

/** Makes the scene for a view. An invalid day means today. */
export function setScene(state: SandboxState, view: View, complaint: Complaint | null = null) {
  const now = state.settings().clock.now()
  const { store } = state
  const venue = store.venues.find(({ id }) => id === view.chosen.venue) ?? store.venue
  const local = store.zone.toLocal(now)
  const today = dayOf(local)
  const chosen = readDate(view.chosen.day)
  const day = chosen === null ? today : dayOf(chosen)
  return { state, view, venue, zone: store.zone, now, local, day, today, complaint }
}
