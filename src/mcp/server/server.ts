import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import type { Tool } from '../tools/tool.ts'
import type { Calls } from './calls.ts'
import { GUIDE_TYPE, type Resources } from './resources.ts'

export interface ServerOptions {
  readonly version: string
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly calls: Calls
  readonly resources: Resources
  readonly log: (line: string) => void
}

/** Clients can cache the tools and the guides, because they change only when partner is upgraded. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'private' } as const

/**
 * Creates a server for one connection. Uses the low-level `Server`, because `McpServer` validates arguments itself and
 * reports problems as plain text.
 */
export function createServer({ era }: { readonly era: 'legacy' | 'modern' }, options: ServerOptions): Server {
  const { version, instructions, tools, calls, resources, log } = options
  const server = new Server(
    { name: 'partner', title: 'Partner', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: { 'tools/list': CACHE_HINT, 'resources/list': CACHE_HINT, 'resources/read': CACHE_HINT },
    },
  )
  const listed = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => {
    return { name, title, description, inputSchema, outputSchema, annotations: { ...annotations } }
  })
  const isModern = era === 'modern'
  server.onerror = (error) => log(error.message)
  server.setRequestHandler('tools/list', () => ({ tools: listed }))
  server.setRequestHandler('tools/call', ({ params }, context) =>
    calls.answer(params, context, { isModern, capabilities: server.getClientCapabilities() }),
  )
  server.setRequestHandler('resources/list', () => guarded(() => ({ resources: [...resources.list()] }), log))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const text = guarded(() => resources.read(uri), log)
    if (text === null) throw new ResourceNotFoundError(uri.slice(0, 200))
    return { contents: [{ uri, mimeType: GUIDE_TYPE, text }] }
  })
  return server
}

/** Hides error messages from the client, because they might contain local paths. */
function guarded<T>(read: () => T, log: (line: string) => void): T {
  try {
    return read()
  } catch (error) {
    log(String(error))
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The guides cannot be read')
  }
}
