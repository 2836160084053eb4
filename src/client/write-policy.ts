import { usageFailure } from '../base/failure/failure.ts'
import { formatCommand } from '../base/failure/suggested.ts'
import type { Session } from './session.ts'

/** Throws USAGE if the profile is read-only. */
export function refuseReadOnly({ mode, caller }: Session): void {
  if (mode !== 'read-only') return
  throw usageFailure(
    [`the profile ${caller.profile} is read-only: nothing was sent`],
    `use another profile, or: ${formatCommand`profiles set ${caller.profile ?? ''} --mode full`}`,
  )
}

/** Returns whether the user must confirm changes. `isAtTerminal` is true if the user can be prompted. */
export function wantsConfirmation({ mode, environment }: Session, isAtTerminal: boolean): boolean {
  return mode === 'confirm' || (mode === null && environment === 'production' && isAtTerminal)
}
