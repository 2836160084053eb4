import { instant, instantOrNull, textOrNull } from './members.ts'
import { own } from './output.ts'

/** A money write whose outcome is or was unknown. */
export const operation = own((z) => ({
  id: z.string(),
  command: z.string(),
  target: z.string(),
  amount: textOrNull(z).describe('decimal text in currency units, such as 12.50; null if the operation has no amount'),
  state: z.enum(['open', 'applied', 'not-applied']),
  startedAt: instant(z),
  profile: textOrNull(z),
  service: z.string(),
  before: textOrNull(z).describe('the balance or status before the operation'),
  how: textOrNull(z).describe('how the outcome was determined'),
  endedAt: instantOrNull(z),
  once: textOrNull(z).describe('the key passed with --once'),
  host: z.string().describe('the machine that performed the write'),
  repeat: textOrNull(z).describe(
    'the command that repeats the operation; null while the operation may have been applied',
  ),
}))
