import { withSecretsHidden } from '../http/client/hiding.ts'
import type { Layer } from '../http/transport.ts'
import type { SecretSource, Sourced } from './profiles/profile.ts'
import { readAtHand } from './profiles/readable-secrets.ts'
import type { SecretName } from './profiles/secrets.ts'
import type { Settings } from './profiles/settings.ts'
import type { Surroundings } from './surroundings.ts'

const REPEATED = 'the response repeats a secret of this session (its API key, for example); it is shown as ••••'

/** Returns the layer that hides secrets in replies, also those that it does not send: the service may know them. */
export async function hideSecretsOf({ apiKey, signingSecret }: Settings, around: Surroundings): Promise<Layer> {
  const hide = async (source: Sourced<SecretSource> | null, what: SecretName) => {
    const secret = source && (await readAtHand(source.value, around.env, what))
    if (secret) around.hide(secret)
  }
  await hide(apiKey, 'API key')
  await hide(signingSecret, 'signing secret')
  let hasTold = false
  return withSecretsHidden(around.hidden, () => {
    if (!hasTold) around.notify({ kind: 'warning', text: REPEATED })
    hasTold = true
  })
}
