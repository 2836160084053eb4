import { Failure } from '../../base/failure/failure.ts'
import { type Profile, SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { type NamedSecret, readReadableSecrets } from '../../client/profiles/readable-secrets.ts'
import type { OtherSecret } from '../../signing/secret-mistakes.ts'
import type { Host } from '../../terminal/runtime/host.ts'

/** The secrets that somebody may have taken for the right one, which is `own`. Hides all of them in what is printed from now on. */
export async function listOtherSecrets(host: Host, own: { readonly name: string }): Promise<OtherSecret[]> {
  const found = [...(await readReadableSecrets(readStoredProfiles(host), host.env)), ...(await secretOfSandbox(host))]
  return found.map(({ name, profile, secret }) => {
    host.stderr.hide(secret)
    const other = profile === null ? '' : `, or check with --profile ${profile}`
    return { name, secret, instead: `use ${own.name}, not ${name}${other}` }
  })
}

/** The profiles of the file; none when it cannot be read, as the secret in use may have come without it. */
function readStoredProfiles(host: Host): ReadonlyMap<string, Profile> {
  try {
    return readProfiles(profilesPath(host.env)).byName
  } catch (error) {
    if (error instanceof Failure) return new Map()
    throw error
  }
}

async function secretOfSandbox(host: Host): Promise<NamedSecret[]> {
  if (host.sandbox === null) return []
  const { secret } = await host.sandbox.signing()
  return [{ name: `the signing secret of profile ${SANDBOX_PROFILE}`, profile: SANDBOX_PROFILE, secret }]
}
