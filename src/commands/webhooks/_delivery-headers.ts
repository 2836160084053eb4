import type { Problems } from '../../cli/input/problems.ts'
import type { RunParts } from '../../cli/runtime/run.ts'
import { CREDENTIAL_HEADERS } from '../../contract/events.ts'
import { isLoopback } from '../../http/loopback.ts'
import { type CredentialInput, checkCredentials, readCredentials } from './_input.ts'

/**
 * The headers with the credentials that deliveries to a receiver carry, names in lower case; none without the flags. Throws all
 * problems so far before it reads any. Fails: USAGE, also for plain http to another machine; NO_PROFILE for one that cannot be read.
 */
export async function readDeliveryHeaders(
  flags: Pick<CredentialInput, 'security-key' | 'security-token'>,
  url: URL | undefined,
  { host, warn }: Pick<RunParts, 'host' | 'warn'>,
  problems: Problems,
): Promise<Record<string, string>> {
  const isAsked = flags['security-key'] !== undefined || flags['security-token'] !== undefined
  checkCredentials(flags, host.canAsk, problems)
  if (isAsked && url?.protocol === 'http:' && !isLoopback(url.hostname))
    problems.add(`credentials must not go to ${url.host} over plain http`, 'use https')
  problems.throwIfAny()
  const { securityKey, securityToken } = await readCredentials(flags, host, (line) => void warn(line))
  return {
    ...(securityKey === undefined ? {} : { [CREDENTIAL_HEADERS.securityKey.toLowerCase()]: securityKey }),
    ...(securityToken === undefined ? {} : { [CREDENTIAL_HEADERS.securityToken.toLowerCase()]: securityToken }),
  }
}
