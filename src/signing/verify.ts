import { timingSafeEqual } from 'node:crypto'
import { SIGNATURE_LENGTH, type SigningInput, sign } from './signature.ts'

/**
 * The result of checking a signature. `different` means that the signature is well-formed but belongs to a different
 * request. `message` does not contain the secret.
 */
export type Verification =
  | { readonly valid: true }
  | { readonly valid: false; readonly reason: Reason; readonly message: string }

type Reason = 'not-hex' | 'wrong-length' | 'upper-case' | 'different'

/** Checks a signature of 64 lowercase hexadecimal digits in constant time. Source: Authentication. */
export function verify(given: string, { body, url, secret }: SigningInput): Verification {
  const wrong = (reason: Reason, message: string) => ({ valid: false, reason, message }) as const
  if (!/^[0-9a-fA-F]*$/.test(given))
    return wrong('not-hex', 'the signature contains characters that are not hexadecimal digits (0-9, a-f)')
  if (given.length !== SIGNATURE_LENGTH)
    return wrong('wrong-length', `the signature has ${given.length} characters; it must have ${SIGNATURE_LENGTH}`)
  if (given !== given.toLowerCase())
    return wrong('upper-case', 'the signature is in upper case; it must be in lower case')
  const expected = Buffer.from(sign(body, url, secret), 'latin1')
  if (timingSafeEqual(expected, Buffer.from(given, 'latin1'))) return { valid: true }
  return wrong('different', 'the signature does not match this body and URL')
}
