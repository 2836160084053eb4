import type { JsonValue } from '../../../base/json/exact.ts'
import type { Session } from '../../../client/session.ts'
import { examine } from '../doctor/doctor.ts'
import type { Examination } from '../doctor/examination.ts'
import type { DoctorRow } from '../doctor/finding.ts'
import { type LookOptions, lookForDrift } from '../drift/look.ts'
import type { Part } from './part.ts'
import { ownPart } from './parts.ts'

/** The row of the doctor that says whether the service answers at all. */
const SERVICE = 'service'

/** What the doctor finds, as `partner doctor --json` prints it. */
function doctorPart(examination: Examination, seen: DoctorRow[]): Part {
  return ownPart('doctor.json', 'what partner doctor finds', async () => {
    for await (const row of examine(examination)) seen.push(row)
    return { rows: seen.map((row) => ({ ...row })) }
  })
}

/** What drift is asked with. */
export interface DriftAsked extends LookOptions {
  readonly session: () => Promise<Session>
}

/** How the service compares with the contract, and what refused to be compared. It counts as a run of drift. */
function driftPart({ session, ...options }: DriftAsked, seen: readonly DoctorRow[]): Part {
  return ownPart('drift.json', 'how the service differs from the contract', async () => {
    refuseUnreached(seen)
    const { report } = await lookForDrift(await session(), options)
    return JSON.parse(JSON.stringify(report)) as JsonValue
  })
}

/** A service that the doctor did not reach is not asked again: whoever waits for a bundle has waited for that once. */
function refuseUnreached(seen: readonly DoctorRow[]): void {
  if (seen.length === 0 || seen.some(({ name, status }) => name === SERVICE && status === 'ok')) return
  const cause = seen.find(({ status }) => status === 'fail')
  throw new Error(`the service was not asked, as the doctor did not reach it${cause ? `: ${cause.name} failed` : ''}`)
}

/** What the doctor and drift find, in this order. */
export function findingParts(examination: Examination, asked: DriftAsked): Part[] {
  const seen: DoctorRow[] = []
  return [doctorPart(examination, seen), driftPart(asked, seen)]
}
