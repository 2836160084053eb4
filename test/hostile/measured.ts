import { readFileSync } from 'node:fs'
import type { Environment, Run } from '../support/partner.ts'
import { startPartner } from '../support/running.ts'

/** A run, and what it cost. */
export interface MeasuredRun extends Run {
  /** The most memory that it held at one time; 0 where the system does not tell. */
  readonly peakMib: number
}

/** Runs the tool to its end and watches its memory. */
export async function runMeasured(args: readonly string[], env: Environment): Promise<MeasuredRun> {
  const { process, ended } = startPartner(args, { env, keptBytes: 1024 * 1024 })
  let peakMib = 0
  const watch = setInterval(() => {
    peakMib = Math.max(peakMib, peakOf(process.pid ?? 0))
  }, 10)
  try {
    return { ...(await ended), peakMib }
  } finally {
    clearInterval(watch)
  }
}

/** The most memory that a process has held so far, MiB; 0 where the system does not tell. */
export function peakOf(pid: number): number {
  try {
    const [, kib = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kib) / 1024
  } catch {
    return 0
  }
}
