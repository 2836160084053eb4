import { string } from '@oclif/core/flags'
import { requireSandbox } from '../../client/built-in-sandbox.ts'
import { SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { resolveSettings } from '../../client/profiles/resolve.ts'
import { readSecret } from '../../client/profiles/secret-reading.ts'
import { describeIgnored, requireSetting } from '../../client/profiles/settings.ts'
import { readTextBytes } from '../../terminal/input/body.ts'
import { flag, OUTPUT_FLAGS, requiredFlag } from '../../terminal/input/flags.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'

/** Flags of the commands that create or verify signatures. These commands send no requests. */
export const SIGNING_BASE_FLAGS = {
  profile: string({
    char: 'p',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
    summary: 'Profile whose signing secret to use; "sandbox" is built in.',
  }),
  ...OUTPUT_FLAGS,
} as const

export const SIGNED_FLAGS = {
  url: requiredFlag('URL', 'Absolute request URL with its query, signed exactly as typed.'),
  body: flag('TEXT|@file|-', 'Request body, signed byte for byte (default: none).'),
} as const

/** The settings that are needed to sign a request. */
export interface SigningSettings {
  readonly secret: string
  /** Describes where the secret comes from, such as `the signing secret of profile dev`. */
  readonly secretName: string
  /** The name of the signature header; `null` if it is not set. */
  readonly headerName: string | null
  /** Returns the name of the signature header. Throws NO_PROFILE if that setting is missing. */
  readonly header: () => string
}

/**
 * Reads the body to sign and the signing settings. Throws USAGE if a file cannot be read, or NO_PROFILE if no signing
 * secret is set.
 */
export async function readSigned(
  flags: { readonly url: string; readonly body?: string | undefined; readonly profile?: string | undefined },
  { host, warn, debug }: Pick<RunParts, 'host' | 'warn' | 'debug'>,
): Promise<{ readonly body: Uint8Array; readonly settings: SigningSettings }> {
  if (!/^https?:\/\/[^\s/]/i.test(flags.url))
    await warn('--url is not absolute; an inbound endpoint expects the absolute URL, including the query')
  const body = await readBody(flags.body, host)
  const settings = await readSigningSettings(host, flags.profile, warn)
  if (settings.remark !== null) await debug(settings.remark)
  return { body, settings }
}

async function readBody(body: string | undefined, { given }: Host): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array()
  return given === undefined ? readTextBytes(body, '--body') : Buffer.from(body)
}

async function readSigningSettings(host: Host, profile: string | undefined, warn: (text: string) => void) {
  const settings = resolveSettings({
    flags: { profile },
    env: host.env,
    profiles: () => readProfiles(profilesPath(host.env)),
    needs: ['signingSecret'],
  })
  for (const warning of settings.warnings) warn(warning)
  const own = settings.kind === 'sandbox' ? await requireSandbox(host).signing() : null
  const source = settings.signingSecret ?? (own ? { value: { value: own.secret } } : null)
  const { value } = source ?? requireSetting(settings, 'signingSecret')
  const headerName = settings.signatureHeader?.value ?? own?.header ?? null
  const from = settings.signingSecret?.from ?? `profile ${SANDBOX_PROFILE}`
  return {
    secret: await readSecret(value, host.env, 'signing secret', { warn, signal: host.signal }),
    secretName: `the signing secret ${from.startsWith('profile ') ? 'of' : 'in'} ${from}`,
    remark: describeIgnored(settings),
    headerName,
    header: () => headerName ?? requireSetting(settings, 'signatureHeader').value,
  }
}
