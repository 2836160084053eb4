import { count, countOrNull, instant, instantOrNull, status, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

const evidence = own((z) => ({
  at: instant(z),
  kind: z.enum(['step', 'request', 'delivery', 'change', 'finding']),
  text: z.string(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.int().nullable().optional(),
}))

export const certified = own((z) => ({
  version: z.literal(1),
  name: textOrNull(z),
  madeAt: instant(z),
  madeBy: z.string(),
  items: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      evidence: z.array(evidence(z)),
      mend: z.string(),
    }),
  ),
  journal: z.looseObject({ hash: z.string(), entries: count(z) }),
  signature: z.looseObject({ algorithm: z.literal('Ed25519'), publicKey: z.string(), value: z.string() }),
}))

export const knownItem = own((z) => ({ id: z.string(), name: z.string(), mend: z.string() }))

export const verified = own((z) => ({
  valid: z.literal(true),
  file: z.string(),
  publicKey: z.string(),
  isKnownKey: z.boolean(),
  madeAt: textOrNull(z),
  name: textOrNull(z),
  passed: count(z),
  failed: count(z),
}))

export const rehearsed = own((z) => {
  const wrong = { resource: z.enum(['bookings', 'customers', 'giftcards', 'sales']), id: z.string() }
  const counts = (names: string) => Object.fromEntries(names.split(/\s+/).map((name) => [name, count(z)]))
  return {
    journalHash: z.string().regex(/^[0-9a-f]{64}$/),
    day: z.string().describe("the date, in the venue's calendar"),
    seed: count(z),
    requests: count(z).describe('requests made by the rehearsal itself'),
    happened: z.looseObject({
      ...counts(`reserved notAccepted walkIns turnedAway arrived early late noShows cancelled moved resized sales duplicates
        refunds voids redemptions redeemedCents cardsRefused cardsCancelled unsubscribed`),
      takingsCents: z.int(),
      currency: z.string(),
    }),
    integration: z.looseObject({
      ...counts('requests refused struck'),
      webhooks: z.looseObject(counts('events delivered pending lost')),
    }),
    command: z.looseObject({ exitCode: count(z).nullable() }).optional(),
    report: z
      .looseObject({
        agrees: z.boolean(),
        compared: count(z),
        resources: z.array(wrong.resource),
        missing: z.array(z.looseObject(wrong)),
        extra: z.array(z.looseObject(wrong)),
        stale: z.array(z.looseObject({ ...wrong, fields: z.array(z.string()) })),
      })
      .nullable()
      .optional(),
  }
})

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
    .describe("the URL of the sandbox's page, including the token required to open it; printed only by sandbox start"),
}))

export const clock = own((z) => ({ now: instant(z), frozen: z.boolean(), shifted: z.boolean() }))

export const fault = own((z) => ({
  id: count(z),
  seen: count(z),
  fired: count(z),
  endpoint: z.string(),
  effect: z.looseObject({ kind: z.string() }),
  phase: z.enum(['before', 'after']).optional(),
  next: count(z).optional(),
  share: z.number().optional().describe('percentage of requests'),
  seed: count(z).optional(),
  nth: count(z).optional(),
}))

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

/** The delivery of an event to one subscriber. */
export const delivery = own((z) => ({
  id: count(z),
  event: z.string(),
  subject: z.string(),
  created: instant(z),
  state: z.enum(['pending', 'delivered', 'failed', 'dropped']),
  due: instantOrNull(z),
  attempts: z.array(
    z.looseObject({ at: instant(z), delivered: z.boolean(), status: status(z), error: textOrNull(z), ms: z.number() }),
  ),
}))

export const seeded = own((z) => ({
  bookings: countOrNull(z).optional(),
  customers: countOrNull(z).optional(),
  giftcards: countOrNull(z).optional(),
  seconds: z.number(),
}))

export const snapshotFile = own((z) => ({ name: z.string(), file: z.string().describe('the path of the file') }))

export const snapshot = own((z) => ({
  name: z.string(),
  kind: z.enum(['ready', 'saved']),
  about: textOrNull(z),
  clock: instantOrNull(z),
  bytes: countOrNull(z),
  savedAt: instantOrNull(z),
  file: textOrNull(z),
}))

/** The contents of a sandbox after a snapshot has been loaded. */
export const loadedSnapshot = own((z) => ({
  name: z.string(),
  clock: instant(z),
  frozen: z.boolean(),
  bookings: count(z),
  customers: count(z),
  sales: count(z),
  giftcards: count(z),
  subscriptions: count(z),
  withoutCredentials: z
    .array(z.string())
    .describe('events whose subscriptions had credentials, which snapshots do not contain'),
}))

export const reset = own((z) => ({ reset: z.string().describe('the data directory'), existed: z.boolean() }))
