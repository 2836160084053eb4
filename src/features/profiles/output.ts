import { count, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

export const setting = own((z) => ({
  setting: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  from: textOrNull(z),
  source: textOrNull(z),
}))

/** A profile in the output. Its secrets are masked. */
export const profile = own((z) => ({
  name: z.string(),
  current: z.boolean(),
  builtIn: z.boolean(),
  environment: textOrNull(z),
  baseUrl: textOrNull(z),
  timezone: textOrNull(z),
  partnerName: textOrNull(z),
  signatureHeader: textOrNull(z),
  locationId: textOrNull(z),
  ledger: textOrNull(z).describe('PostgreSQL database that contains the shared record of money writes'),
  apiKey: textOrNull(z),
  signingSecret: textOrNull(z),
  mode: textOrNull(z),
  shape: textOrNull(z),
  tags: z.array(z.string()),
}))

export const currentProfile = own((z) => ({ current: z.string() }))

export const removedProfile = own((z) => ({ removed: z.string(), current: textOrNull(z) }))

export const profileCheck = own((z) => ({
  profile: textOrNull(z),
  baseUrl: z.string(),
  ok: z.boolean(),
  statuses: count(z),
  elapsedMs: z.number(),
}))
