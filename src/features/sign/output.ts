import { count, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

export const signature = own((z) => ({
  signature: z.string().describe('64 lowercase hexadecimal digits'),
  header: textOrNull(z),
  url: z.string(),
  bodyBytes: count(z),
}))

/** The output of `sign verify` for a correct signature. A wrong signature is an error. */
export const verdict = own((z) => ({ valid: z.boolean(), signature: z.string(), url: z.string(), bodyBytes: count(z) }))
