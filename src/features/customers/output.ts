import { status, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

export const unsubscribed = own((z) => ({
  id: textOrNull(z),
  outcome: z.enum(['unsubscribed', 'failed', 'unknown']),
  status: status(z),
  message: textOrNull(z),
}))
