import type { Problems } from '../../../terminal/input/problems.ts'
import { parseTargetUrl } from '../../../terminal/input/values/receiver-url.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { credentialHeaders } from '../../../webhooks/listener/credential-headers.ts'
import { type CredentialInput, checkCredentials, readCredentials } from './input.ts'
import { receiverOr } from './running.ts'

/** What a command is told of the receiver that it is to send to. */
interface TargetFlags extends Pick<CredentialInput, 'security-key' | 'security-token'> {
  readonly to?: string | undefined
}

/** Where to send, and what each delivery carries. */
export interface ChosenTarget {
  readonly url: URL
  /** The credentials, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Reads where to send (without `--to`, the running listener, of `journal` if it has one) and the credentials for it, once everything else on the command line was looked at: throws all problems so
 * far before it reads any. Fails: USAGE, also for credentials over plain http to another machine; NO_PROFILE for one that cannot
 * be read or sent.
 */
export async function chooseTarget(
  { to, ...flags }: TargetFlags,
  { host, warn }: Pick<RunParts, 'host' | 'warn'>,
  problems: Problems,
  journal?: string,
): Promise<ChosenTarget> {
  checkCredentials(flags, host.canAsk, problems)
  const carriesCredentials = flags['security-key'] !== undefined || flags['security-token'] !== undefined
  const receiver = receiverOr(to, host, problems, journal)
  const url = problems.settled(
    receiver === undefined ? undefined : parseTargetUrl(receiver, '--to', carriesCredentials, problems),
  )
  return { url, headers: credentialHeaders(await readCredentials(flags, host, warn)) }
}
