import { Failure } from '../../base/failure/failure.ts'
import { readSecret, type SecretReading } from '../../client/profiles/secret-reading.ts'
import { CREDENTIAL_NAMES, type Credentials } from '../listener/credential-headers.ts'
import { CREDENTIALS, type DesiredSubscription, problemLine } from './desired.ts'
import type { SubscriptionsFile } from './file/read.ts'

/**
 * Reads all credentials, even those that are not needed, so that every mistake is reported. Throws NO_PROFILE with the
 * position of each credential that cannot be read.
 */
export async function readCredentials(
  { name, subscriptions }: SubscriptionsFile,
  env: Readonly<Record<string, string | undefined>>,
  reading: SecretReading,
  hide: (secret: string) => void,
): Promise<ReadonlyMap<DesiredSubscription, Credentials>> {
  const found = new Map<DesiredSubscription, Credentials>()
  const failures: Failure[] = []
  for (const one of subscriptions) {
    const credentials: { -readonly [member in keyof Credentials]: Credentials[member] } = {}
    for (const member of CREDENTIALS) {
      const reference = one[member]
      if (reference === null) continue
      try {
        credentials[member] = await readSecret(reference.source, env, CREDENTIAL_NAMES[member], reading)
        hide(credentials[member])
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failures.push(error.withWords(problemLine(name, { place: reference.place, words: error.words })))
      }
    }
    found.set(one, credentials)
  }
  const [first] = failures
  if (first === undefined) return found
  if (failures.length === 1) throw first
  throw new Failure('NO_PROFILE', `${failures.length} credentials cannot be read:`, {
    lines: failures.map(({ words }) => words),
    hint: 'nothing was sent; set these variables or fix these files, then run the command again',
  })
}
