import { setTimeout as delay } from 'node:timers/promises'
import { LIMIT_MS } from './limit.ts'

/** Waits until a condition is true. Throws Error after {@link LIMIT_MS}. */
export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`condition not met within ${LIMIT_MS} ms: ${isMet}`)
    await delay(5)
  }
}
