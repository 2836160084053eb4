import type { Need } from '../../../../client/profiles/settings.ts'
import { openSession, type Session } from '../../../../client/session.ts'
import type { Examination } from '../examination.ts'

/** Opens a session without retries, and without warnings, which have their own rows. Fails: as `openSession`. */
export function openSilently(
  { around, profile, baseUrl, timeoutMs, recorder }: Examination,
  signedWith?: readonly Need[],
): Promise<Session> {
  const quiet = {
    ...around,
    notify: (notice: Parameters<typeof around.notify>[0]) => {
      if (notice.kind !== 'warning' && notice.kind !== 'remark') around.notify(notice)
    },
  }
  return openSession(quiet, { profile, baseUrl, timeoutMs, retries: 0, har: recorder, signedWith })
}
