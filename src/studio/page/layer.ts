import type { Layer, WireReply, WireRequest } from '../../http/transport.ts'
import { readHost } from '../../sandbox/app/own-names.ts'
import { isSame } from '../../sandbox/control/endpoint.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { plainReply } from './replies.ts'
import type { makeSite } from './site.ts'
import { PAGE_PATH } from './view.ts'

/** Makes the page of a sandbox, for those with the token. The drawing code is loaded on the first visit. */
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
      const { makeSite } = await import('./site.ts')
      site ??= makeSite(state)
      return await site.answer(request)
    } catch (error) {
      const reported = state.report(error)
      const words = reported instanceof Error ? reported.message : String(reported)
      return plainReply(500, `The sandbox could not show it: ${words}`)
    }
  }
  return {
    /** Answers the requests for the page before they reach the service. */
    layer,
    /** Enables the page at this origin, and returns its address with the token. */
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
 * Refuses requests that do not come from the page, or from someone with its address: a Host with another port (421),
 * another Origin (403), a wrong token (403). `null` if allowed. Other host names are refused before.
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

/** Our forms have the origin `null`, as there is no referrer; Sec-Fetch-Site, which pages cannot set, is the proof. */
function isOwnOrigin(headers: WireRequest['headers'], host: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin === undefined) return true
  if (origin === 'null') return site === 'same-origin'
  return origin.toLowerCase() === `http://${host.toLowerCase()}`
}
