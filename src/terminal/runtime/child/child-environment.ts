import { hideSecrets } from '../../../base/redaction/redaction.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import { readReadableSecrets } from '../../../client/profiles/readable-secrets.ts'
import type { Host } from '../host.ts'
import type { Environment } from './child-command.ts'

/** The variables in which partner itself is given a secret. `PGPASSFILE` stays: it is a path, and the file has its own protection. */
const OWN_SECRETS = ['PARTNER_API_KEY', 'PARTNER_SIGNING_SECRET', 'PGPASSWORD']

/**
 * Returns the environment for a program that runs on the user's behalf: our own, without the variables that hold a secret, by whatever
 * name. Secrets are those of all profiles and of our variables, as far as they can be read at once, and those that were read by now.
 * @param more further variables that hold a secret.
 */
export async function environmentOfChild(
  { env, stderr }: Pick<Host, 'env' | 'stderr'>,
  more: readonly string[] = [],
): Promise<Environment> {
  const profiles = knownProfiles(env)
  const sources = [...profiles.values()].flatMap(({ apiKey, signingSecret }) => [apiKey, signingSecret])
  const named = [
    ...OWN_SECRETS,
    ...more,
    ...sources.flatMap((source) => (source && 'env' in source ? [source.env] : [])),
  ]
  const readable = await readReadableSecrets(profiles, env)
  const given = named.map((name) => env[name] ?? '').filter((value) => value !== '')
  const secrets = [...stderr.hidden, ...given, ...readable.map(({ secret }) => secret)]
  return Object.fromEntries(
    Object.entries(env).filter(([name, value = '']) => !named.includes(name) && !holdsSecret(value, secrets)),
  )
}

/** A secret that is too short to be looked for in a text may still be all of it. */
function holdsSecret(value: string, secrets: readonly string[]): boolean {
  return secrets.includes(value) || hideSecrets(value, secrets) !== value
}

/** The profiles; none if their file cannot be read, which other commands report. */
function knownProfiles(env: Host['env']): ReturnType<typeof readProfiles>['byName'] {
  try {
    return readProfiles(profilesPath(env)).byName
  } catch {
    return new Map()
  }
}
