import type { Environment } from '../../../http/proxy-choice.ts'
import type { WireReply } from '../../../http/transport.ts'

export interface Posting {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  readonly env: Environment
  readonly limitMs: number
  readonly signal: AbortSignal
}

/**
 * Sends a POST request through the proxies in the environment, without following redirects. Returns the status of the
 * response, or `null` if none arrives within `limitMs`. Never throws.
 */
export async function post({ url, headers, body, env, limitMs, signal: outer }: Posting): Promise<number | null> {
  const stop = new AbortController()
  const { signal } = stop
  const abort = () => stop.abort()
  const timer = setTimeout(abort, limitMs)
  outer.addEventListener('abort', abort, { once: true })
  try {
    outer.throwIfAborted()
    const { openTransport } = await import('../../../http/client/undici.ts')
    const { transport, close } = await openTransport(url, env)
    try {
      const reply = await transport({ method: 'POST', url, headers, body, signal })
      // Only the status matters. Abort the rest of the response, which may be endless.
      abort()
      await drop(reply)
      return reply.status
    } finally {
      close().catch(() => {})
    }
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', abort)
  }
}

/** Discards an aborted response body. */
async function drop({ body }: WireReply): Promise<void> {
  try {
    for await (const _ of body) return
  } catch {
    // This error is expected after the abort.
  }
}
