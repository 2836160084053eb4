import type { Need } from '../../../../client/profiles/settings.ts'
import { openSession, type Session } from '../../../../client/session.ts'
import type { Examination } from '../examination.ts'

/**
 * Opens a session in which each request is made once. What it would warn of has a row of its own.
 * Fails: as `openSession`.
 */
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
  // A request that is made again after 500 ms would be a second one in a second.
  return openSession(quiet, { profile, baseUrl, timeoutMs, retries: 0, har: recorder, signedWith })
}
