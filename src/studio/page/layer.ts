import type { Layer, WireReply, WireRequest } from '../../http/transport.ts'
import { readHost } from '../../sandbox/app/allowed-hosts.ts'
import { isEqualInConstantTime } from '../../sandbox/control/endpoint.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { plainReply } from './replies.ts'
import type { makeSite } from './site.ts'
import { PAGE_PATH } from './view.ts'

/**
 * Returns a sandbox's browser page. Requests for the page must contain the token. The first visit loads the code that
 * renders the page.
 */
export function makePage(state: SandboxState, token: string) {
  let port: number | null = null
  let site: ReturnType<typeof makeSite> | null = null
  let isClosed = false
  const layer: Layer = (next) => async (request) => {
    const { pathname } = request.url
    if (pathname !== PAGE_PATH && !pathname.startsWith(`${PAGE_PATH}/`)) return next(request)
    if (port === null || isClosed) return plainReply(503, 'The sandbox is starting or stopping.')
    const refused = refuse(request, port, token)
    if (refused) return refused
    try {
      const { makeSite } = await import('./site.ts')
      site ??= makeSite(state)
      return await site.answer(request)
    } catch (error) {
      const reported = state.report(error)
      const words = reported instanceof Error ? reported.message : String(reported)
      return plainReply(500, `The sandbox could not show this page: ${words}`)
    }
  }
  return {
    /** Handles requests for the page before they reach the service. */
    layer,
    /** Starts serving the page at an origin, and returns the page's URL, which contains the token. */
    openAt: (origin: string) => {
      const url = new URL(PAGE_PATH, origin)
      port = Number(url.port || 80)
      url.searchParams.set('token', token)
      return url.href
    },
    close: () => {
      isClosed = true
      site?.close()
    },
  }
}

/**
 * Rejects requests unless they come from the page itself or from a user who has the page's URL. Responds with 421 to a
 * Host header with a different port, and with 403 to a different Origin or a wrong token. Returns `null` if the request
 * is allowed. Unknown host names have already been rejected.
 */
function refuse({ url, headers }: WireRequest, port: number, token: string): WireReply | null {
  const host = headers['host'] ?? url.host
  if (readHost(host)?.port !== port || readHost(url.host)?.port !== port)
    return plainReply(421, 'This sandbox is not at that address. Open the address that sandbox start printed.')
  if (!isOwnOrigin(headers, host)) return plainReply(403, 'Other websites are not allowed to use this page.')
  if (!isEqualInConstantTime(url.searchParams.get('token') ?? '', token))
    return plainReply(403, 'The token is missing or wrong. Open the address that sandbox start printed.')
  return null
}

/**
 * Returns whether a request comes from the page itself. The page sends no referrer, so its forms send `Origin: null`.
 * For this origin, checks Sec-Fetch-Site, which scripts cannot forge.
 */
function isOwnOrigin(headers: WireRequest['headers'], host: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin === undefined) return true
  if (origin === 'null') return site === 'same-origin'
  return origin.toLowerCase() === `http://${host.toLowerCase()}`
}
