import type { Readable } from 'node:stream'
import { Interrupted } from '../../failure/interrupted.ts'
import type { SecretSource } from '../../profiles/profile.ts'
import { readStoredSecret, type SecretName } from '../../profiles/secrets.ts'
import { onSignals } from '../runtime/stopping.ts'

/**
 * Runs work that only waits for input, and ends it with `Interrupted` at the first Ctrl-C: nothing has been sent yet.
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

/** Reads standard input, and ends with `Interrupted` at the first Ctrl-C. Fails: Interrupted; as `read`. */
export async function fromStandardInput<T>(read: (input: Readable) => Promise<T>): Promise<T> {
  return interruptible((signal) => {
    signal.addEventListener('abort', () => process.stdin.destroy(signal.reason), { once: true })
    return read(process.stdin)
  })
}

/** Reads a secret piped into the command. Fails: Interrupted; as `readStoredSecret`. */
export async function secretFromStdin(what: SecretName): Promise<SecretSource> {
  return fromStandardInput((input) => readStoredSecret(input, what))
}
