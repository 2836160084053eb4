import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointId } from '../../src/contract/endpoints.ts'
import { findEndpoints } from '../../src/contract/paths.ts'
import { ROOT } from './partner.ts'
import { readPlainLine } from './words.ts'

/**
 * Two shell lines in docs/api.md that call the same endpoint. The first uses the endpoint's own command, and the second
 * uses `partner api`.
 */
export interface ApiPair {
  readonly id: EndpointId
  readonly command: string
  readonly rawCall: string
}

/**
 * Environment variables that the shell lines need even if no service is running: the service's address, the key, and
 * the settings for signed requests.
 */
export const API_ENVIRONMENT = {
  PARTNER_BASE_URL: 'https://service.example',
  PARTNER_API_KEY: 'a-key-of-this-test',
  PARTNER_SIGNING_SECRET: 'a-secret-of-this-test',
  PARTNER_NAME: 'sandbox-pos',
  PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
  PARTNER_LOCATION_ID: '5f1d7a3e9b2c4d0012ab34cd',
}

/** Returns all pairs of lines from docs/api.md, in page order. */
export const API_PAIRS: readonly ApiPair[] = [
  ...readFileSync(join(ROOT, 'docs', 'api.md'), 'utf8').matchAll(/```sh\n(partner .*)\n(partner api .*)\n```/g),
].map(([, command = '', rawCall = '']) => {
  const [, method, path = ''] = argumentsOf(rawCall)
  const found = findEndpoints(path.split('?', 1)[0] ?? '').find(({ endpoint }) => endpoint.method === method)
  if (!found) throw new Error(`docs/api.md calls no endpoint with: ${rawCall}`)
  return { id: found.id, command, rawCall }
})

/** Returns the first pair of lines that call the given endpoint. */
export function apiPair(id: EndpointId): ApiPair {
  const pair = API_PAIRS.find((one) => one.id === id)
  if (!pair) throw new Error(`docs/api.md has no pair of lines for ${id}`)
  return pair
}

/** Returns the arguments that a shell line from docs/api.md passes to `partner`. */
export function argumentsOf(line: string): readonly string[] {
  const plain = readPlainLine(line)
  if (!plain) throw new Error(`the shell would do more than call the tool: ${line}`)
  return plain.args
}
