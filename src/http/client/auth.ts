import type { Layer, WireRequest } from '../transport.ts'

/**
 * Adds the API key to requests for one origin. Throws Error for any other origin. Source: "API key (all REST
 * endpoints)".
 */
export const withApiKey =
  (origin: string, apiKey: () => Promise<string>): Layer =>
  (next) =>
  async (request) => {
    if (request.url.origin !== origin)
      throw new Error(`a request for ${request.url.origin} must not carry the key of ${origin}`)
    return next({ ...request, headers: { ...request.headers, 'x-api-key': await apiKey() } })
  }

/** Signs the exact body and URL of each request. Source: "HMAC signature (partner inbound endpoints)". */
export const withSignature =
  (header: string, secret: () => Promise<string>): Layer =>
  (next) =>
  async (request) =>
    next({ ...request, headers: { ...request.headers, ...(await createSignatureHeader(request, header, secret)) } })

export async function createSignatureHeader(
  request: Pick<WireRequest, 'body' | 'url'>,
  header: string,
  secret: () => Promise<string>,
): Promise<Record<string, string>> {
  // Imported on demand because it loads node:crypto, which is not needed for requests that use an API key.
  const { sign } = await import('../../signing/signature.ts')
  const body = request.body ?? new Uint8Array()
  return { [header.toLowerCase()]: sign(body, request.url.href, await secret()) }
}
