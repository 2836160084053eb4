import { textOrNull } from '../../shared/members.ts'
import { own, type Printed } from '../../shared/output.ts'

/**
 * The output of `reservations explain`: the reasons why the service would reject a reservation, and times that are
 * possible instead.
 */
export const explained = own((z) => ({
  accepted: z.boolean(),
  reasons: z.array(z.looseObject({ code: z.string(), message: z.string(), answer: textOrNull(z) })),
  doubts: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  nearest: z.array(
    z.looseObject({
      time: z.string().describe('venue-local'),
      timeUtc: z.string(),
      serviceId: z.string(),
      serviceName: z.string(),
      sectionId: z.string(),
      sectionName: z.string(),
    }),
  ),
  withoutTables: z.boolean(),
  notChecked: z.array(z.string()).describe('flags for required members that were omitted'),
  request: z.looseObject({}).describe('the request that was checked, with names replaced by IDs'),
}))

/**
 * Whether the service would accept a reservation and, if not, all reasons. The service itself reports only the first
 * reason.
 */
export type Explained = Printed<typeof explained>
