import type { WireReply, WireRequest } from '../../http/transport.ts'
import { readHost } from '../../sandbox/app/own-names.ts'
import { plainReply } from './replies.ts'

/** What a request for the page must come with. */
export interface Admission {
  /** The port at which the sandbox listens. */
  readonly port: number
  readonly hasToken: (sent: string) => boolean
}

/**
 * Refuses what does not come from the page itself, or from someone who was given its address: a Host with another port (421), another
 * Origin (403), which is a page elsewhere, or a wrong token (403). `null` if the request may pass. Other names than the sandbox's own
 * do not get here.
 */
export function refuse({ url, headers }: WireRequest, { port, hasToken }: Admission): WireReply | null {
  const host = headers['host'] ?? url.host
  if (readHost(host)?.port !== port || readHost(url.host)?.port !== port)
    return plainReply(421, 'This sandbox is not at that address. Open the one that sandbox start printed.')
  if (!isOwnOrigin(headers, host)) return plainReply(403, 'Other pages may not use this one.')
  if (!hasToken(url.searchParams.get('token') ?? ''))
    return plainReply(403, 'The token is missing or wrong. Open the address that sandbox start printed.')
  return null
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
