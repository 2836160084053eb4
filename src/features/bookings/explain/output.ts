import { textOrNull } from '../../shared/members.ts'
import { own, type Printed } from '../../shared/output.ts'

/** Why a reservation would be refused, and what would do instead. */
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
  notChecked: z.array(z.string()).describe('flags of required members that you left out'),
  request: z.looseObject({}).describe('what was understood, names replaced by IDs'),
}))

/** Whether a reservation would be accepted. The service would name the first of the reasons. */
export type Explained = Printed<typeof explained>
