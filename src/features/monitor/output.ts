import { instantOrNull, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

/** The state of a check, as `monitor status` prints it. */
export const checkStatus = own((z) => ({
  name: z.string(),
  profile: textOrNull(z).describe("the venue's profile; null if no profile is used"),
  state: z.enum(['ok', 'wrong', 'unknown']).describe('unknown before the first evaluation or if an evaluation fails'),
  since: instantOrNull(z).describe('when the check entered this state'),
  pendingSince: instantOrNull(z).describe(
    'when the check began to fail, if it has not been failing long enough to count as a fault',
  ),
  checkedAt: instantOrNull(z),
  message: z.string(),
  next: textOrNull(z).describe('a command that helps you investigate the problem'),
}))

export type CheckStatus = Printed<typeof checkStatus>

/** The result of a test alert, as `monitor test` prints it. */
export const testResult = own((z) => ({
  kind: z.enum(['exec', 'webhook', 'file', 'stderr']),
  destination: z.string(),
  delivered: z.boolean(),
  problem: textOrNull(z),
}))

export type TestResult = Printed<typeof testResult>
