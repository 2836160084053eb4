import { readFileSync } from 'node:fs'
import type { Environment, Run } from '../support/partner.ts'
import { startPartner } from '../support/running.ts'

export interface MeasuredRun extends Run {
  /** The peak memory of the run, in MiB, or 0 if the system does not report it. */
  readonly peakMib: number
}

/** Runs the tool until it exits and measures its memory. */
export async function runMeasured(args: readonly string[], env: Environment): Promise<MeasuredRun> {
  const { process, ended } = startPartner(args, { env, keptBytes: 1024 * 1024 })
  let peakMib = 0
  const watch = setInterval(() => {
    peakMib = Math.max(peakMib, peakMibOf(process.pid ?? 0))
  }, 10)
  try {
    return { ...(await ended), peakMib }
  } finally {
    clearInterval(watch)
  }
}

/** Returns a process's peak memory so far, in MiB, or 0 if the system does not report it. */
export function peakMibOf(pid: number): number {
  try {
    const [, kib = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kib) / 1024
  } catch {
    return 0
  }
}
