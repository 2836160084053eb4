import type { Layer } from './transport.ts'

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
