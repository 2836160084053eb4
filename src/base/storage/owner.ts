import { readFileSync, readlinkSync } from 'node:fs'
import { attempt } from '../attempt.ts'

/** A process that owns a resource. Members that the operating system does not report are `null`. */
export interface Owner {
  readonly pid: number
  /** The start time of the process, which distinguishes it from a later process with the same ID. */
  readonly born: string | null
  /** The ID of the boot session in which the process ran. */
  readonly boot: string | null
  /** The namespace to which the process ID belongs. Each container has a separate one. */
  readonly pidNamespace: string | null
  /** The name of another machine, if the process ran there. */
  readonly otherHost?: string
}

/** The state of a process. `out-of-sight` means that it is in another container, so its state cannot be determined. */
export type Liveness = 'this-process' | 'running' | 'gone' | 'out-of-sight'

export function getCurrentOwner(): Owner {
  return { pid: process.pid, born: bornOf(process.pid), boot: getCurrentBoot(), pidNamespace: pidNamespaceHere() }
}

export function getLiveness(owner: Owner): Liveness {
  if (owner.otherHost !== undefined) return 'out-of-sight'
  if (differ(owner.boot, getCurrentBoot())) return 'gone'
  if (differ(owner.pidNamespace, pidNamespaceHere())) return 'out-of-sight'
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'gone'
  }
  if (differ(owner.born, bornOf(owner.pid))) return 'gone'
  return owner.pid === process.pid ? 'this-process' : 'running'
}

let boot: string | null | undefined

/** Returns the ID of the current boot session, or `null` if the operating system does not report one. */
export function getCurrentBoot(): string | null {
  if (boot === undefined) boot = onLinux(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || null)
  return boot
}

function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b
}

function pidNamespaceHere(): string | null {
  return onLinux(() => readlinkSync('/proc/self/ns/pid'))
}

function bornOf(pid: number): string | null {
  return onLinux(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program name is in parentheses and may contain any characters. The start time is field 22, which is the 20th
    // field after the name.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  })
}

function onLinux(read: () => string | null): string | null {
  return process.platform === 'linux' ? attempt(read, null) : null
}
