import { instant, instantOrNull, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** A prepared order that a person has approved or declined. */
export const decidedOrder = own((z) => ({
  handle: z.string(),
  expiresAt: instant(z),
  action: z.string().describe('the command that the order runs'),
  profile: textOrNull(z),
  host: z.string().describe('the host of the service'),
  cardNumber: z.string().optional(),
  saleId: z.string().optional(),
  amount: textOrNull(z).describe(
    'decimal text in currency units, such as 12.50: the amount moved, or the balance lost in a cancellation; null if unknown',
  ),
  currency: z.string().optional(),
  balance: z.string().optional().describe("the card's balance when the order was prepared"),
  warnings: z.array(z.string()).optional(),
  approvedAt: instantOrNull(z),
  declinedAt: instantOrNull(z),
}))
