import { Failure } from '../../base/failure/failure.ts'
import { CREDENTIAL_HEADERS } from '../../contract/events.ts'

/** The credentials of a subscription, as far as they are known. */
export type Credentials = { readonly [name in keyof typeof CREDENTIAL_HEADERS]?: string | undefined }

const IN_WORDS = { securityKey: 'security key', securityToken: 'security token' } as const

/**
 * The headers of a delivery that carry these credentials; names in lower case. Fails: NO_PROFILE, without echoing it, for one
 * that no header can carry unchanged.
 */
export function credentialHeaders(credentials: Credentials): Record<string, string> {
  const names = Object.keys(CREDENTIAL_HEADERS) as (keyof typeof CREDENTIAL_HEADERS)[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = credentials[name]
      if (value === undefined) return []
      if (!/^[!-~](?:[ -~]*[!-~])?$/.test(value))
        throw new Failure('NO_PROFILE', `the ${IN_WORDS[name]} holds characters that no header can carry`, {
          hint: 'use letters, digits and punctuation on one line, without spaces around them; nothing was sent',
        })
      return [[CREDENTIAL_HEADERS[name].toLowerCase(), value]]
    }),
  )
}
