import { readFileSync, readlinkSync } from 'node:fs'

/** A process that holds something, or does something that must be found out about when it is gone. Each member but the first is null where the system does not say. */
export interface Owner {
  readonly pid: number
  /** When it started, as the system counts: tells it from a later process with the same id. */
  readonly born: string | null
  /** Identifies the start of the system that it runs under. */
  readonly boot: string | null
  /** The namespace of its id: each container has process ids of its own. */
  readonly pidNamespace: string | null
}

/** `out-of-sight`: it belongs to another container, so nobody here can tell whether it runs. */
export type Liveness = 'this-process' | 'running' | 'gone' | 'out-of-sight'

/** This process. */
export function ownerHere(): Owner {
  return { pid: process.pid, born: bornOf(process.pid), boot: bootHere(), pidNamespace: pidNamespaceHere() }
}

/** Whether a process of this system still runs. */
export function livenessOf(owner: Owner): Liveness {
  if (differ(owner.boot, bootHere())) return 'gone'
  if (differ(owner.pidNamespace, pidNamespaceHere())) return 'out-of-sight'
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: it runs, as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'gone'
  }
  if (differ(owner.born, bornOf(owner.pid))) return 'gone'
  return owner.pid === process.pid ? 'this-process' : 'running'
}

let boot: string | null | undefined

/** Identifies this start of the system; null where the system does not say. */
export function bootHere(): string | null {
  if (boot === undefined) boot = readBoot()
  return boot
}

function readBoot(): string | null {
  if (process.platform !== 'linux') return null
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || null
  } catch {
    return null
  }
}

function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b
}

function pidNamespaceHere(): string | null {
  try {
    return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : null
  } catch {
    return null
  }
}

function bornOf(pid: number): string | null {
  if (process.platform !== 'linux') return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in brackets, may hold anything. The start time is field 22, the 20th after the name.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
