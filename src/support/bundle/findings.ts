import type { Session } from '../../client/session.ts'
import type { JsonValue } from '../../json/exact.ts'
import type { Variables } from '../../storage/directories.ts'
import { examine } from '../doctor/doctor.ts'
import type { Examination } from '../doctor/examination.ts'
import { askService } from '../drift/ask-service.ts'
import { judgeAnswers } from '../drift/report.ts'
import type { Part } from './part.ts'
import { ownPart } from './parts.ts'

/** What the doctor finds, as `partner doctor --json` prints it. */
export function doctorPart(examination: Examination): Part {
  return ownPart('doctor.json', 'what partner doctor finds', async () => {
    const rows: JsonValue[] = []
    for await (const row of examine(examination)) rows.push({ ...row })
    return { rows }
  })
}

/** What drift is asked with. */
export interface DriftAsked {
  readonly session: () => Promise<Session>
  readonly env: Variables
  readonly nowMs: number
}

/** How the service compares with the contract, and what refused to be compared. It counts as a run of drift. */
export function driftPart({ session, env, nowMs }: DriftAsked): Part {
  return ownPart('drift.json', 'how the service differs from the contract, as partner drift finds it', async () => {
    const opened = await session()
    const { caller, service, shape } = opened
    const { shapes, troubles } = await askService(opened, nowMs)
    const { report } = await judgeAnswers({
      ...{ env, nowMs, service, profile: caller.profile, dialect: shape, shapes, troubles },
      ...{ withRecorded: true, forget: false },
    })
    return JSON.parse(JSON.stringify(report)) as JsonValue
  })
}
