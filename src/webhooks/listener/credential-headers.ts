import { Failure } from '../../base/failure/failure.ts'
import { CREDENTIAL_HEADERS } from '../../contract/events.ts'

export const CREDENTIAL_NAMES = { securityKey: 'security key', securityToken: 'security token' } as const

export type Credentials = { readonly [name in keyof typeof CREDENTIAL_NAMES]?: string }

/**
 * Returns the credentials as headers, with names in lower case. Throws NO_PROFILE if a value is not allowed in a
 * header. The message does not contain the value.
 */
export function credentialHeaders(credentials: Credentials): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of ['securityKey', 'securityToken'] as const) {
    const value = credentials[name]
    if (value === undefined) continue
    if (!/^[!-~](?:[ -~]*[!-~])?$/.test(value))
      throw new Failure(
        'NO_PROFILE',
        `the ${CREDENTIAL_NAMES[name]} contains characters that are not allowed in a header`,
        {
          hint: 'nothing was sent; use letters, digits and punctuation on one line, without spaces around them',
        },
      )
    headers[CREDENTIAL_HEADERS[name].toLowerCase()] = value
  }
  return headers
}
