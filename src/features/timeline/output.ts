import { instant, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

/** The schema of one printed timeline entry. */
export const timelineEntry = own((z) => ({
  at: instant(z),
  local: textOrNull(z).describe('venue-local date and time; `null` if no time zone is configured'),
  future: z.boolean(),
  kind: z.string(),
  // Where the entry comes from: the service's current data, this machine's record of money writes, a journal of
  // deliveries, or a copy.
  source: z.enum(['service', 'operations', 'journal', 'copy']),
  // The place in the source, such as `hooks.ndjson:12` or `op_1a2b3c4d5e`. It is `null` if the source is the service.
  where: textOrNull(z),
  // The ID of the booking or sale, or the number of the card.
  subject: z.string(),
  text: z.string(),
  // Describes what is odd about the entry. It is `null` if nothing is odd.
  oddity: textOrNull(z),
}))

/** A printed timeline entry. */
export type TimelineRow = Printed<typeof timelineEntry>
