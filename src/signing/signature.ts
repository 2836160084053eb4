import { createHmac } from 'node:crypto'

/** How many hexadecimal digits a signature has. */
export const SIGNATURE_LENGTH = 64

/** What is signed, and with what. The URL is taken exactly as it stands; secret and URL are used as UTF-8. */
export interface SigningInput {
  /** The request body, byte for byte as it is sent. */
  readonly body: Uint8Array
  /** The request URL, absolute, query included. */
  readonly url: string
  readonly secret: string
}

/**
 * The signature of a request to a partner inbound endpoint: 64 lowercase hexadecimal digits of HMAC-SHA256, keyed with the
 * secret, over the body followed by the URL with nothing between them.
 * Source: Authentication, "HMAC signature (partner inbound endpoints)".
 */
export function sign(body: Uint8Array, url: string, secret: string): string {
  return createHmac('sha256', secret).update(body).update(url, 'utf8').digest('hex')
}
