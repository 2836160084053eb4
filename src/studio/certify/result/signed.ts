import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { Failure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { parseJsonOrNull } from '../../../base/json/parse.ts'
import type { Certification, CertifiedItem } from '../certify.ts'

export interface Unsigned {
  readonly version: 1
  /** The user's name for the integration; null for none. */
  readonly name: string | null
  /** ISO 8601 UTC, by the machine's clock. */
  readonly madeAt: string
  /** `partner 0.2.0` */
  readonly madeBy: string
  readonly items: readonly CertifiedItem[]
  readonly journal: Certification['journal']
}

export interface Signature {
  readonly algorithm: 'Ed25519'
  /** SPKI in base64. */
  readonly publicKey: string
  /** Base64. It signs the file with this member empty. */
  readonly value: string
}

const ENDING = /"value": "([A-Za-z0-9+/]{86}==)"\n {2}\}\n\}\n$/

/** True for a text that ends like a signed result, whether the signature is valid or not. */
export function isResult(text: string): boolean {
  return ENDING.test(text)
}

export function makeKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

/** Reads an Ed25519 private key in PEM. Fails: USAGE, without quoting the content. */
export function readPrivateKey(pem: string, flag: string): KeyObject {
  const hint = 'make one with: openssl genpkey -algorithm ed25519 -out certify.pem'
  return keyOf(() => createPrivateKey(pem), `${flag} must name a private key of Ed25519, in PEM`, hint)
}

/** Reads an Ed25519 public key, in PEM or as in a result. Fails: USAGE. */
export function readPublicKey(text: string, flag: string): KeyObject {
  const read = () =>
    text.includes('-----BEGIN') ? createPublicKey(text) : (publicKeyOf(text.trim()) ?? createPublicKey(text))
  const hint = 'make it of the private key with: openssl pkey -in certify.pem -pubout -out certify.pub'
  return keyOf(read, `${flag} must name a public key of Ed25519, in PEM or as a result has it`, hint)
}

function keyOf(read: () => KeyObject, words: string, hint: string): KeyObject {
  try {
    const key = read()
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {}
  throw new Failure('USAGE', words, { hint })
}

/** The file of a result: JSON, signed as a whole. */
export function signResult(result: Unsigned, key: KeyObject): string {
  const publicKey = exported(createPublicKey(key))
  const open: Signature = { algorithm: 'Ed25519', publicKey, value: '' }
  const text = `${JSON.stringify({ ...result, signature: open }, null, 2)}\n`
  const value = sign(null, Buffer.from(text), key).toString('base64')
  return text.replace(/"value": ""(?=\n {2}\}\n\}\n$)/, `"value": "${value}"`)
}

export type Verdict =
  | { readonly isValid: true; readonly result: JsonObject; readonly publicKey: string }
  | { readonly isValid: false; readonly why: string }

/** Verifies the signature of a result, byte for byte. `known` is the required public key; null: the one in the file. */
export function verifyResult(bytes: Uint8Array, known: KeyObject | null): Verdict {
  const text = Buffer.from(bytes).toString('utf8')
  const [, value = ''] = ENDING.exec(text) ?? []
  if (value === '') return { isValid: false, why: 'it does not end as a signed result does' }
  const result: JsonObject | null = parseJsonOrNull(text)
  const signature = isJsonObject(result?.['signature']) ? result['signature'] : {}
  const publicKey = String(signature['publicKey'] ?? '')
  const key = publicKeyOf(publicKey)
  if (!result || !key) return { isValid: false, why: 'it names no public key of Ed25519' }
  const signed = Buffer.from(text.replace(ENDING, '"value": ""\n  }\n}\n'))
  const raw = Buffer.from(value, 'base64')
  // Invalid UTF-8, or another encoding of the same signature, is not the signed file.
  const isAsWritten = Buffer.from(text).equals(bytes) && raw.toString('base64') === value
  if (!isAsWritten || !verify(null, signed, key, raw))
    return { isValid: false, why: 'it was changed after it was signed' }
  if (known && exported(known) !== publicKey) return { isValid: false, why: 'it was signed with another key' }
  return { isValid: true, result, publicKey }
}

function exported(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function publicKeyOf(base64: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}
