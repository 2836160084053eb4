import { resolve } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import type { SecretSource } from './profile.ts'

/** The kinds of secret, as messages name them. */
export type SecretName = 'API key' | 'signing secret' | 'security key' | 'security token'

/** Far above any key. */
export const MAX_SECRET_BYTES = 65_536

/** Reads `env:VAR`, `file:PATH` (made absolute, for cron) or `command:CMD`. Fails: USAGE, without echoing a secret. */
export function parseSecretReference(text: string, flag: string, cwd?: string): SecretSource {
  const source = secretReference(text, cwd)
  if (source !== null) return source
  throw new Failure('USAGE', `${flag} must be env:VARIABLE, file:PATH or command:COMMAND, not the secret itself`, {
    hint: 'a secret itself would show up in the shell history and in the list of processes',
  })
}

/** As {@link parseSecretReference}; null for other texts. */
export function secretReference(text: string, cwd: string = process.cwd()): SecretSource | null {
  const [, kind, rest = ''] = /^(env|file|command):(.*)$/s.exec(text) ?? []
  if (kind === 'env' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(rest)) return { env: rest }
  if (kind === 'file' && rest.trim() !== '' && !rest.includes('\0'))
    return { file: rest.startsWith('~/') ? rest : resolve(cwd, rest) }
  return kind === 'command' && rest.trim() !== '' && !rest.includes('\0') ? { command: rest } : null
}

/** Checks a secret; an API key must fit a header. `where` follows "the API key". Fails: NO_PROFILE (exit 4). */
export function checkSecret(value: string, what: SecretName, where: string): string {
  const place = where === '' ? '' : ` ${where}`
  if (value === '') throw new Failure('NO_PROFILE', `the ${what}${place} is empty`)
  if (what === 'API key' && !/^[!-~]+$/.test(value))
    throw new Failure('NO_PROFILE', `the API key${place} holds spaces, line breaks or characters that no key has`, {
      hint: 'copy it again, without quotes, and as one line',
    })
  if (/\0/.test(value)) throw new Failure('NO_PROFILE', `the ${what}${place} is not text`)
  return value
}

/** Reads a secret from a prompt, to store it. Fails: USAGE if it is empty or not a key. */
export function parseStoredSecret(text: string, what: SecretName): SecretSource {
  return asUsage(() => ({ value: checkSecret(trimLineEnd(text), what, '') }))
}

/** Reads a secret from a stream, to store it. Fails: USAGE if it is empty, too long or not text. */
export async function readStoredSecret(input: AsyncIterable<Uint8Array | string>, what: SecretName) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_SECRET_BYTES)
      throw new Failure('USAGE', `the ${what} on stdin is longer than ${MAX_SECRET_BYTES} bytes: that is no ${what}`)
    chunks.push(bytes)
  }
  const where = 'on stdin'
  return asUsage(() => ({ value: checkSecret(decodeSecret(Buffer.concat(chunks), what, where), what, where) }))
}

/** Decodes a secret without a byte order mark and final line break. Fails: NO_PROFILE if it is not UTF-8. */
export function decodeSecret(bytes: Uint8Array, what: SecretName, where: string): string {
  try {
    return trimLineEnd(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Failure('NO_PROFILE', `the ${what} ${where} is not text in UTF-8`)
  }
}

/** Removes the final line break, which editors, `echo` and files add. */
export function trimLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

/** A wrong secret is a usage error when typed, and a broken profile when found later. */
function asUsage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) throw new Failure('USAGE', error.message, { hint: error.hint })
    throw error
  }
}
