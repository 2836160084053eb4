import { Interrupted } from '../../failure/interrupted.ts'
import { onSignals } from '../runtime/stopping.ts'

/** What comes on standard input, to its end. Fails: Interrupted. */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  const { stdin } = process
  const unwatch = onSignals((signal) => stdin.destroy(new Interrupted(signal)))
  try {
    for await (const chunk of stdin) yield chunk as Uint8Array
  } finally {
    unwatch()
  }
}
