import { instant, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

/** The schema of one entry of a timeline in the output. */
export const timelineEntry = own((z) => ({
  at: instant(z),
  local: textOrNull(z).describe('venue-local date and time; `null` if no time zone is configured'),
  future: z.boolean(),
  kind: z.string(),
  // The service at this moment, this machine's record of money writes, a journal, or a copy.
  source: z.enum(['service', 'operations', 'journal', 'copy']),
  // The place in the source, such as `hooks.ndjson:12` or `op_1a2b3c4d5e`. `null` for the service.
  where: textOrNull(z),
  // The ID of the booking, sale or card.
  subject: z.string(),
  text: z.string(),
  // What is odd about the entry, in words. `null` if nothing is.
  oddity: textOrNull(z),
}))

/** One entry of a timeline in the output. */
export type TimelineRow = Printed<typeof timelineEntry>
