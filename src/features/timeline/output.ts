import { instant, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

/** A row of a timeline. */
export const timelineEntry = own((z) => ({
  at: instant(z),
  local: textOrNull(z).describe('venue-local date and time; null: no time zone is configured'),
  future: z.boolean(),
  kind: z.string(),
  // The service now, this machine's record of money writes, a journal, or a copy.
  source: z.enum(['service', 'operations', 'journal', 'copy']),
  // Such as `hooks.ndjson:12` or `op_1a2b3c4d5e`. Null for the service.
  where: textOrNull(z),
  // The ID of the booking, sale or card.
  subject: z.string(),
  text: z.string(),
  // In words. Null if nothing is odd.
  oddity: textOrNull(z),
}))

/** A row of a timeline. */
export type TimelineRow = Printed<typeof timelineEntry>
