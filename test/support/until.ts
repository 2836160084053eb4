import { setTimeout as delay } from 'node:timers/promises'
import { LIMIT_MS } from './limit.ts'

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not so within ${LIMIT_MS} ms: ${isSo}`)
    await delay(5)
  }
}
