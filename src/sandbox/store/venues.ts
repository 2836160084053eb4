import { USUAL_VENUE, type Venue } from '../venue/venue.ts'
import { zoneNamed } from '../venue/zone.ts'

/** The venues that are linked to the app, the first one, how its clocks are set, and the locations of all as JSON. */
export type Venues = Readonly<ReturnType<typeof describeVenues>>

/** Describes the venues that a store keeps: the usual one where it keeps none. */
export function describeVenues(venues: readonly Venue[] = [USUAL_VENUE]) {
  const [venue = USUAL_VENUE] = venues
  return { venues, venue, zone: zoneNamed(venue.timezone), locations: JSON.stringify(venues.map(({ id }) => id)) }
}
