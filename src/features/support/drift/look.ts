import type { Variables } from '../../../base/storage/directories.ts'
import type { Session } from '../../../client/session.ts'
import { askService } from './ask-service.ts'
import { type Judged, judgeAnswers } from './report.ts'

/** What a look at a service needs to know. */
export interface LookOptions {
  readonly env: Variables
  /** The present, epoch milliseconds. */
  readonly now: () => number
  /** Whether what `--record` collected is removed first. */
  readonly forget?: boolean
}

/** Asks the service of a session, and judges what it answers together with what was recorded. Fails: as `askService`, `judgeAnswers`. */
export async function lookForDrift(session: Session, { env, now, forget = false }: LookOptions): Promise<Judged> {
  const { service, caller, shape } = session
  const asked = await askService(session, now())
  return judgeAnswers({
    ...{ env, nowMs: now(), service, profile: caller.profile, dialect: shape },
    ...{ ...asked, withRecorded: true, forget },
  })
}
