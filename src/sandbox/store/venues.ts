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

/** Describes the venues that a store keeps: the usual one where it keeps none. */
export function describeVenues(venues: readonly Venue[] = [USUAL_VENUE]): Venues {
  const [venue = USUAL_VENUE] = venues
  return { venues, venue, zone: zoneNamed(venue.timezone), locations: JSON.stringify(venues.map(({ id }) => id)) }
}
