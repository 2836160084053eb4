import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cleanEnvironment, type Environment, NODE, PARTNER, type Run } from '../support/partner.ts'

/** A run, and what it cost. */
export interface MeasuredRun extends Run {
  /** The most memory that it held at one time; 0 where the system does not tell. */
  readonly peakMib: number
  readonly elapsedMs: number
}

/** Runs the tool to its end and watches its memory. It is killed after 20 s. Of its output, only the size is kept above 1 MiB. */
export async function runMeasured(args: readonly string[], env: Environment): Promise<MeasuredRun> {
  const started = performance.now()
  const child = spawn(NODE, [PARTNER, ...args], { env: cleanEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      if (out[name].length < 1024 * 1024) out[name] += text
    })
  let peakMib = 0
  const watch = setInterval(() => {
    peakMib = Math.max(peakMib, peakOf(child.pid ?? 0))
  }, 10)
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  clearTimeout(limit)
  return { code: code as number | null, ...out, peakMib, elapsedMs: performance.now() - started }
}

function peakOf(pid: number): number {
  try {
    const [, kib = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kib) / 1024
  } catch {
    return 0
  }
}
