import { attempt } from '../../../base/attempt.ts'
import { hideSecrets } from '../../../base/redaction/redaction.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import { readReadableSecrets } from '../../../client/profiles/readable-secrets.ts'
import type { Host } from '../host.ts'

/**
 * The variables that partner reads secrets from. Does not include `PGPASSFILE`, which is only the path of a protected
 * file.
 */
const OWN_SECRETS = ['PARTNER_API_KEY', 'PARTNER_SIGNING_SECRET', 'PARTNER_PING_URL', 'PGPASSWORD']

/**
 * Returns this process's environment, except the variables named in `more` and those that contain a secret that partner
 * can read.
 */
export async function environmentOfChild({ env, stderr }: Pick<Host, 'env' | 'stderr'>, more: readonly string[] = []) {
  // Ignore unreadable profiles, because other commands report them.
  const profiles = attempt(() => readProfiles(profilesPath(env)).byName, new Map<string, never>())
  const sources = [...profiles.values()].flatMap(({ apiKey, signingSecret }) => [apiKey, signingSecret])
  const named = [...OWN_SECRETS, ...more, ...sources.flatMap((one) => (one && 'env' in one ? [one.env] : []))]
  const readable = await readReadableSecrets(profiles, env)
  const given = named.map((name) => env[name] ?? '').filter((value) => value !== '')
  const secrets = [...stderr.hidden, ...given, ...readable.map(({ secret }) => secret)]
  return Object.fromEntries(
    Object.entries(env).filter(([name, value = '']) => !named.includes(name) && !holdsSecret(value, secrets)),
  )
}

/**
 * Returns whether a value is or contains a secret. Secrets that are too short to search for must equal the whole value.
 */
function holdsSecret(value: string, secrets: readonly string[]): boolean {
  return secrets.includes(value) || hideSecrets(value, secrets) !== value
}
