import type { Opened } from '../../cli/runtime/run.ts'
import { usageFailure } from '../../failure/failure.ts'
import { askService } from '../../support/drift/ask-service.ts'
import { chooseAnswers, readHar } from '../../support/drift/read-har.ts'
import { type Judged, judgeAnswers } from '../../support/drift/report.ts'
import { settingsOf, whoseOf } from '../_copies.ts'

type Parts = Opened<{ readonly forget?: boolean }, object>

/** Asks the service, and judges what it answers together with what was recorded. Fails: as `askService`, `judgeAnswers`. */
export async function driftOfService({ connection, host, flags }: Parts): Promise<Judged> {
  const session = await connection.session()
  const { shapes, troubles } = await askService(session, host.now())
  const { service, caller, shape } = session
  return judgeAnswers({
    ...{ env: host.env, nowMs: host.now(), service, profile: caller.profile, dialect: shape, shapes, troubles },
    withRecorded: true,
    forget: flags.forget === true,
  })
}

/** Judges what stands in a HAR, alone. Fails: USAGE; as `readHar`, `judgeAnswers`. */
export async function driftOfHar({ host, flags }: Parts, path: string): Promise<Judged> {
  if (flags.forget) throw usageFailure(['--forget and --har cannot be given together'], 'a HAR is looked at alone')
  if (flags.record) throw usageFailure(['--record and --har cannot be given together'], 'a HAR is looked at alone')
  const settings = settingsOf(host, flags)
  const whose = whoseOf(settings)
  const chosen = chooseAnswers(await readHar(path, host.signal), path, whose.service)
  const service = settings.kind === 'sandbox' ? 'sandbox' : (whose.service ?? chosen.address)
  return judgeAnswers({
    ...{ env: host.env, nowMs: host.now(), service, profile: whose.profile, dialect: settings.shape },
    ...{ shapes: chosen.shapes, troubles: [], withRecorded: false, forget: false },
  })
}
