import { PARTNER_NAME, SANDBOX_KEYS, SIGNATURE_HEADER, SIGNING_SECRET } from './credentials.ts'
import type { Venue } from './venue/venue.ts'

type Texts = 'apiKey' | 'partnerName' | 'signatureHeader' | 'signingSecret' | 'locationId' | 'timezone'

/** The address and credentials that a script needs to use a sandbox. */
export interface SandboxFacts extends Readonly<Record<Texts, string>> {
  /**
   * The sandbox's address, for example `http://127.0.0.1:4010`. If the sandbox listens on all addresses, this is a
   * loopback address.
   */
  readonly baseUrl: string
  readonly keys: Readonly<Record<'unknownApp' | 'unlinkedVenue', string>>
}

/** Returns the address and credentials of the sandbox at `baseUrl`, for its first venue. */
export function describeSandbox(baseUrl: string, { id: locationId, timezone }: Venue): SandboxFacts {
  const { good: apiKey, unknownApp, unlinkedVenue } = SANDBOX_KEYS
  const partner = { partnerName: PARTNER_NAME, signatureHeader: SIGNATURE_HEADER, signingSecret: SIGNING_SECRET }
  return { baseUrl, apiKey, keys: { unknownApp, unlinkedVenue }, ...partner, locationId, timezone }
}
