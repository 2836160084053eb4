import { usageFailure } from '../base/failure/failure.ts'
import { suggest } from '../base/failure/suggested.ts'
import type { Session } from './session.ts'

/** Fails: USAGE for a profile that only reads. */
export function refuseReadOnly({ mode, caller }: Session): void {
  if (mode !== 'read-only') return
  throw usageFailure(
    [`the profile ${caller.profile} is read-only: nothing was sent`],
    `use another profile, or: ${suggest`profiles set ${caller.profile ?? ''} --mode full`}`,
  )
}

/** Whether a person must agree before this profile changes anything. `isAtTerminal`: where one could be asked. */
export function wantsConfirmation({ mode, environment }: Session, isAtTerminal: boolean): boolean {
  return mode === 'confirm' || (mode === null && environment === 'production' && isAtTerminal)
}
