import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanEnvironment, NODE, PARTNER, type Run } from '../support/partner.ts'
import type { Shop } from './cashier.ts'

/** A run of the tool that is under way. */
export interface Running {
  readonly process: ChildProcess
  /** Comes when the process has ended, whoever ended it. */
  readonly ended: Promise<Run>
}

/** Starts the tool in a shop; it is killed after 15 seconds. */
export function start(shop: Shop, args: readonly string[]): Running {
  const child = spawn(NODE, [PARTNER, ...args], { env: cleanEnvironment(shop.env), stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    out.stderr += text
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 15_000)
  const ended = once(child, 'close').then(([code]): Run => {
    clearTimeout(limit)
    return { code: code as number | null, ...out }
  })
  return { process: child, ended }
}

/** Comes back when it is so. Fails after 10 seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('it did not come to that within 10 s')
    await delay(5)
  }
}
