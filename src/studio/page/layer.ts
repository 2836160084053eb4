import type { Layer, WireReply, WireRequest } from '../../http/transport.ts'
import { readHost } from '../../sandbox/app/own-names.ts'
import { isSame } from '../../sandbox/control/endpoint.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { plainReply } from './replies.ts'
import type { makeSite } from './site.ts'
import { PAGE_PATH } from './view.ts'

/** Makes the page of a sandbox. `token`: who does not have it sees nothing. What draws the page is loaded when somebody looks. */
export function makePage(state: SandboxState, token: string) {
  let port: number | null = null
  let site: ReturnType<typeof makeSite> | null = null
  let isClosed = false
  const layer: Layer = (next) => async (request) => {
    const { pathname } = request.url
    if (pathname !== PAGE_PATH && !pathname.startsWith(`${PAGE_PATH}/`)) return next(request)
    if (port === null || isClosed) return plainReply(503, 'The sandbox is starting or ending.')
    const refused = refuse(request, port, token)
    if (refused) return refused
    try {
      if (site === null) {
        const loaded = await import('./site.ts')
        site ??= loaded.makeSite(state)
      }
      return await site.answer(request)
    } catch (error) {
      const told = state.report(error)
      return plainReply(500, `The sandbox could not show it: ${told instanceof Error ? told.message : String(told)}`)
    }
  }
  return {
    /** Answers the requests for the page before they reach the service, of which they are no part. */
    layer,
    /** Returns the address of the page at the origin of the sandbox, with its token; from now on it answers. */
    openAt: (origin: string) => {
      const url = new URL(PAGE_PATH, origin)
      port = Number(url.port || 80)
      url.searchParams.set('token', token)
      return url.href
    },
    /** Ends the streams of all who look at it. */
    close: () => {
      isClosed = true
      site?.close()
    },
  }
}

/**
 * Refuses what does not come from the page itself, or from someone who was given its address: a Host with another port (421), another
 * Origin (403), which is a page elsewhere, or a wrong token (403). `null` if the request may pass. Other names than the sandbox's own
 * do not get here.
 */
function refuse({ url, headers }: WireRequest, port: number, token: string): WireReply | null {
  const host = headers['host'] ?? url.host
  if (readHost(host)?.port !== port || readHost(url.host)?.port !== port)
    return plainReply(421, 'This sandbox is not at that address. Open the one that sandbox start printed.')
  if (!isOwnOrigin(headers, host)) return plainReply(403, 'Other pages may not use this one.')
  if (!isSame(url.searchParams.get('token') ?? '', token))
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
