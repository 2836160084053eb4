import { count, status, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** A setting in effect. */
export const setting = own((z) => ({
  setting: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  from: textOrNull(z),
  source: textOrNull(z),
}))

/** A profile, its secrets masked. */
export const profile = own((z) => ({
  name: z.string(),
  current: z.boolean(),
  builtIn: z.boolean(),
  environment: textOrNull(z),
  baseUrl: textOrNull(z),
  timezone: textOrNull(z),
  partnerName: textOrNull(z),
  signatureHeader: textOrNull(z),
  locationId: textOrNull(z),
  apiKey: textOrNull(z),
  signingSecret: textOrNull(z),
  mode: textOrNull(z),
  shape: textOrNull(z),
  tags: z.array(z.string()),
}))

/** Which profile is the current one now. */
export const currentProfile = own((z) => ({ current: z.string() }))

/** Which profile was removed. */
export const removedProfile = own((z) => ({ removed: z.string(), current: textOrNull(z) }))

/** Whether a profile works. */
export const profileCheck = own((z) => ({
  profile: textOrNull(z),
  baseUrl: z.string(),
  ok: z.boolean(),
  statuses: count(z),
  elapsedMs: z.number(),
}))

/** A signature that was made. */
export const signature = own((z) => ({
  signature: z.string().describe('64 lowercase hexadecimal digits'),
  header: textOrNull(z),
  url: z.string(),
  bodyBytes: count(z),
}))

/** A signature that is right; for a wrong one, the error says what is wrong. */
export const verdict = own((z) => ({
  valid: z.boolean(),
  signature: z.string(),
  url: z.string(),
  bodyBytes: count(z),
}))

/** What became of a customer. */
export const unsubscribed = own((z) => ({
  id: textOrNull(z),
  outcome: z.enum(['unsubscribed', 'failed', 'unknown']),
  status: status(z),
  message: textOrNull(z),
}))

/** A command of partner. */
export const command = own((z) => {
  const named = { name: z.string(), about: z.string(), required: z.boolean() }
  return {
    id: z.string().describe('its words as typed, such as bookings list'),
    topic: textOrNull(z),
    summary: z.string(),
    writes: z.enum(['none', 'booking', 'money']),
    args: z.array(z.looseObject(named)),
    flags: z.array(
      z.looseObject({
        ...named,
        char: textOrNull(z),
        type: z.enum(['boolean', 'option']),
        value: textOrNull(z).describe('what stands for the value; null: it takes none'),
        options: z.array(z.string()).nullable(),
        repeats: z.boolean(),
        env: textOrNull(z),
        global: z.boolean(),
      }),
    ),
    exitCodes: z.array(z.int()),
    output: z.enum(['json', 'lines', 'text', 'nothing']),
    outputSchema: z.looseObject({}).describe('JSON Schema 2020-12 of what --json prints, or of each line of it'),
  }
})
