import type { Layer, WireRequest } from '../transport.ts'

/**
 * Adds the API key, read when the first request is sent, and only to requests for the given origin.
 * Source: "API key (all REST endpoints)".
 */
export const withApiKey =
  (origin: string, apiKey: () => Promise<string>): Layer =>
  (next) =>
  async (request) => {
    if (request.url.origin !== origin)
      throw new Error(`a request for ${request.url.origin} must not carry the key of ${origin}`)
    return next({ ...request, headers: { ...request.headers, 'x-api-key': await apiKey() } })
  }

/**
 * Signs each request in place of a key: the body's bytes and the absolute URL, query included, as they are sent.
 * Source: "HMAC signature (partner inbound endpoints)".
 */
export const withSignature =
  (header: string, secret: () => Promise<string>): Layer =>
  (next) =>
  async (request) =>
    next({ ...request, headers: { ...request.headers, ...(await createSignatureHeader(request, header, secret)) } })

/** The header that signs a request. */
export async function createSignatureHeader(
  request: Pick<WireRequest, 'body' | 'url'>,
  header: string,
  secret: () => Promise<string>,
): Promise<Record<string, string>> {
  // Loads node:crypto, which what has a key need not wait for.
  const { sign } = await import('../../signing/signature.ts')
  const body = request.body ?? new Uint8Array()
  return { [header.toLowerCase()]: sign(body, request.url.href, await secret()) }
}
