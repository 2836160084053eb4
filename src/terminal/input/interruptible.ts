import type { Readable } from 'node:stream'
import { Interrupted } from '../../base/failure/interrupted.ts'
import type { SecretSource } from '../../client/profiles/profile.ts'
import { parseStoredSecret, readStoredSecret, type SecretName } from '../../client/profiles/secrets.ts'
import type { Host } from '../runtime/host.ts'
import { onSignals } from '../runtime/stopping.ts'

/**
 * Runs work that waits for input. Rejects with `Interrupted` on the first Ctrl-C, which is safe because nothing has
 * been sent yet.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const unwatch = onSignals((signal) => controller.abort(Interrupted.atInput(signal)))
  try {
    return await work(controller.signal)
  } finally {
    unwatch()
  }
}

/** Reads standard input. The first Ctrl-C cancels the read. Throws Interrupted, or an error from `read`. */
export async function readStandardInput<T>(read: (input: Readable) => Promise<T>): Promise<T> {
  return interruptible((signal) => {
    signal.addEventListener('abort', () => process.stdin.destroy(signal.reason), { once: true })
    return read(process.stdin)
  })
}

/**
 * Prompts for a secret, shown as bullets, or reads it from a pipe. Throws Interrupted, or an error from
 * `readStoredSecret`.
 */
export async function readSecretInput(host: Host, what: SecretName, question: string): Promise<SecretSource> {
  if (!host.canAsk) return readStandardInput((input) => readStoredSecret(input, what))
  const { askSecret, problemOf } = await import('./prompts.ts')
  const typed = await askSecret(host, question, (text) => problemOf(() => parseStoredSecret(text, what)))
  return parseStoredSecret(typed, what)
}
