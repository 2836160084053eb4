import { readFileSync } from 'node:fs'

/** A process that makes a write. */
export interface Owner {
  readonly pid: number
  /** When it began, as the system counts; tells it from a later process with the same id. Null where the system does not say. */
  readonly born: string | null
}

/** This process. */
export function ownerHere(): Owner {
  return { pid: process.pid, born: bornOf(process.pid) }
}

/** Whether a process that made a write still runs; where the system tells no birth, one with the same id counts. */
export function isAlive({ pid, born }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = bornOf(pid)
  return born === null || now === null || now === born
}

/** Whether a write is in the hands of another process that still runs. */
export function isElsewhere(owner: Owner): boolean {
  return isAlive(owner) && owner.pid !== process.pid
}

function bornOf(pid: number): string | null {
  if (process.platform !== 'linux') return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in brackets, may hold anything; the 22nd field is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
