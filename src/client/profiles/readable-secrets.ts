import { statSync } from 'node:fs'
import type { Variables } from '../../base/storage/directories.ts'
import type { Profile, SecretSource } from './profile.ts'
import { expandHome, readSecret } from './secret-reading.ts'
import type { SecretName } from './secrets.ts'

/** A secret of a profile or variable. */
export interface NamedSecret {
  /** What it is, for a message: `the signing secret of profile prod`. */
  readonly name: string
  /** The profile whose signing secret it is; null for anything else. */
  readonly profile: string | null
  readonly secret: string
}

/**
 * Reads the signing secrets and API keys of all profiles and of our variables, as far as they can be read without running a
 * command or waiting for anybody. Leaves out what cannot be read, and says nothing about it: nobody asked for these.
 */
export async function readReadableSecrets(
  profiles: ReadonlyMap<string, Profile>,
  env: Variables,
): Promise<NamedSecret[]> {
  const places: [what: SecretName, of: string, profile: string | null, source: SecretSource | null][] = []
  for (const what of ['signing secret', 'API key'] as const) {
    for (const [name, profile] of profiles)
      places.push([
        what,
        `of profile ${name}`,
        what === 'API key' ? null : name,
        what === 'API key' ? profile.apiKey : profile.signingSecret,
      ])
    const variable = what === 'API key' ? 'PARTNER_API_KEY' : 'PARTNER_SIGNING_SECRET'
    const file = env[`${variable}_FILE`]
    places.push([what, `in ${variable}`, null, { env: variable }])
    if (file) places.push([what, `in the file of ${variable}_FILE`, null, { file }])
  }
  const found = await Promise.all(
    places.map(async ([what, of, profile, source]) => {
      const secret = source === null ? null : await readAtHand(source, env, what)
      return secret === null ? [] : [{ name: `the ${what} ${of}`, profile, secret }]
    }),
  )
  return found.flat()
}

/** Whether a secret can be read now: a pipe might wait for somebody to write, a command might ask for a password. */
function isAtHand(source: SecretSource, env: Variables): boolean {
  if ('command' in source) return false
  return !('file' in source) || statSync(expandHome(source.file, env), { throwIfNoEntry: false })?.isFile() === true
}

/** Reads a secret without running a command or waiting for anyone; `null` if that is not possible. */
export async function readAtHand(source: SecretSource, env: Variables, what: SecretName): Promise<string | null> {
  try {
    return isAtHand(source, env) ? await readSecret(source, env, what) : null
  } catch {
    return null
  }
}
