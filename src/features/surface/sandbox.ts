import { count, countOrNull, instant, instantOrNull, status, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** Where a sandbox is, and what opens it. */
export const facts = own((z) => ({
  baseUrl: z.string(),
  apiKey: z.string(),
  keys: z.looseObject({ unknownApp: z.string(), unlinkedVenue: z.string() }),
  partnerName: z.string(),
  signatureHeader: z.string(),
  signingSecret: z.string(),
  locationId: z.string(),
  timezone: z.string(),
  pageUrl: z
    .string()
    .optional()
    .describe('of sandbox start: the address of its page, which only who has its token can open'),
}))

/** The clock of a sandbox. */
export const clock = own((z) => ({ now: instant(z), frozen: z.boolean(), shifted: z.boolean() }))

/** A fault, and what it has done so far. */
export const fault = own((z) => ({
  id: count(z),
  endpoint: z.string(),
  effect: z.looseObject({ kind: z.string() }),
  phase: z.enum(['before', 'after']).optional(),
  next: count(z).optional(),
  share: z.number().optional().describe('percent'),
  seed: count(z).optional(),
  nth: count(z).optional(),
  seen: count(z),
  fired: count(z),
}))

/** A request that came to a sandbox. */
export const journalEntry = own((z) => ({
  at: instant(z),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  endpoint: textOrNull(z),
  status: status(z),
  ms: z.number(),
  note: textOrNull(z),
  faults: z.array(count(z)),
  request: z.looseObject({ headers: z.record(z.string(), z.string()), body: textOrNull(z) }),
  response: z.looseObject({ body: textOrNull(z) }),
}))

/** An event for one subscriber. */
export const delivery = own((z) => ({
  id: count(z),
  event: z.string(),
  subject: z.string(),
  created: instant(z),
  state: z.enum(['pending', 'delivered', 'failed', 'dropped']),
  due: instantOrNull(z),
  attempts: z.array(
    z.looseObject({
      at: instant(z),
      delivered: z.boolean(),
      status: status(z),
      error: textOrNull(z),
      ms: z.number(),
    }),
  ),
}))

/** What a seeding added. */
export const seeded = own((z) => ({
  bookings: countOrNull(z).optional(),
  customers: countOrNull(z).optional(),
  giftcards: countOrNull(z).optional(),
  seconds: z.number(),
}))

/** A snapshot in a file. */
export const snapshotFile = own((z) => ({ name: z.string(), file: z.string().describe('its path') }))

/** A snapshot that there is. */
export const snapshot = own((z) => ({
  name: z.string(),
  kind: z.enum(['ready', 'saved']),
  about: textOrNull(z),
  clock: instantOrNull(z),
  bytes: countOrNull(z),
  savedAt: instantOrNull(z),
  file: textOrNull(z),
}))

/** What a sandbox has after a snapshot was loaded. */
export const loadedSnapshot = own((z) => ({
  name: z.string(),
  clock: instant(z),
  frozen: z.boolean(),
  bookings: count(z),
  customers: count(z),
  sales: count(z),
  giftcards: count(z),
  subscriptions: count(z),
  withoutCredentials: z.array(z.string()).describe('events whose subscriptions had credentials, which no snapshot has'),
}))

/** What a reset removed. */
export const reset = own((z) => ({ reset: z.string().describe('the directory'), existed: z.boolean() }))
