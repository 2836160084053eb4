import { USUAL_VENUE, type Venue } from '../venue/venue.ts'
import { zoneNamed } from '../venue/zone.ts'

/** The venues of the app, the first one, its zone, and the locations as JSON. */
export type Venues = Readonly<ReturnType<typeof describeVenues>>

/** Describes the stored venues; the usual venue by default. */
export function describeVenues(venues: readonly Venue[] = [USUAL_VENUE]) {
  const [venue = USUAL_VENUE] = venues
  return { venues, venue, zone: zoneNamed(venue.timezone), locations: JSON.stringify(venues.map(({ id }) => id)) }
}
