import { withSecretsHidden } from '../http/client/hiding.ts'
import type { Layer } from '../http/transport.ts'
import type { SecretSource, Sourced } from './profiles/profile.ts'
import { readSecretIfAvailable } from './profiles/readable-secrets.ts'
import type { SecretName } from './profiles/secrets.ts'
import type { Settings } from './profiles/settings.ts'
import type { Surroundings } from './surroundings.ts'

const REPEATED = 'the response contains a secret, such as your API key; it is shown as ••••'

/**
 * Returns an HTTP layer that hides the API key and the signing secret in responses. The service may have stored them,
 * so they are hidden even if the requests do not contain them.
 */
export async function hideSecretsOf({ apiKey, signingSecret }: Settings, around: Surroundings): Promise<Layer> {
  const hide = async (source: Sourced<SecretSource> | null, what: SecretName) => {
    const secret = source && (await readSecretIfAvailable(source.value, around.env, what))
    if (secret) around.hide(secret)
  }
  await hide(apiKey, 'API key')
  await hide(signingSecret, 'signing secret')
  let hasWarned = false
  return withSecretsHidden(around.hidden, () => {
    if (!hasWarned) around.notify({ kind: 'warning', text: REPEATED })
    hasWarned = true
  })
}
