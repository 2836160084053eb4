import type { Owner } from '../../src/base/storage/owner.ts'

/** How a process that was killed during a write appears to other processes. */
export type Fate = 'gone' | 'replaced' | 'of another start' | 'out of sight'

export const FATES: readonly Fate[] = ['gone', 'replaced', 'of another start', 'out of sight']

/** A process ID that is too high to belong to any process. */
const NO_PID = 2 ** 30
/** A start time that does not belong to any process. */
const NEVER = '0'
const ELSEWHERE = 'that of another container'

export function withFate(owner: Owner, fate: Fate): Owner {
  if (fate === 'replaced') return { ...owner, pid: process.pid, born: NEVER }
  if (fate === 'of another start') return { ...owner, boot: 'an earlier start' }
  if (fate === 'out of sight') return { ...owner, pid: NO_PID, pidNamespace: ELSEWHERE }
  return { ...owner, pid: NO_PID }
}

export function isHere({ pid, born }: Owner): boolean {
  return pid === process.pid && born !== NEVER
}

export function isElsewhere({ pidNamespace }: Owner): boolean {
  return pidNamespace === ELSEWHERE
}
