import { createHmac } from 'node:crypto'

/** The length of a signature in hexadecimal digits. */
export const SIGNATURE_LENGTH = 64

export interface SigningInput {
  readonly body: Uint8Array
  /** The absolute URL of the request, including its query. It is signed exactly as given. */
  readonly url: string
  readonly secret: string
}

/**
 * Signs a request to a partner inbound endpoint. The signature is the HMAC-SHA256 of the body followed by the URL, as
 * 64 lowercase hexadecimal digits. The secret and the URL are encoded as UTF-8. Source: Authentication, "HMAC signature
 * (partner inbound endpoints)".
 */
export function sign(body: Uint8Array, url: string, secret: string): string {
  return createHmac('sha256', secret).update(body).update(url, 'utf8').digest('hex')
}
