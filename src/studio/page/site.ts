import type { WireReply, WireRequest } from '../../http/transport.ts'
import { localControl } from '../../sandbox/control/local.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { readAsset } from './assets.ts'
import { ACTIONS, type ActionName, complaintAbout } from './forms/actions.ts'
import { PAGE_HEADERS, plainReply, textReply } from './replies.ts'
import { createScene } from './scene.ts'
import { PAGE_PATH, View } from './view.ts'
import { streamChanges } from './watch.ts'
import { renderPage, renderParts } from './whole.ts'

/**
 * Returns a handler for the page's path and all paths below it. `/live` renders parts of the page, `/changes` streams
 * the names of parts that have changed, and `/do/…` accepts submitted forms. All other paths are files.
 */
export function makeSite(state: SandboxState) {
  const closing = new AbortController()
  const control = localControl(state)

  const read = (request: WireRequest, path: string): WireReply => {
    const { searchParams } = request.url
    const view = new View(searchParams)
    if (path === '') return textReply(200, 'text/html', renderPage(createScene(state, view)))
    if (path === '/live') {
      const names = (searchParams.get('parts') ?? '').split(' ')
      return textReply(200, 'text/html', renderParts(createScene(state, view), names))
    }
    if (path === '/changes') {
      const { signal } = closing
      // The connection is not kept alive, because closing the sandbox would otherwise have to wait for it.
      const headers = { ...PAGE_HEADERS, 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' }
      return { status: 200, headers, body: streamChanges(state, AbortSignal.any([request.signal ?? signal, signal])) }
    }
    const asset = readAsset(path.slice(1))
    return asset ? textReply(200, asset.type, asset.text) : plainReply(404, 'There is no page at this address.')
  }

  const act = async ({ url, headers, body }: WireRequest, name: ActionName): Promise<WireReply> => {
    const view = new View(url.searchParams)
    if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
      return plainReply(415, "Only forms on the sandbox's page are accepted.")
    const written = new URLSearchParams(Buffer.from(body ?? []).toString('utf8'))
    const complaint = await complaintAbout(ACTIONS[name](control, written, state), name, written)
    if (complaint === null) {
      const location = view.href({}, name.endsWith('-clock') ? 'clock' : 'faults')
      return textReply(303, 'text/plain', '', { location })
    }
    // The status is 200, because some browsers replace an error response with their own error page.
    return textReply(200, 'text/html', renderPage(createScene(state, view, complaint)))
  }

  return {
    answer: async (request: WireRequest): Promise<WireReply> => {
      const path = request.url.pathname.slice(PAGE_PATH.length)
      const name = path.startsWith('/do/') ? path.slice('/do/'.length) : null
      const isAction = name !== null && Object.hasOwn(ACTIONS, name)
      const allowed = isAction ? ['POST'] : ['GET', 'HEAD']
      if (!allowed.includes(request.method))
        return plainReply(405, `Only ${allowed.join(' or ')} is allowed here.`, { allow: allowed.join(', ') })
      return isAction ? act(request, name as ActionName) : read(request, path)
    },
    close: () => closing.abort(),
  }
}
