import { createHmac } from 'node:crypto'
import { listBodyMistakes } from './body-mistakes.ts'
import type { SigningInput } from './signature.ts'
import { listUrlMistakes } from './url-mistakes.ts'
import { makeVariants, type Variant } from './variant.ts'
import { readWrittenForms } from './written-forms.ts'

/** The mistakes that lead to the signature that was given. */
export interface Explanation {
  /** One or more, each as the end of the sentence "it would be right, but …". */
  readonly mistakes: readonly string[]
  /** All of them as one line without a full stop, and without the secret. */
  readonly message: string
}

/** Hashes by the length of their digest, in bytes. */
const HASHES = new Map([
  [20, 'sha1'],
  [32, 'sha256'],
  [64, 'sha512'],
])
/** The largest body for which two mistakes at once are tried: there are hundreds of pairs. */
const MAX_PAIR_BYTES = 256 * 1024

/** The ways to put body and URL together. */
const LAYOUTS: readonly { mistake: string | null; parts: (body: Buffer, url: Buffer) => (Buffer | string)[] }[] = [
  { mistake: null, parts: (body, url) => [body, url] },
  { mistake: 'the URL was put before the body', parts: (body, url) => [url, body] },
  { mistake: 'only the body was signed, without the URL', parts: (body) => [body] },
  { mistake: 'only the URL was signed, without the body', parts: (_body, url) => [url] },
  ...['\n', '\r\n', ' ', '.', ':', '|', ',', ';', '&', '+', '-', '_', '\0'].flatMap((separator) => [
    {
      mistake: `${JSON.stringify(separator)} was put between the body and the URL`,
      parts: (body: Buffer, url: Buffer) => [body, separator, url],
    },
    {
      mistake: `the URL and ${JSON.stringify(separator)} were put before the body`,
      parts: (body: Buffer, url: Buffer) => [url, separator, body],
    },
  ]),
]

/**
 * Finds the mistake that explains a signature which does not verify. It makes the usual mistakes and compares the result:
 * parts in the wrong order or left out, line breaks, JSON written again, a slash or query of the URL, the secret decoded or
 * with white space, another hash, another way to write the result. Tries one mistake, then two of different kinds. Null when
 * nothing fits, or when the signature is right.
 * Source: Authentication, "HMAC signature (partner inbound endpoints)".
 */
export function explainMismatch(given: string, signed: SigningInput): Explanation | null {
  const bodies = makeVariants(signed.body, listBodyMistakes(signed.body))
  const urls = makeVariants(signed.url, listUrlMistakes(signed.url))
  const secrets = makeVariants(signed.secret, listSecretMistakes(signed.secret))
  const most = signed.body.length <= MAX_PAIR_BYTES ? 2 : 1
  for (const { digest, mistakes: written } of readWrittenForms(given)) {
    const hash = HASHES.get(digest.length)
    if (hash === undefined) continue
    const otherMistakes =
      hash === 'sha256' ? written : [...written, `${hash.toUpperCase()} was used in place of SHA256`]
    for (let count = 0; count <= most; count++) {
      const found = findMistakes(digest, hash, count, [secrets, bodies, urls])
      if (found !== null) return explain([...found, ...otherMistakes])
    }
  }
  return null
}

function findMistakes(
  digest: Buffer,
  hash: string,
  count: number,
  [secrets, bodies, urls]: readonly [Variant[], Variant[], Variant[]],
): string[] | null {
  for (const layout of LAYOUTS) {
    for (const secret of secrets) {
      for (const body of bodies) {
        for (const url of urls) {
          const mistakes = [layout, secret, body, url].flatMap(({ mistake }) => mistake ?? [])
          if (mistakes.length !== count) continue
          const hmac = createHmac(hash, secret.bytes)
          for (const part of layout.parts(body.bytes, url.bytes)) hmac.update(part)
          if (hmac.digest().equals(digest)) return mistakes
        }
      }
    }
  }
  return null
}

function explain(mistakes: readonly string[]): Explanation | null {
  return mistakes.length === 0 ? null : { mistakes, message: `it would be right, but ${mistakes.join(', and ')}` }
}

function listSecretMistakes(secret: string) {
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(secret)
  const isBase64 = /^[\w+/-]+={0,2}$/.test(secret)
  return [
    ['the secret was used without the white space around it', secret.trim()],
    ['the secret was used with a line break at its end', `${secret}\n`],
    ['the secret was used with a line break (CR LF) at its end', `${secret}\r\n`],
    ['the secret was used with a space at its end', `${secret} `],
    ['the secret was used without the quotation marks around it', secret.replace(/^(["'])(.*)\1$/s, '$2')],
    ['the secret was decoded from hexadecimal before it was used', isHex ? Buffer.from(secret, 'hex') : null],
    ['the secret was decoded from base64 before it was used', isBase64 ? Buffer.from(secret, 'base64') : null],
  ] as const
}
