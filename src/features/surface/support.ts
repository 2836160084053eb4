import { booking } from '../../contract/bookings/booking.ts'
import { count, instant, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** What the doctor found. */
export const findings = own((z) => ({
  rows: z.array(
    z.looseObject({
      name: z.string(),
      status: z.enum(['ok', 'warn', 'fail', 'skip']),
      message: z.string(),
      next: textOrNull(z),
    }),
  ),
}))

/** A member of an answer, compared with the contract. */
export const driftEntry = own((z) => ({
  endpoint: z.string(),
  member: z.string(),
  basis: z.enum(['documented', 'assumed']),
  verdict: z.enum(['confirmed', 'contradicted', 'unknown-member', 'not-seen']),
  expected: z.string(),
  seen: z.string(),
  times: count(z),
  source: z.enum(['run', 'recorded', 'both']).nullable(),
  accepted: z.boolean(),
}))

/** In what a profile follows the service. */
export const correction = own((z) => ({
  kind: z.enum(['list', 'date', 'case']),
  where: z.string(),
  documented: z.string(),
  accepted: z.string(),
}))

/** A row of a timeline. */
export const timelineEntry = own((z) => ({
  at: instant(z),
  local: z.string().describe('venue-local date and time'),
  future: z.boolean(),
  kind: z.string(),
  source: z.enum(['service', 'operations', 'journal', 'copy']),
  where: textOrNull(z),
  subject: z.string(),
  text: z.string(),
  oddity: textOrNull(z),
}))

/** A support bundle. */
export const bundle = own((z) => ({
  file: z.string(),
  bytes: count(z),
  parts: z.array(z.looseObject({ name: z.string(), about: z.string(), bytes: count(z) })),
  missing: z.array(z.looseObject({ name: z.string(), problem: z.string() })),
}))

/** A part that a support bundle would have. */
export const bundlePart = own((z) => ({ name: z.string(), about: z.string() }))

/** A delivery that came to the listener; `fetched` with --fetch. */
export const received = own((z) => ({
  time: instant(z),
  verdict: z.string(),
  status: z.int(),
  ms: z.number(),
  event: textOrNull(z),
  subject: textOrNull(z),
  locationId: textOrNull(z),
  delivery: z.unknown().describe('the event as it was delivered'),
  fetched: booking(z).nullish().describe('the booking or gift card as it is now'),
}))
