import { closeSync, constants, openSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt } from '../attempt.ts'
import { getSystemErrorCode } from './system-error.ts'

/** A process that owns a resource. Members that the operating system does not report are `null`. */
export interface Owner {
  readonly pid: number
  /** The start time of the process, which distinguishes it from a later process with the same ID. */
  readonly born: string | null
  /** The ID of the boot session in which the process ran. */
  readonly boot: string | null
  /** The PID namespace of the process. Each container has its own. */
  readonly pidNamespace: string | null
  /**
   * The path of a file that only this process can open. Windows deletes the file when the process ends, even if it is
   * killed. Used only on Windows, where Node cannot determine when another process started.
   */
  readonly lifeFile?: string
  /** The name of the machine on which the process ran, unless it is this machine. */
  readonly otherHost?: string
}

/**
 * The state of a process. `out-of-sight` means that it is in another container or on another machine, so its state
 * cannot be determined.
 */
export type Liveness = 'this-process' | 'running' | 'gone' | 'out-of-sight'

export function getCurrentOwner(): Owner {
  const lifeFile = process.platform === 'win32' ? getLifeFile() : null
  return {
    ...{ pid: process.pid, born: bornOf(process.pid), boot: getCurrentBoot(), pidNamespace: pidNamespaceHere() },
    ...(lifeFile === null ? {} : { lifeFile }),
  }
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
  if (differ(owner.born, bornOf(owner.pid)) || (owner.lifeFile && !isHeld(owner.lifeFile))) return 'gone'
  return owner.pid === process.pid ? 'this-process' : 'running'
}

/**
 * Flags for opening a liveness file. `fs.constants` lacks the last two, libuv's UV_FS_O_EXLOCK and UV_FS_O_TEMPORARY.
 * They keep other processes from opening the file, and make Windows delete the file when it is closed.
 */
const LIFE_FILE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | 0x10000000 | 0x40

let ownLifeFile: string | null | undefined

/** Creates this process's liveness file and keeps it open. Returns `null` if the file cannot be created. */
function getLifeFile(): string | null {
  if (ownLifeFile === undefined) {
    const path = join(tmpdir(), `partner-${process.pid}-${Math.random().toString(36).slice(2)}.running`)
    const descriptor = attempt(() => openSync(path, LIFE_FILE_FLAGS, 0o600), null)
    ownLifeFile = descriptor === null ? null : path
  }
  return ownLifeFile
}

/** Returns whether a process has the liveness file open. The file can outlast its process if the power fails. */
function isHeld(lifeFile: string): boolean {
  try {
    closeSync(openSync(lifeFile, 'r'))
    return false
  } catch (error) {
    return getSystemErrorCode(error) !== 'ENOENT'
  }
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
