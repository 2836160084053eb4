import { count, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

const doctorRow = own((z) => ({
  // `tls`
  name: z.string(),
  // `skip`: it does not apply, or could not be checked.
  status: z.enum(['ok', 'warn', 'fail', 'skip']),
  message: z.string(),
  // What to do next: a command, or a short sentence. Null if nothing.
  next: textOrNull(z),
}))

/** The result of one check. */
export type DoctorRow = Printed<typeof doctorRow>

/** The output of the doctor. */
export const findings = own((z) => ({ rows: z.array(doctorRow(z)) }))

/** A member of an answer, compared with the contract. */
export const driftEntry = own((z) => ({
  // As the specification writes it: `GET /Bookings/{id}`.
  endpoint: z.string(),
  // The path of the member, `bookings[].customer.email`; `(answer)` for the answer itself.
  member: z.string(),
  basis: z.enum(['documented', 'assumed']),
  verdict: z.enum(['confirmed', 'contradicted', 'unknown-member', 'not-seen']),
  // In words, never a value.
  expected: z.string(),
  seen: z.string(),
  // How often the member was seen.
  times: count(z),
  // Seen in this run, by `--record`, or both. Null if it was not seen.
  source: z.enum(['run', 'recorded', 'both']).nullable(),
  // True if it differs from the contract as `drift accept` allowed.
  accepted: z.boolean(),
}))

/** One row of drift. */
export type DriftEntry = Printed<typeof driftEntry>

/** A difference from the contract that a profile can follow. */
export const correction = own((z) => ({
  kind: z.enum(['list', 'date', 'case']),
  // Endpoints, or the name of a member.
  where: z.string(),
  documented: z.string(),
  accepted: z.string(),
}))

/** One row of `drift accept`. */
export type Correction = Printed<typeof correction>

/** A support bundle. */
export const bundle = own((z) => ({
  file: z.string(),
  bytes: count(z),
  parts: z.array(z.looseObject({ name: z.string(), about: z.string(), bytes: count(z) })),
  missing: z.array(z.looseObject({ name: z.string(), problem: z.string() })),
}))

/** A part that a support bundle would have. */
export const bundlePart = own((z) => ({ name: z.string(), about: z.string() }))
