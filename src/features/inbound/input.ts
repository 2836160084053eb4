import { Failure } from '../../base/failure/failure.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import type { Session } from '../../client/session.ts'
import { flag } from '../../terminal/input/flags.ts'

export const LOCATION_FLAG = { 'location-id': flag('ID', "Location ID (default: the profile's).") } as const

/**
 * Adds the location ID to a request body. The flag takes precedence over `--data`, which takes precedence over the
 * profile. Throws NO_PROFILE if none of them provides the ID.
 */
export function withLocation(
  body: JsonObject,
  typed: string | undefined,
  { caller, signing }: Session,
): JsonObject & { readonly locationId: string } {
  const locationId = typed ?? body['locationId'] ?? signing?.locationId ?? null
  if (locationId !== null) return { ...body, locationId: String(locationId) }
  const profile = caller.profile
  throw new Failure('NO_PROFILE', 'the location ID is missing', {
    hint: `add --location-id ID${profile === null ? ', or set PARTNER_LOCATION_ID' : ', or add one to the profile: partner profiles set --help'}`,
  })
}

/**
 * Returns the partner name, which is part of the path of signed requests. A session that was opened for signing always
 * has a partner name.
 */
export function partnerNameOf({ signing }: Session): string {
  return signing?.partnerName ?? ''
}
