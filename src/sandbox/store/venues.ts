import { USUAL_VENUE, type Venue } from '../venue/venue.ts'
import { type Zone, zoneNamed } from '../venue/zone.ts'

/** The venues that are linked to the app. */
export interface Venues {
  readonly venues: readonly Venue[]
  /** The first one. */
  readonly venue: Venue
  /** How its clocks are set. */
  readonly zone: Zone
  /** The locations of all, as JSON. */
  readonly locations: string
}

/** What a store is asked about its venues. */
interface Kept {
  hasTables(): boolean
  get(sql: string): Readonly<Record<string, unknown>> | undefined
}

/** Reads the venues of a store: the usual one where none are kept. */
export function describeVenues(store: Kept): Venues {
  const kept = store.hasTables() ? store.get("SELECT value FROM meta WHERE name = 'venues'")?.['value'] : undefined
  const venues = kept === undefined ? [USUAL_VENUE] : (JSON.parse(String(kept)) as Venue[])
  const [venue = USUAL_VENUE] = venues
  return { venues, venue, zone: zoneNamed(venue.timezone), locations: JSON.stringify(venues.map(({ id }) => id)) }
}
