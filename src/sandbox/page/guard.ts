import type { WireReply, WireRequest } from '../../http/transport.ts'
import { plainReply } from './replies.ts'

/** What a request for the page must come with. */
export interface Admission {
  /** The port at which the sandbox listens. */
  readonly port: number
  readonly hasToken: (sent: string) => boolean
}

/** A name or an address that only this machine answers to, as a Host header has it. */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/i

/**
 * Refuses what does not come from the page itself, or from whoever was given its address: another Host (421) is a name that was
 * rebound to this machine, another Origin (403) is a page elsewhere, and nobody guesses the token (403). Null: it may pass.
 */
export function refuse({ url, headers }: WireRequest, { port, hasToken }: Admission): WireReply | null {
  const host = headers['host'] ?? url.host
  // A request line may name another host than the header.
  if (!isOwn(host, port) || !isOwn(url.host, port))
    return plainReply(421, 'This sandbox is not at that address. Open the one that sandbox start printed.')
  if (!isOwnOrigin(headers, host)) return plainReply(403, 'Other pages may not use this one.')
  if (!hasToken(url.searchParams.get('token') ?? ''))
    return plainReply(403, 'The token is missing or wrong. Open the address that sandbox start printed.')
  return null
}

function isOwn(host: string, port: number): boolean {
  const match = OWN_HOST.exec(host)
  return match !== null && Number(match[1] ?? 80) === port
}

/**
 * A form of our own page has the origin `null`, as the page tells nobody where it is; the browser itself says, where no page can, that it
 * comes from the same origin.
 */
function isOwnOrigin(headers: WireRequest['headers'], host: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin === undefined) return true
  if (origin === 'null') return site === 'same-origin'
  return origin.toLowerCase() === `http://${host.toLowerCase()}`
}
