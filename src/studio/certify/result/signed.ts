import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { Failure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { parseJsonOrNull } from '../../../base/json/parse.ts'
import type { Certification, CertifiedItem } from '../certify.ts'

export interface UnsignedResult {
  readonly version: 1
  /** The user's name for the integration, or `null` if the user did not name it. */
  readonly name: string | null
  /** When the result was created, according to the machine's clock (ISO 8601 UTC). */
  readonly madeAt: string
  /** The name and version of the program, such as `partner 0.2.0`. */
  readonly madeBy: string
  readonly items: readonly CertifiedItem[]
  readonly journal: Certification['journal']
}

export interface Signature {
  readonly algorithm: 'Ed25519'
  /** The public key in SPKI format, as base64. */
  readonly publicKey: string
  /** The signature as base64. It covers the whole file, with this member set to an empty string. */
  readonly value: string
}

const ENDING = /"value": "([A-Za-z0-9+/]{86}==)"\n {2}\}\n\}\n$/

/** Returns whether a text ends with a signature, as every result does. Does not verify the signature. */
export function isResult(text: string): boolean {
  return ENDING.test(text)
}

export function makeKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

/** Reads an Ed25519 private key in PEM format. Throws USAGE if it cannot be read. The error does not reveal the key. */
export function readPrivateKey(pem: string, flag: string): KeyObject {
  const hint = 'create one with: openssl genpkey -algorithm ed25519 -out certify.pem'
  return readKey(() => createPrivateKey(pem), `${flag} must name an Ed25519 private key in PEM format`, hint)
}

/** Reads an Ed25519 public key, either in PEM format or copied from a result. Throws USAGE if it cannot be read. */
export function readPublicKey(text: string, flag: string): KeyObject {
  const read = () =>
    text.includes('-----BEGIN') ? createPublicKey(text) : (parsePublicKey(text.trim()) ?? createPublicKey(text))
  const hint = 'create it from the private key with: openssl pkey -in certify.pem -pubout -out certify.pub'
  return readKey(read, `${flag} must name an Ed25519 public key, in PEM format or copied from a result`, hint)
}

function readKey(read: () => KeyObject, words: string, hint: string): KeyObject {
  try {
    const key = read()
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {}
  throw new Failure('USAGE', words, { hint })
}

/** Returns the contents of a result file, which is JSON with a signature that covers the whole file. */
export function signResult(result: UnsignedResult, key: KeyObject): string {
  const publicKey = exportPublicKey(createPublicKey(key))
  const open: Signature = { algorithm: 'Ed25519', publicKey, value: '' }
  const text = `${JSON.stringify({ ...result, signature: open }, null, 2)}\n`
  const value = sign(null, Buffer.from(text), key).toString('base64')
  return text.replace(/"value": ""(?=\n {2}\}\n\}\n$)/, `"value": "${value}"`)
}

export type Verdict =
  | { readonly isValid: true; readonly result: JsonObject; readonly publicKey: string }
  | { readonly isValid: false; readonly why: string }

/**
 * Verifies the signature of a result file. The signature covers every byte. If `known` is a key, the signature must
 * match it. If `known` is `null`, any key is accepted.
 */
export function verifyResult(bytes: Uint8Array, known: KeyObject | null): Verdict {
  const text = Buffer.from(bytes).toString('utf8')
  const [, value = ''] = ENDING.exec(text) ?? []
  if (value === '') return { isValid: false, why: 'it does not end with a signature' }
  const result: JsonObject | null = parseJsonOrNull(text)
  const signature = isJsonObject(result?.['signature']) ? result['signature'] : {}
  const publicKey = String(signature['publicKey'] ?? '')
  const key = parsePublicKey(publicKey)
  if (!result || !key) return { isValid: false, why: 'it does not contain an Ed25519 public key' }
  const signed = Buffer.from(text.replace(ENDING, '"value": ""\n  }\n}\n'))
  const raw = Buffer.from(value, 'base64')
  // Detect changes that decoding would hide: invalid UTF-8, and a different base64 encoding of the same signature.
  const isAsWritten = Buffer.from(text).equals(bytes) && raw.toString('base64') === value
  if (!isAsWritten || !verify(null, signed, key, raw))
    return { isValid: false, why: 'it was changed after it was signed' }
  if (known && exportPublicKey(known) !== publicKey)
    return { isValid: false, why: 'it was signed with a different key' }
  return { isValid: true, result, publicKey }
}

function exportPublicKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function parsePublicKey(base64: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}
