import { usageFailure } from '../../../base/failure/failure.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { settingsOf, whoseOf } from '../../shared/copies.ts'
import { chooseAnswers, readHar } from './read-har.ts'
import { type Judged, judgeAnswers } from './report.ts'

/** Judges what stands in a HAR, alone. Fails: USAGE; as `readHar`, `judgeAnswers`. */
export async function driftOfHar(
  { host, flags }: Opened<{ readonly forget?: boolean }, object>,
  path: string,
): Promise<Judged> {
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
