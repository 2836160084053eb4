import { status, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** What became of a customer. */
export const unsubscribed = own((z) => ({
  id: textOrNull(z),
  outcome: z.enum(['unsubscribed', 'failed', 'unknown']),
  status: status(z),
  message: textOrNull(z),
}))
