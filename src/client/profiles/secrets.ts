import { resolve } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { isUtf16, UTF16_HINT } from '../../base/utf8.ts'
import type { SecretSource } from './profile.ts'

/** The kinds of secret, with the names that messages use. */
export type SecretName =
  | 'API key'
  | 'signing secret'
  | 'security key'
  | 'security token'
  | 'ping URL'
  | 'value of a header'
  | 'webhook URL'

/** The maximum size of a secret, in bytes. Far larger than any real key. */
export const MAX_SECRET_BYTES = 65_536

/**
 * Parses `env:VAR`, `file:PATH` or `command:CMD`. Makes paths absolute, because cron jobs run in another directory.
 * Throws USAGE without repeating the text, which may be a secret.
 */
export function parseSecretReference(text: string, flag: string, cwd?: string): SecretSource {
  const source = secretReference(text, cwd)
  if (source !== null) return source
  throw new Failure('USAGE', `${flag} must be env:VARIABLE, file:PATH or command:COMMAND, not the secret itself`, {
    hint: 'a secret on the command line would appear in the shell history and the process list',
  })
}

/** Parses a reference like {@link parseSecretReference}, but returns `null` if the text is not a reference. */
export function secretReference(text: string, cwd: string = process.cwd()): SecretSource | null {
  const [, kind, rest = ''] = /^(env|file|command):(.*)$/s.exec(text) ?? []
  if (kind === 'env' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(rest)) return { env: rest }
  if (kind === 'file' && rest.trim() !== '' && !rest.includes('\0'))
    return { file: isInHome(rest) ? rest : resolve(cwd, rest) }
  return kind === 'command' && rest.trim() !== '' && !rest.includes('\0') ? { command: rest } : null
}

/** Returns whether a path begins with `~/`, or with `~\` on Windows. */
export function isInHome(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return path.startsWith('~/') || (platform === 'win32' && path.startsWith('~\\'))
}

/**
 * Checks a secret and returns it. An API key must be a valid header value. `where` is the text that follows the kind of
 * secret in messages. It may be empty. Throws NO_PROFILE (exit code 4) if the secret is invalid.
 */
export function checkSecret(value: string, what: SecretName, where: string): string {
  const place = where === '' ? '' : ` ${where}`
  if (value === '') throw new Failure('NO_PROFILE', `the ${what}${place} is empty`)
  if (what === 'API key' && !/^[!-~]+$/.test(value))
    throw new Failure(
      'NO_PROFILE',
      `the API key${place} contains spaces, line breaks or other characters that a key cannot contain`,
      {
        hint: 'copy it again, without quotes, on a single line',
      },
    )
  if (/\0/.test(value)) throw new Failure('NO_PROFILE', `the ${what}${place} contains a NUL character`)
  return value
}

/**
 * Checks a secret that the user entered at a prompt, so that it can be stored. Throws USAGE if it is empty or invalid.
 */
export function parseStoredSecret(text: string, what: SecretName): SecretSource {
  return asUsage(() => ({ value: checkSecret(trimLineEnd(text), what, '') }))
}

/** Reads a secret from a stream, so that it can be stored. Throws USAGE if it is empty, too long or not text. */
export async function readStoredSecret(input: AsyncIterable<Uint8Array | string>, what: SecretName) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_SECRET_BYTES)
      throw new Failure(
        'USAGE',
        `the ${what} on stdin is longer than ${MAX_SECRET_BYTES} bytes, so it cannot be a valid ${what}`,
      )
    chunks.push(bytes)
  }
  const where = 'on stdin'
  return asUsage(() => ({ value: checkSecret(decodeSecret(Buffer.concat(chunks), what, where), what, where) }))
}

/** Decodes a secret. Removes the byte order mark and the final line break. Throws NO_PROFILE if it is not UTF-8. */
export function decodeSecret(bytes: Uint8Array, what: SecretName, where: string): string {
  if (isUtf16(bytes))
    throw new Failure('NO_PROFILE', `the ${what} ${where} is UTF-16, as PowerShell's > writes it`, { hint: UTF16_HINT })
  try {
    return trimLineEnd(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Failure('NO_PROFILE', `the ${what} ${where} is not UTF-8 text`)
  }
}

/** Removes trailing line breaks, such as the one that `echo` and editors add. */
export function trimLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

/** Reports an invalid secret as USAGE, because the user has just entered it. */
function asUsage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) throw new Failure('USAGE', error.message, { hint: error.hint })
    throw error
  }
}
