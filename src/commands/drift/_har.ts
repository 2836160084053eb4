import type { Opened } from '../../cli/runtime/run.ts'
import { usageFailure } from '../../failure/failure.ts'
import { chooseAnswers, readHar } from '../../support/drift/read-har.ts'
import { type Judged, judgeAnswers } from '../../support/drift/report.ts'
import { settingsOf, whoseOf } from '../_copies.ts'

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
