import { centsOf } from '../amount.ts'
import { formatReading } from '../card-reading.ts'
import type { Moment } from './moment.ts'
import type { Row } from './row.ts'

/** The attempt time limit for old rows, which did not store one: the longest that was possible at the time. */
const UNSTATED_ATTEMPT_MS = 30_000

/** The boot ID for old rows, which did not store one. It never equals the current boot ID. */
const UNSTATED_BOOT = 'before release 2 of the store'

/** Converts rows of version 1, which stored amounts as typed and times only by the wall clock. */
export function migrateRows(rows: readonly Readonly<Record<string, unknown>>[]): Row[] {
  return rows.map((old) => {
    const text = (name: string) => (old[name] === null ? null : String(old[name]))
    const moment = (name: string): Moment | null =>
      old[name] === null ? null : { wallMs: Number(old[name]), monotonicMs: 0, boot: UNSTATED_BOOT }
    const before = text('before')
    return {
      id: String(old['id']),
      command: String(old['command']),
      service: String(old['service']),
      target: String(old['target']),
      cents: old['amount'] === null ? null : centsOf(String(old['amount'])),
      profile: text('profile'),
      state: old['state'] as Row['state'],
      phase: old['phase'] as Row['phase'],
      startedAt: Number(old['startedAt']),
      owner: { pid: Number(old['pid']), born: text('born'), boot: null, pidNamespace: null },
      firstSent: old['sentAt'] === null ? null : moment('startedAt'),
      sent: moment('sentAt'),
      attemptMs: UNSTATED_ATTEMPT_MS,
      over: null,
      before:
        before !== null && /^-?\d+$/.test(before)
          ? formatReading({ balance: BigInt(before), status: null, total: null })
          : before,
      how: text('how'),
      ended: moment('endedAt'),
      forced: old['forced'] === 1,
      claimedStep: Number(old['claimedStep']),
      sentStep: old['sentStep'] as number | null,
      endedStep: old['endedStep'] as number | null,
    }
  })
}
