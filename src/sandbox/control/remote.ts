import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { EXIT_CODES, type FailureCode } from '../../base/failure/exit-codes.ts'
import { Failure } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import { discard } from '../../base/storage/rename-remove.ts'
import type { LargeSeedResult } from '../seed/large.ts'
import { CONTROL_LIMITS_MS, type ControlOperation, type LoadedVenue, type SandboxControl } from './control.ts'
import { CONTROL_PATH, TOKEN_HEADER } from './endpoint.ts'
import { readToken } from './token.ts'

/**
 * Controls a running sandbox, using the token that the sandbox stored. Throws USAGE if no sandbox runs at the address.
 */
export function remoteControl(baseUrl: string): SandboxControl {
  const url = URL.parse(baseUrl)
  if (url?.protocol !== 'http:') throw new Failure('USAGE', `'${baseUrl}' is not the address of a running sandbox`)
  const token = readToken(Number(url.port))
  if (token === null)
    throw new Failure('USAGE', `you have no sandbox running at ${url.origin}`, {
      hint: 'start a sandbox: partner sandbox start',
    })
  const sandbox = { url: new URL(CONTROL_PATH, url), token }
  const names = Object.keys(CONTROL_LIMITS_MS) as ControlOperation[]
  const operations = names.map((name) => [name, (...input: unknown[]) => call(sandbox, name, input)])
  return {
    ...(Object.fromEntries(operations) as Omit<SandboxControl, 'close'>),
    // Functions and signals cannot be sent over HTTP, so progress is not reported. Aborting the signal only ends the
    // wait for the response.
    seed: async ({ onProgress: _unused, signal, ...large }) =>
      (await call(sandbox, 'seed', [large], signal)) as LargeSeedResult,
    // Send the path of a file instead of the snapshot's text, because the size of a request body is limited.
    loadSnapshot: async (source) => {
      const snapshot = 'text' in source ? source.text : readFileSync(source.file, 'utf8')
      const directory = mkdtempSync(join(tmpdir(), 'partner-snapshot-'))
      try {
        const file = join(directory, 'loaded.snapshot')
        writeFileSync(file, snapshot, { mode: 0o600 })
        return (await call(sandbox, 'loadSnapshot', [{ name: source.name, file }])) as LoadedVenue
      } finally {
        discard(directory)
      }
    },
    close: async () => undefined,
  }
}

type RunningSandbox = { readonly url: URL; readonly token: string }

async function call(
  sandbox: RunningSandbox,
  operation: ControlOperation,
  input: readonly unknown[],
  signal?: AbortSignal,
): Promise<unknown> {
  const { result, error } = parseJson(await post(sandbox, { operation, input }, signal)) as {
    readonly result?: unknown
    readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown }
  }
  if (!error) return result
  const code = Object.hasOwn(EXIT_CODES, error.code) ? (error.code as FailureCode) : 'INTERNAL'
  throw new Failure(code, error.message, { details: error.details })
}

async function post(
  { url, token }: RunningSandbox,
  call: { readonly operation: ControlOperation; readonly input: readonly unknown[] },
  signal: AbortSignal | undefined,
): Promise<string> {
  const limit = AbortSignal.timeout(CONTROL_LIMITS_MS[call.operation])
  const request = httpRequest(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', [TOKEN_HEADER]: token },
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
  })
  // Without a listener, an 'error' event would end the process. once() and text() throw these errors anyway.
  request.on('error', () => undefined)
  request.end(JSON.stringify(call))
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const body = await text(response)
    if (body.startsWith('{')) return body
    throw new Error('the response is not from a sandbox')
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Failure('NETWORK_ERROR', `the sandbox at ${url.origin} is not responding: ${why}`, { cause })
  }
}
