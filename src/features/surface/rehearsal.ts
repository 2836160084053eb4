import { count } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** How a rehearsed day went. */
export const rehearsed = own((z) => {
  const wrong = { resource: z.enum(['bookings', 'customers', 'giftcards', 'sales']), id: z.string() }
  const counts = (names: string) => Object.fromEntries(names.split(/\s+/).map((name) => [name, count(z)]))
  return {
    journalHash: z.string().regex(/^[0-9a-f]{64}$/),
    day: z.string().describe("the date, on the venue's calendar"),
    seed: count(z),
    requests: count(z).describe('of the rehearsal itself'),
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
