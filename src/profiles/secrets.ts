import { resolve } from 'node:path'
import { Failure } from '../failure/failure.ts'
import type { SecretSource } from './profile.ts'

/** The secrets there are, as they are called in messages. */
export type SecretName = 'API key' | 'signing secret' | 'security key' | 'security token'

/** What a secret may have at most, in bytes: far above any key, and far below what would hurt. */
export const MAX_SECRET_BYTES = 65_536

/**
 * Reads a reference as it is typed: `env:VAR`, `file:PATH`, `command:CMD`. A relative path is made absolute, as the
 * secret is read later, from another directory (cron); `~/` stays, and is the home directory when it is read.
 * Fails: USAGE for anything else. The text is never echoed: it is likely the secret itself.
 */
export function parseSecretReference(text: string, flag: string, cwd: string = process.cwd()): SecretSource {
  const [, kind, rest = ''] = /^(env|file|command):(.*)$/s.exec(text) ?? []
  if (kind === 'env' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(rest)) return { env: rest }
  if (kind === 'file' && rest.trim() !== '' && !rest.includes('\0')) {
    return { file: rest.startsWith('~/') ? rest : resolve(cwd, rest) }
  }
  if (kind === 'command' && rest.trim() !== '' && !rest.includes('\0')) return { command: rest }
  throw new Failure('USAGE', describeReferenceProblem(flag), {
    hint: 'a secret itself would show up in the shell history and in the list of processes',
  })
}

/** The problem with a text that {@link parseSecretReference} refuses, for a list of problems. */
export function describeReferenceProblem(flag: string): string {
  return `${flag} must be env:VARIABLE, file:PATH or command:COMMAND, not the secret itself`
}

/**
 * Checks a secret that was read from anywhere, and returns it. An API key goes into an HTTP header, so it is visible
 * ASCII without spaces; other secrets may be any text. `where` completes the sentence: "the API key in $MY_KEY …".
 * Fails: NO_PROFILE (exit 4), without echoing anything of it.
 */
export function checkSecret(value: string, what: SecretName, where: string): string {
  const place = where === '' ? '' : ` ${where}`
  if (value === '') throw new Failure('NO_PROFILE', `the ${what}${place} is empty`)
  if (what === 'API key' && !/^[!-~]+$/.test(value)) {
    throw new Failure('NO_PROFILE', `the API key${place} holds spaces, line breaks or characters that no key has`, {
      hint: 'copy it again, without quotes, and as one line',
    })
  }
  if (/\0/.test(value)) throw new Failure('NO_PROFILE', `the ${what}${place} is not text`)
  return value
}

/** A secret typed at a prompt or read from stdin, to be stored as a value. Fails: USAGE when it is empty or no key. */
export function parseStoredSecret(text: string, what: SecretName): SecretSource {
  return usage(() => ({ value: checkSecret(trimLineEnd(text), what, '') }))
}

/**
 * A secret piped into the command (`--api-key-stdin`), to be stored as a value.
 * Fails: USAGE when nothing, too much, or no text comes.
 */
export async function readStoredSecret(
  input: AsyncIterable<Uint8Array | string>,
  what: SecretName,
): Promise<SecretSource> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_SECRET_BYTES) {
      throw new Failure('USAGE', `the ${what} on stdin is longer than ${MAX_SECRET_BYTES} bytes: that is no ${what}`)
    }
    chunks.push(bytes)
  }
  return usage(() => ({ value: checkSecret(decodeSecret(Buffer.concat(chunks), what, 'on stdin'), what, 'on stdin') }))
}

/**
 * Bytes as a secret: without the mark that some editors put in front, and without the line's end.
 * Fails: NO_PROFILE when they are not UTF-8, as a secret with letters replaced would be a wrong one.
 */
export function decodeSecret(bytes: Uint8Array, what: SecretName, where: string): string {
  try {
    return trimLineEnd(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Failure('NO_PROFILE', `the ${what} ${where} is not text in UTF-8`)
  }
}

/** A text without the line break at its end, which editors, `echo` and variables read from files add. */
export function trimLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

/** What is typed wrong now is a usage error; the same found at a later run is a profile that does not work. */
function usage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) throw new Failure('USAGE', error.message, { hint: error.hint })
    throw error
  }
}
