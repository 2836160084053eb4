import { jsonReply } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import { queueEvent } from '../deliveries/queue.ts'
import type { EndpointReply } from '../endpoints/handler.ts'
import { HANDLERS } from '../endpoints/handlers.ts'
import { findFailure, type PlaceholderValues, Refused } from '../endpoints/refusals.ts'
import type { SandboxState } from '../state.ts'
import { DIARY_RECORDS } from '../store/diary.ts'
import type { CallWithBody } from './body.ts'
import type { Service } from './request.ts'

/** Calls the endpoint's handler. If the endpoint writes, waits until the changes are on disk before responding. */
export function runHandlers(state: Pick<SandboxState, 'store' | 'diary'>): Service<CallWithBody, WireReply> {
  return async (call) => {
    const { endpoint, drawHex = null } = call
    const store = DIARY_RECORDS.some((kind) => endpoint.touches.includes(kind)) ? state.diary() : state.store
    const handle = () => store.newIds.with(drawHex, () => runHandler(call, store))
    if (endpoint.write === 'none') return toReply(handle())
    return toReply(call.keepsChanges ? await store.groupedTransaction(handle) : store.runAndRollBack(handle))
  }
}

function runHandler(call: CallWithBody, store: SandboxState['store']): EndpointReply {
  const { id, endpoint, parameters, request, body, clock, delivery } = call
  const now = clock.now()
  const { causes } = endpoint
  // Each handler is typed for its own endpoint, but the compiler cannot tell which endpoint this is.
  const handler = HANDLERS[id] as unknown as (request: object) => EndpointReply
  return handler({
    store,
    parameters,
    query: request.url.searchParams,
    body,
    now,
    refuse: (name: string, values?: PlaceholderValues) => {
      const failure = findFailure(endpoint, name)
      if (!failure) throw new Error(`${id} has no failure ${name}`)
      return new Refused(failure, values)
    },
    announce: causes && ((subject: string) => queueEvent(store, causes, subject, now, delivery)),
  })
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

function toReply({ status, body, stream }: EndpointReply): WireReply {
  if (!stream) return jsonReply(status, body)
  return { status, headers: JSON_TYPE, body: encodeTexts(stream) }
}

async function* encodeTexts(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text, 'utf8')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
