import { Failure } from '../../base/failure/failure.ts'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import { type Profile, SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { type NamedSecret, readReadableSecrets } from '../../client/profiles/readable-secrets.ts'
import { explainMismatch, MAX_PAIR_BYTES } from '../../signing/explain.ts'
import type { OtherSecret } from '../../signing/secret-mistakes.ts'
import type { SigningInput } from '../../signing/signature.ts'
import type { Verification } from '../../signing/verify.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { SigningSettings } from './input.ts'

interface Checked {
  readonly host: Host
  /** The flags exactly as the user typed them. */
  readonly flags: {
    readonly signature: string
    readonly url: string
    readonly body?: string | undefined
    readonly profile?: string | undefined
  }
  readonly signed: SigningInput
  readonly settings: Pick<SigningSettings, 'secretName' | 'headerName'>
  readonly verdict: Verification & { readonly valid: false }
}

/** Returns the error for a wrong signature. If common mistakes explain the signature, the error names them. */
export async function wrongSignatureFailure({ host, flags, signed, settings, verdict }: Checked): Promise<Failure> {
  host.stderr.hide(signed.secret)
  // Do not reveal the names of other profiles to a program that calls the command.
  const others = host.given === undefined ? await listOtherSecrets(host, { name: settings.secretName }) : []
  const explanation = explainMismatch(flags.signature, signed, others)
  const { reason } = verdict
  if (explanation !== null) {
    const { mistakes, correction } = explanation
    return new Failure('SIGNATURE_MISMATCH', `wrong signature: ${joinClauses(mistakes)}`, {
      hint: correction,
      details: { reason, mistakes, correction },
    })
  }
  const pairsNote =
    signed.body.length <= MAX_PAIR_BYTES
      ? 'or pair of mistakes explains why'
      : `explains why; pairs of mistakes are tried only for bodies of up to ${MAX_PAIR_BYTES / 1024} KiB`
  return new Failure('SIGNATURE_MISMATCH', `${verdict.message}; no common mistake ${pairsNote}`, {
    hint: nextStep(flags, settings.headerName !== null),
    details: { reason, mistakes: [], correction: null },
  })
}

function joinClauses(mistakes: readonly string[]): string {
  const before = mistakes.slice(0, -1)
  const last = mistakes.at(-1) ?? ''
  return before.length === 0 ? last : `${before.join(', ')}, and ${last}`
}

function nextStep({ url, body, profile }: Checked['flags'], hasHeader: boolean): string {
  const command = [
    ...(profile === undefined ? [] : ['--profile', quoteShellWord(profile)]),
    '--url',
    quoteShellWord(url),
    // A body typed on the command line may be long and private, so it is not repeated.
    ...(body === undefined ? [] : ['--body', /^(?:@|-$)/.test(body) ? quoteShellWord(body) : '-']),
    ...(hasHeader ? ['--curl'] : []),
  ]
  const query = url.includes('?') ? '' : ' (including the query of the URL, if any)'
  return `compare the signed bytes${query} and the secrets of both sides; the correct signature: partner sign ${command.join(' ')}`
}

/**
 * Returns the other secrets on this machine, any of which may have been used by mistake instead of `own`. Hides all of
 * them in later output.
 */
async function listOtherSecrets(host: Host, own: { readonly name: string }): Promise<OtherSecret[]> {
  const found = [...(await readReadableSecrets(readStoredProfiles(host), host.env)), ...(await getSandboxSecret(host))]
  return found.map(({ name, profile, secret }) => {
    host.stderr.hide(secret)
    const other = profile === null ? '' : `, or check with --profile ${profile}`
    return { name, secret, instead: `use ${own.name}, not ${name}${other}` }
  })
}

/**
 * Returns an empty map if the profile file cannot be read, because the secret in use may come from somewhere else.
 */
function readStoredProfiles(host: Host): ReadonlyMap<string, Profile> {
  try {
    return readProfiles(profilesPath(host.env)).byName
  } catch (error) {
    if (error instanceof Failure) return new Map()
    throw error
  }
}

async function getSandboxSecret(host: Host): Promise<NamedSecret[]> {
  if (host.sandbox === null) return []
  const { secret } = await host.sandbox.signing()
  return [{ name: `the signing secret of profile ${SANDBOX_PROFILE}`, profile: SANDBOX_PROFILE, secret }]
}
