import { request as httpRequest } from 'node:http'
import { EXIT_CODES, type FailureCode } from '../../failure/exit-codes.ts'
import { Failure } from '../../failure/failure.ts'
import type { LargeSeedResult } from '../seed/large.ts'
import { CONTROL_OPERATIONS, type SandboxControl } from './control.ts'
import { ADMIN_PATH, ADMIN_TOKEN_HEADER } from './endpoint.ts'
import { adminTokenOf } from './token.ts'

const ANSWER_WITHIN_MS = 10_000
const SEEDED_WITHIN_MS = 600_000

/**
 * Controls a running sandbox over its admin endpoint. The token is by default the one that the sandbox left for this user.
 * Fails: USAGE when the text is no address, or no sandbox of this user runs there.
 */
export function remoteControl(baseUrl: string, adminToken?: string): SandboxControl {
  const url = URL.parse(baseUrl)
  if (url?.protocol !== 'http:') throw new Failure('USAGE', `'${baseUrl}' is not the address of a running sandbox`)
  const token = adminToken ?? adminTokenOf(Number(url.port))
  if (token === null)
    throw new Failure('USAGE', `no sandbox of this user runs at ${url.origin}`, {
      hint: 'start one: partner sandbox start',
    })
  const target = new URL(ADMIN_PATH, url)
  const operations = Object.fromEntries(
    CONTROL_OPERATIONS.map((operation) => [operation, (...input: unknown[]) => call(target, token, operation, input)]),
  )
  return {
    ...(operations as unknown as Omit<SandboxControl, 'close'>),
    // Functions cannot be sent, and the signal ends the request itself.
    seed: async ({ onProgress: _untold, signal, ...large }) =>
      (await call(target, token, 'seed', [large], signal)) as LargeSeedResult,
    close: async () => undefined,
  }
}

async function call(
  target: URL,
  token: string,
  operation: string,
  input: readonly unknown[],
  until?: AbortSignal,
): Promise<unknown> {
  const answer = JSON.parse(await post(target, token, { operation, input }, until)) as {
    readonly result?: unknown
    readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown }
  }
  if (!answer.error) return answer.result
  const known = Object.hasOwn(EXIT_CODES, answer.error.code) ? (answer.error.code as FailureCode) : 'INTERNAL'
  throw new Failure(known, answer.error.message, { details: answer.error.details })
}

function post(
  target: URL,
  token: string,
  order: { readonly operation: string; readonly input: readonly unknown[] },
  until: AbortSignal | undefined,
): Promise<string> {
  const limit = AbortSignal.timeout(order.operation === 'seed' ? SEEDED_WITHIN_MS : ANSWER_WITHIN_MS)
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(
        until?.aborted
          ? until.reason
          : new Failure('NETWORK_ERROR', `the sandbox at ${target.origin} does not answer: ${cause.message}`, {
              cause,
            }),
      )
    const request = httpRequest(
      target,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', [ADMIN_TOKEN_HEADER]: token },
        signal: until ? AbortSignal.any([limit, until]) : limit,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => (text.startsWith('{') ? resolve(text) : fail(new Error('it is not a sandbox'))))
        response.on('error', fail)
      },
    )
    request.on('error', fail)
    request.end(JSON.stringify(order))
  })
}
