import { count, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

const doctorRow = own((z) => ({
  // The name of the check, such as `tls`.
  name: z.string(),
  // The status, which is `skip` if the check does not apply or could not be performed.
  status: z.enum(['ok', 'warn', 'fail', 'skip']),
  message: z.string(),
  // What to do next, as a command or a short sentence, or `null` if there is nothing to do.
  next: textOrNull(z),
}))

/** The result of one doctor check. */
export type DoctorRow = Printed<typeof doctorRow>

/** The output of `doctor`. */
export const findings = own((z) => ({ rows: z.array(doctorRow(z)) }))

/** A member of a response, compared with the contract. */
export const driftEntry = own((z) => ({
  // The endpoint as the specification writes it, such as `GET /Bookings/{id}`.
  endpoint: z.string(),
  // The path of the member, such as `bookings[].customer.email`, or `(answer)` for the whole response.
  member: z.string(),
  basis: z.enum(['documented', 'assumed']),
  verdict: z.enum(['confirmed', 'contradicted', 'unknown-member', 'not-seen']),
  // Descriptions of what was expected and what was seen. They never contain a value from the response.
  expected: z.string(),
  seen: z.string(),
  // How often the member was seen.
  times: count(z),
  // Where the member was seen: in this run, in recorded statistics, or both. `null` if it was not seen.
  source: z.enum(['run', 'recorded', 'both']).nullable(),
  // Whether the member differs from the contract in a way that `drift accept` has accepted.
  accepted: z.boolean(),
}))

/** One row of the output of `drift`. */
export type DriftEntry = Printed<typeof driftEntry>

/** A difference between the service and the contract that a profile can accept. */
export const correction = own((z) => ({
  kind: z.enum(['list', 'date', 'case']),
  // The endpoint or member that differs, or `card numbers`.
  where: z.string(),
  documented: z.string(),
  accepted: z.string(),
}))

/** One row of the output of `drift accept`. */
export type Correction = Printed<typeof correction>

/** The output of `support bundle`. */
export const bundle = own((z) => ({
  file: z.string(),
  bytes: count(z),
  parts: z.array(z.looseObject({ name: z.string(), about: z.string(), bytes: count(z) })),
  missing: z.array(z.looseObject({ name: z.string(), problem: z.string() })),
}))

/** A part of a support bundle, as `support bundle --list` prints it. */
export const bundlePart = own((z) => ({ name: z.string(), about: z.string() }))
