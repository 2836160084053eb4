import type { Interfaces } from '@oclif/core'
import { readSecret } from '../../../client/profiles/secret-reading.ts'
import { parseSecretReference, type SecretName, secretReference } from '../../../client/profiles/secrets.ts'
import { parseEventName, WEBHOOK_EVENTS } from '../../../contract/events.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { flag } from '../../../terminal/input/flags.ts'
import { readSecretInput } from '../../../terminal/input/interruptible.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { parseReceiverUrl } from '../../../terminal/input/values/receiver-url.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { type Credentials, credentialHeaders } from '../../../webhooks/listener/credential-headers.ts'
import { eventProblem } from '../../../webhooks/subscriptions/checks.ts'

export const EVENT_ARGUMENT = requiredArgument(`one of ${WEBHOOK_EVENTS.join(', ')}`)

/** Flags that define where to read the credentials that are sent with deliveries. */
export const CREDENTIAL_FLAGS = {
  'security-key': flag(
    'REF',
    'Key to send with deliveries: env:VAR, file:PATH, or - (a hidden prompt at a terminal, otherwise standard input).',
  ),
  'security-token': flag('REF', 'Token to send with the key: env:VAR, file:PATH, or -, as for --security-key.'),
} as const

export interface CredentialInput extends Partial<Interfaces.InferredFlags<typeof CREDENTIAL_FLAGS>> {
  readonly data?: string | undefined
  readonly set?: readonly string[] | undefined
  readonly 'no-validate'?: boolean | undefined
}

/**
 * Parses an event's name, ignoring case. Adds a problem if no such event exists. If `isChecked` is false, returns the
 * name as the user typed it.
 */
export function readEventName(typed: string, problems: Problems, isChecked = true): string {
  if (!isChecked) return typed
  const problem = eventProblem(typed)
  if (problem !== null) problems.add(problem, `nothing was sent; use one of ${WEBHOOK_EVENTS.join(', ')}`)
  return parseEventName(typed) ?? typed
}

/** Parses an event's name. Throws USAGE if no such event exists. */
export function requireEventName(typed: string, isChecked: boolean): string {
  const problems = new Problems()
  const name = readEventName(typed, problems, isChecked)
  problems.throwIfAny()
  return name
}

/** Checks that credentials are given by reference. The problems never quote a value that might be a secret. */
export function checkCredentials(input: CredentialInput, canAsk: boolean, problems: Problems): void {
  // At a terminal, both flags can be `-`, because the user is prompted for one credential at a time.
  const asked = canAsk ? [] : [input['security-key'], input['security-token']]
  const given = [...asked, input.data].filter((text) => text === '-')
  if (given.length > 1) problems.add('only one flag can read standard input')
  for (const name of ['security-key', 'security-token'] as const) {
    const text = input[name]
    if (text !== undefined && text !== '-' && secretReference(text) === null)
      problems.add(
        `--${name} must be env:VARIABLE, file:PATH, or - for standard input, not the secret itself`,
        'nothing was sent; keep secrets out of the command line, because the shell history and the process list would show them',
      )
  }
  const isPlain = /security(key|token)/i
  const inline = input.data !== undefined && !/^(?:@|-$)/.test(input.data) && isPlain.test(input.data)
  if (inline || input.set?.some((setting) => isPlain.test(setting.split('=')[0] ?? '')))
    problems.add(
      '--data and --set must not contain a credential',
      'nothing was sent; use --security-key, --security-token or --data @file',
    )
}

/**
 * Returns the credentials as headers with lower-case names. Throws NO_PROFILE if a credential cannot be read or cannot
 * be sent in a header.
 */
export async function readCredentialHeaders(input: CredentialInput, run: Pick<RunParts, 'host' | 'warn'>) {
  return credentialHeaders(await readCredentials(input, run))
}

/** Returns the credentials as members of a request body. Throws NO_PROFILE if a credential cannot be read. */
async function readCredentials(input: CredentialInput, { host, warn }: Pick<RunParts, 'host' | 'warn'>) {
  const read = async (text: string, what: SecretName) => {
    const source =
      text === '-'
        ? await readSecretInput(host, what, `The ${what} to send with deliveries:`)
        : parseSecretReference(text, `--${what.replace(' ', '-')}`)
    const secret = await readSecret(source, host.env, what, { warn, signal: host.signal })
    host.stderr.hide(secret)
    return secret
  }
  const [key, token] = [input['security-key'], input['security-token']]
  return {
    ...(key === undefined ? {} : { securityKey: await read(key, 'security key') }),
    ...(token === undefined ? {} : { securityToken: await read(token, 'security token') }),
  }
}

/**
 * Returns the event and the credentials of a subscription. Checks its URL if there is one. Throws USAGE that lists
 * every problem, without quoting secrets. Throws NO_PROFILE if a credential cannot be read.
 */
export async function readSubscription(
  { event, url }: { readonly event: string; readonly url?: string | undefined },
  flags: CredentialInput,
  run: Pick<RunParts, 'host' | 'warn'>,
): Promise<{ readonly event: string; readonly credentials: Credentials }> {
  const problems = new Problems()
  const isChecked = !flags['no-validate']
  checkCredentials(flags, run.host.canAsk, problems)
  const name = readEventName(event, problems, isChecked)
  if (isChecked && url !== undefined) parseReceiverUrl(url, 'URL', problems)
  problems.throwIfAny()
  return { event: name, credentials: await readCredentials(flags, run) }
}
