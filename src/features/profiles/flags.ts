import { Failure } from '../../base/failure/failure.ts'
import { parseProfileChange, type TypedMembers, type TypedMembersOptions } from '../../client/profiles/members.ts'
import type { ProfileChange } from '../../client/profiles/profile.ts'
import { flag, repeated, toggle } from '../../terminal/input/flags.ts'
import { readSecretInput } from '../../terminal/input/interruptible.ts'
import type { Host } from '../../terminal/runtime/host.ts'

export const PROFILE_FLAGS = {
  environment: flag('development|production', 'Environment of the service.'),
  'base-url': flag('URL', 'Address of the service, as issued at onboarding.'),
  mode: flag('read-only|confirm|full', 'What commands may do: only read, write after confirmation, or anything.'),
  timezone: flag('ZONE', 'Time zone of the venue, such as Australia/Sydney.'),
  'partner-name': flag('NAME', 'Your partnerName slug, for inbound endpoints.'),
  'signature-header': flag('NAME', 'Name of the signature header, for inbound endpoints.'),
  'location-id': flag('ID', 'Location ID of the venue.'),
  ledger: flag('URL', 'PostgreSQL database where several machines record their money writes.'),
  tag: repeated({
    helpValue: 'NAME',
    summary: 'A tag for the profile, to select it with --profiles tag:NAME. May be repeated.',
  }),
  'api-key': flag('REF', 'Where to read the API key: env:VAR, file:PATH or command:CMD.'),
  'api-key-stdin': toggle('Read the API key from standard input and store it.'),
  'signing-secret': flag('REF', 'Where to read the signing secret: env:VAR, file:PATH or command:CMD.'),
  'signing-secret-stdin': toggle('Read the signing secret from standard input and store it.'),
} as const

export type ProfileFlags = {
  readonly [F in Exclude<keyof typeof PROFILE_FLAGS, 'tag'>]?: F extends `${string}-stdin`
    ? boolean
    : string | undefined
} & { readonly tag?: string[] | undefined; readonly untag?: string[] | undefined }

/**
 * Reads the flags of a new or changed profile. Reads secrets from standard input for `-stdin` flags, or prompts for
 * them. Throws a USAGE error that lists all problems but quotes no secret.
 */
export async function readProfileChange(
  flags: ProfileFlags,
  host: Host,
  options?: TypedMembersOptions,
): Promise<ProfileChange> {
  const refuseBoth = (one: keyof ProfileFlags, other: keyof ProfileFlags, hint?: string) => {
    if (flags[one] && (flags[other] ?? false) !== false)
      throw new Failure('USAGE', `--${other} and --${one} cannot be used together`, { hint })
  }
  refuseBoth(
    'signing-secret-stdin',
    'api-key-stdin',
    'pass one of the two secrets as env:VAR, file:PATH or command:CMD',
  )
  refuseBoth('api-key-stdin', 'api-key')
  refuseBoth('signing-secret-stdin', 'signing-secret')
  const { environment, mode, timezone, ledger, tag, untag } = flags
  const typed: TypedMembers = {
    ...{ environment, mode, timezone, ledger, tag, untag },
    ...{ baseUrl: flags['base-url'], partnerName: flags['partner-name'], locationId: flags['location-id'] },
    ...{ signatureHeader: flags['signature-header'] },
    ...{ apiKey: flags['api-key'], signingSecret: flags['signing-secret'] },
  }
  const change = parseProfileChange(typed, options)
  if (flags['api-key-stdin']) return { ...change, apiKey: await readSecretInput(host, 'API key', 'API key:') }
  if (flags['signing-secret-stdin'])
    return { ...change, signingSecret: await readSecretInput(host, 'signing secret', 'Signing secret:') }
  return change
}
