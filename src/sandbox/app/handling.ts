import { jsonReply } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import { queueEvent } from '../deliveries/queue.ts'
import type { EndpointReply } from '../endpoints/handler.ts'
import { HANDLERS } from '../endpoints/handlers.ts'
import { failureNamed, type PlaceholderValues, Refused } from '../endpoints/refusals.ts'
import type { SandboxState } from '../state.ts'
import type { CallWithBody } from './body.ts'
import type { Service } from './request.ts'

const IN_DIARY: ReadonlySet<string> = new Set(['bookings', 'customers', 'sales'])

/** Answers each call with the handler of its endpoint, in one transaction when the endpoint writes. */
export function handlersOn(state: Pick<SandboxState, 'store' | 'diary'>): Service<CallWithBody, WireReply> {
  return async (call) => {
    const store = call.endpoint.touches.some((kind) => IN_DIARY.has(kind)) ? state.diary() : state.store
    const work = () => handle(call, store)
    if (call.endpoint.write === 'none') return replyOf(work())
    return replyOf(call.keepsChanges ? store.transaction(work) : store.rehearse(work))
  }
}

function handle(call: CallWithBody, store: SandboxState['store']): EndpointReply {
  const { id, endpoint, parameters, request, body, clock, delivery } = call
  const now = clock.now()
  const { causes } = endpoint
  // The table ties each handler to its endpoint, which the compiler cannot follow here.
  const handler = HANDLERS[id] as unknown as (request: object) => EndpointReply
  return handler({
    store,
    parameters,
    query: request.url.searchParams,
    body,
    now,
    refuse: (name: string, values?: PlaceholderValues) => {
      const failure = failureNamed(endpoint, name)
      if (!failure) throw new Error(`${id} has no failure ${name}`)
      return new Refused(failure, values)
    },
    announce: causes && ((subject: string) => queueEvent(store, causes, subject, now, delivery)),
  })
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

function replyOf({ status, body, stream }: EndpointReply): WireReply {
  if (!stream) return jsonReply(status, body)
  return { status, headers: JSON_TYPE, body: bytesOf(stream) }
}

async function* bytesOf(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text, 'utf8')
    // Other requests get their turn between two pieces.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
