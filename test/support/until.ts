import { setTimeout as delay } from 'node:timers/promises'

/** Waits until something is so; fails after ten seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('it did not come to that within 10 s')
    await delay(5)
  }
}
