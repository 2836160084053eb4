import { setTimeout as wait } from 'node:timers/promises'

/** Waits. Fails: with the reason of the signal, once it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
