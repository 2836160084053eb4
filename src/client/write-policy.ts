import { usageFailure } from '../base/failure/failure.ts'
import { suggest } from '../base/failure/suggested.ts'
import type { Session } from './session.ts'

/** Fails: USAGE for a read-only profile. */
export function refuseReadOnly({ mode, caller }: Session): void {
  if (mode !== 'read-only') return
  throw usageFailure(
    [`the profile ${caller.profile} is read-only: nothing was sent`],
    `use another profile, or: ${suggest`profiles set ${caller.profile ?? ''} --mode full`}`,
  )
}

/** Whether this profile requires confirmation of changes. `isAtTerminal`: whether one can be asked for. */
export function wantsConfirmation({ mode, environment }: Session, isAtTerminal: boolean): boolean {
  return mode === 'confirm' || (mode === null && environment === 'production' && isAtTerminal)
}
