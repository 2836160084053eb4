import { PARTNER_NAME, SANDBOX_KEYS, SIGNATURE_HEADER, SIGNING_SECRET } from './credentials.ts'
import type { Venue } from './venue/venue.ts'

type Texts = 'apiKey' | 'partnerName' | 'signatureHeader' | 'signingSecret' | 'locationId' | 'timezone'

/** What a program needs to use a sandbox. */
export interface SandboxFacts extends Readonly<Record<Texts, string>> {
  /** `http://127.0.0.1:4010`. A loopback address when it listens on every address. */
  readonly baseUrl: string
  readonly keys: Readonly<Record<'unknownApp' | 'unlinkedVenue', string>>
}

/** The facts of the sandbox at an address, with its first venue. */
export function factsAt(baseUrl: string, { id: locationId, timezone }: Venue): SandboxFacts {
  const { good: apiKey, unknownApp, unlinkedVenue } = SANDBOX_KEYS
  const partner = { partnerName: PARTNER_NAME, signatureHeader: SIGNATURE_HEADER, signingSecret: SIGNING_SECRET }
  return { baseUrl, apiKey, keys: { unknownApp, unlinkedVenue }, ...partner, locationId, timezone }
}
