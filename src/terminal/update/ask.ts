import { parseJson } from '../../base/json/parse.ts'
import type { Transport, WireReply } from '../../http/transport.ts'
import type { Host } from '../runtime/host.ts'
import { noteAnswer } from './note.ts'
import { parseRelease } from './release.ts'
import { parseUpdateUrl, updateSource } from './source.ts'

const LIMIT_MS = 10_000

const MOST_BYTES = 512 * 1024

/** Redirects are followed, because the URL of a renamed project redirects to its new URL. */
const MOST_REDIRECTS = 3

/**
 * Requests the latest release and stores its version. The request identifies only the program, with `User-Agent:
 * partner/VERSION`. Never fails.
 */
export async function askForUpdate({ env, version, dist }: Pick<Host, 'env' | 'version' | 'dist'>): Promise<void> {
  const source = updateSource(env, dist)
  const url = source && parseUpdateUrl(source.address)
  if (source === null || url === null) return
  try {
    const { openTransport } = await import('../../http/client/undici.ts')
    const { transport, close } = await openTransport(url, env)
    try {
      const answer = await ask(transport, url, version)
      const release = answer === null ? null : releaseInAnswer(parseJson(answer))
      if (release !== null) await noteAnswer(env, source.address, release)
    } finally {
      await close()
    }
  } catch {
    // Ignore the error. The next check is tomorrow.
  }
}

async function ask(transport: Transport, first: URL, version: string): Promise<string | null> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const headers = { accept: 'application/json', 'user-agent': `partner/${version}` }
  let url = first
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const reply = await transport({ method: 'GET', url, headers, body: null, signal })
    if (reply.status === 200) return textOf(reply)
    const { location } = reply.headers
    const next = reply.status > 300 && reply.status < 400 && location ? URL.parse(location, url.href) : null
    if (next === null || next.origin !== first.origin || parseUpdateUrl(next.href) === null) return null
    for await (const _ of reply.body);
    url = next
  }
  return null
}

async function textOf({ body }: WireReply): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Returns the version from `{"version": "1.2.3"}` or from a published GitHub release. Returns `null` for anything else.
 */
function releaseInAnswer(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { version, tag_name: tag, draft, prerelease } = answer as Record<string, unknown>
  return draft === true || prerelease === true ? null : parseRelease(version ?? tag)
}
