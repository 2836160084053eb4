import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { HIDDEN } from '../../../base/redaction/redaction.ts'
import { readSecret } from '../../../client/profiles/secret-reading.ts'
import { secretReference } from '../../../client/profiles/secrets.ts'
import { isLoopback } from '../../../http/loopback.ts'
import type { Environment } from '../../../http/proxy-choice.ts'
import type { Output } from '../../output/output.ts'

export const PING_VARIABLE = 'PARTNER_PING_URL'

/** The placeholder for the profile's name in a ping URL. */
export const PROFILE_PLACEHOLDER = '{profile}'

/** The time limit for reading the URL from a reference, such as a pipe or a command. */
const REFERENCE_LIMIT_MS = 5000

/** The ping URL that was given, or a reference to one. `from` names the flag or variable that contains it. */
export type GivenPing = { readonly text: string; readonly from: string }

/**
 * Finds the ping URL on an unparsed command line or in the environment. The command line may be invalid, because usage
 * errors are reported to the monitor too. Returns `null` if no URL is given.
 */
export function findPing(words: readonly string[], env: Environment): GivenPing | null {
  const at = words.findLastIndex((word) => word === '--ping' || word.startsWith('--ping='))
  const text = at < 0 ? undefined : words[at] === '--ping' ? words[at + 1] : words[at]?.slice('--ping='.length)
  if (text !== undefined) return { text, from: '--ping' }
  return env[PING_VARIABLE] ? { text: env[PING_VARIABLE], from: PING_VARIABLE } : null
}

/** Hides a ping URL in all output. Does nothing if the text is not a URL, because it could be an ordinary word. */
export function hidePing(text: string, stderr: Output): void {
  if (/^https?:\/\/./i.test(text)) stderr.hide(text.replace(/\/+$/, ''))
}

type Reading = { readonly env: Environment; readonly stderr: Output; readonly signal: AbortSignal }

/** Reads the URL if it is a reference and hides it in all output. Throws USAGE if the reference cannot be read. */
export async function readPing({ text, from }: GivenPing, { env, stderr, signal }: Reading): Promise<GivenPing> {
  const source = secretReference(text)
  if (source === null) return { text, from }
  try {
    const read = (await readSecret(source, env, 'ping URL', { limitMs: REFERENCE_LIMIT_MS, signal })).trim()
    hidePing(read, stderr)
    return { text: read, from }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw usageFailure([`${from}: ${error.message}`], error.hint)
  }
}

/**
 * Checks a ping URL. It must use https unless it points to this machine: anyone who intercepts the URL could silence
 * the monitor. Throws USAGE without quoting the URL, which is a secret.
 */
export function checkPingUrl({ text, from }: GivenPing): URL {
  const refusal = (problem: string, hint: string) => usageFailure([`${from} ${problem}`], hint)
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null
  if (url === null)
    throw refusal(
      'must be an https URL, or env:VARIABLE, file:PATH or command:COMMAND',
      'copy the ping URL from your job monitor',
    )
  if (url.username !== '' || url.password !== '' || /#/.test(text))
    throw refusal(
      'must not contain a user name, a password or a fragment (#)',
      'copy the ping URL from your job monitor',
    )
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refusal(
      'must use https: plain http would expose the URL to anyone on the network',
      'plain http is accepted only for 127.0.0.1, [::1] and localhost',
    )
  return url
}

/** Masks a ping URL, except its host. Returns a reference unchanged. */
export function maskPing(text: string): string {
  if (secretReference(text) !== null) return text
  const url = URL.parse(text)
  return url === null || url.host === '' ? HIDDEN : `${url.origin}/${HIDDEN}`
}
