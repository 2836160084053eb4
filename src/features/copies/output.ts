import type { Endpoint } from '../../contract/endpoint.ts'
import { count, countOrNull, instant, instantOrNull, textOrNull } from '../shared/members.ts'
import { noJson, type Output, one, own, recordOf } from '../shared/output.ts'

/** Describes the output of `sync`, which prints records with `--to -` and prints nothing otherwise. */
export function copied(endpoint: Endpoint): Output {
  return {
    ...recordOf(endpoint),
    form: 'lines',
    about: 'With --to -, each new or changed record, one per line. With any other target, nothing.',
  }
}

export const copiedCards = noJson('nothing', 'The copy contains the records; a line on stderr counts them.')

export const copyStatus = one(
  own((z) => ({
    source: z.string(),
    resource: z.enum(['bookings', 'customers', 'giftcards', 'sales']),
    cursor: instantOrNull(z),
    lagSeconds: countOrNull(z),
    lastRun: z
      .looseObject({
        startedAt: instant(z),
        requests: count(z),
        added: count(z),
        changed: count(z),
        unchanged: count(z),
      })
      .nullable(),
    rows: count(z),
    holder: z.looseObject({ who: z.string(), since: textOrNull(z) }).nullable(),
    lastFailure: z
      .looseObject({ at: instant(z), code: z.string(), exitCode: count(z), message: z.string() })
      .optional()
      .describe('the last run on this machine, if it failed'),
  })),
)

export const unitFiles = one(
  own((z) => {
    const file = z.looseObject({ name: z.string(), text: z.string() })
    return {
      service: file.nullable(),
      timer: file.nullable(),
      crontab: z.string().nullable(),
      task: z.looseObject({ name: z.string(), text: z.string(), install: z.string() }).nullable(),
    }
  }),
  'Members that --format does not select are null. crontab is also null if cron cannot express the interval.',
)

export const compacted = one(
  own((z) => ({
    file: z.string(),
    source: z.string(),
    versions: count(z),
    kept: count(z),
    dropped: count(z),
    bytesBefore: count(z),
    bytesAfter: count(z),
    dryRun: z.boolean(),
  })),
)

export const difference = own((z) => ({
  id: z.string(),
  difference: z.enum(['missing', 'stale', 'extra']),
  lastModifiedDate: textOrNull(z),
}))
