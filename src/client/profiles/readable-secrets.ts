import { statSync } from 'node:fs'
import type { Variables } from '../../base/storage/directories.ts'
import type { Profile, SecretSource } from './profile.ts'
import { expandHome, readSecret } from './secret-reading.ts'
import type { SecretName } from './secrets.ts'

export interface NamedSecret {
  /** A name for the secret in messages, such as `the signing secret of profile prod`. */
  readonly name: string
  /** The profile that a signing secret belongs to, or `null` for other secrets. */
  readonly profile: string | null
  readonly secret: string
}

/** Reads the secrets in profiles and variables. Skips a secret if reading it might block or would run a command. */
export async function readReadableSecrets(profiles: ReadonlyMap<string, Profile>, env: Variables) {
  const of = async (what: SecretName, where: string, profile: string | null, source: SecretSource | null) => {
    const secret = source && (await readSecretIfAvailable(source, env, what))
    return secret === null ? [] : [{ name: `the ${what} ${where}`, profile, secret }]
  }
  const all = [...profiles]
  const ofVariable = (what: SecretName, variable: string) => {
    const file = env[`${variable}_FILE`]
    return [
      of(what, `in ${variable}`, null, { env: variable }),
      of(what, `in the file named by ${variable}_FILE`, null, file ? { file } : null),
    ]
  }
  const found = await Promise.all([
    ...all.map(([name, one]) => of('signing secret', `of profile ${name}`, name, one.signingSecret)),
    ...ofVariable('signing secret', 'PARTNER_SIGNING_SECRET'),
    ...all.map(([name, one]) => of('API key', `of profile ${name}`, null, one.apiKey)),
    ...ofVariable('API key', 'PARTNER_API_KEY'),
  ])
  return found.flat()
}

/**
 * Reads a secret, or returns `null` if it cannot be read. Does not read pipes, which may never end, or run commands,
 * which may ask for a password.
 */
export async function readSecretIfAvailable(
  source: SecretSource,
  env: Variables,
  what: SecretName,
): Promise<string | null> {
  try {
    if ('command' in source || ('file' in source && !statSync(expandHome(source.file, env)).isFile())) return null
    return await readSecret(source, env, what)
  } catch {
    return null
  }
}
