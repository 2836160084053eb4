import type { Endpoint } from '../../contract/endpoint.ts'
import type { EndpointId } from '../../contract/endpoints.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { anything } from '../../contract/scalars.ts'
import { ConnectionFault } from '../../http/connection-fault.ts'
import { jsonReply, jsonTextReply } from '../../http/reply.ts'
import type { Transport, WireReply, WireRequest } from '../../http/transport.ts'
import { isJsonObject, type JsonObject } from '../../json/exact.ts'
import { type Answer, type Exchange, failureNamed, type Handler, Malformed, Refused } from '../endpoints/handler.ts'
import { HANDLERS } from '../endpoints/handlers.ts'
import { answerInstead, isSpoiling, pause, spoil } from '../faults/effects.ts'
import { type Fault, phaseOf } from '../faults/fault.ts'
import { journaled, type Trail } from '../journal/with-journal.ts'
import type { SandboxState } from '../state.ts'
import { damage, databasePath } from '../store/store.ts'
import { loadTypeCheck, readJsonBody } from './body.ts'
import { refuseCaller } from './caller.ts'
import type { RateLimiter } from './rate-limit.ts'
import { malformedReply, messageReply, problemReply, refusalReply } from './replies.ts'
import { route } from './route.ts'

/** What is known of a request on its way through. */
interface Visit {
  readonly request: WireRequest
  readonly id: EndpointId
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * The service itself, as a transport: routes, counts, asks for a key, misbehaves when told to, answers by the handlers,
 * and writes down what happened. `limiter` null: no rate limits.
 */
export function sandboxApp(state: SandboxState, limiter: RateLimiter | null): Transport {
  return (request) =>
    journaled(state, request, async (trail) => {
      state.refresh()
      const reply = await answer(state, limiter, request, trail)
      if (!state.world.clock.shifted || reply.headers['date'] !== undefined) return reply
      return { ...reply, headers: { ...reply.headers, date: new Date(state.world.clock.now()).toUTCString() } }
    })
}

async function answer(
  state: SandboxState,
  limiter: RateLimiter | null,
  request: WireRequest,
  trail: Trail,
): Promise<WireReply> {
  const { pathname } = request.url
  const destination = route(request.method, pathname)
  if (destination.kind === 'unknown') {
    trail.note = 'no endpoint has this path'
    return messageReply(404, `No endpoint has the path ${pathname}; paths are matched in the case written.`)
  }
  if (destination.kind === 'other-method') {
    const allow = destination.allowed.join(', ')
    trail.note = `this path takes ${allow}`
    return messageReply(405, `The method ${request.method} is not allowed here; allowed: ${allow}.`, { allow })
  }
  trail.endpoint = destination.id
  const visit = { request, ...destination }
  if (limiter && !limiter.admit(visit.id, request.headers['x-api-key'] ?? '')) {
    trail.note = 'over the rate limit'
    return refusalReply(COMMON_FAILURES.rateLimited, { count: limiter.limit.count, window: limiter.limit.windowMs })
  }
  const refused = await refuseCaller(request, visit.endpoint, visit.parameters)
  if (refused) {
    trail.note = visit.endpoint.auth === 'signature' ? 'the signature was refused' : 'the key was refused'
    return refused
  }
  const struck = state.faults.strike(request.method, visit.endpoint.path, pathname)
  if (struck.length === 0) return perform(state, visit, 'commit')
  trail.faults = struck.map((fault) => fault.id)
  trail.note = `fault: ${struck.map((fault) => fault.effect.kind).join(', ')}`
  return misbehave(state, visit, struck)
}

/** Runs the endpoint, with what the struck faults do before, to, and in place of its answer. */
async function misbehave(state: SandboxState, visit: Visit, struck: readonly Fault[]): Promise<WireReply> {
  const { signal } = visit.request
  const instead = async (phase: 'before' | 'after') => {
    for (const fault of struck) {
      if (phaseOf(fault) !== phase) continue
      if (fault.effect.kind === 'latency') await pause(fault.effect.ms, signal)
      const reply = await answerInstead(fault.effect, visit.endpoint, { path: visit.request.url.pathname, signal })
      if (reply) return reply
    }
    return null
  }
  const refused = await instead('before')
  if (refused) return refused
  const spoilers = struck.filter(isSpoiling)
  const undo = spoilers.some((fault) => phaseOf(fault) === 'before')
  let reply = await perform(state, visit, undo ? 'undo' : 'commit', struck)
  reply = (await instead('after')) ?? reply
  for (const { effect } of spoilers) reply = await spoil(reply, effect, signal)
  const skew = struck.map(({ effect }) => effect).find((effect) => effect.kind === 'skew')
  if (!skew) return reply
  return { ...reply, headers: { ...reply.headers, date: new Date(state.world.clock.now() + skew.ms).toUTCString() } }
}

/** Endpoints that never look at a booking, a customer or a sale. */
const WITHOUT_DIARY = /^(giftcards\.|webhooks\.|bookings\.statuses$|inbound\.(redeem|balance)$)/

let typeCheck: Awaited<ReturnType<typeof loadTypeCheck>> | undefined

async function perform(
  state: SandboxState,
  visit: Visit,
  ending: 'commit' | 'undo',
  struck: readonly Fault[] = [],
): Promise<WireReply> {
  const { request, endpoint } = visit
  const path = request.url.pathname
  const run = (body: JsonObject) => {
    const effects = struck.map((fault) => fault.effect)
    return replyOf(state.withWebhookFaults(effects, () => runHandler(state, visit, body, ending)))
  }
  try {
    if (!WITHOUT_DIARY.test(visit.id)) state.catchUp()
    if (!endpoint.body) return run({})
    if (!isJsonType(request.headers['content-type']))
      return messageReply(415, 'The request needs the header Content-Type: application/json.')
    const body = readJsonBody(request.body)
    if (endpoint.body !== anything && !isJsonObject(body))
      throw new Malformed({ '': ['The request body must be a JSON object.'] })
    if (!isJsonObject(body)) return run({})
    typeCheck ??= await loadTypeCheck()
    typeCheck(endpoint, body)
    return run(body)
  } catch (error) {
    if (error instanceof ConnectionFault) throw error
    if (error instanceof Refused) return refusalReply(error.failure, error.values, path)
    if (error instanceof Malformed) return malformedReply(error, path)
    return unexpectedReply(state, visit, error)
  }
}

function isJsonType(header: string | undefined): boolean {
  return header?.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

/** Thrown to take back a change whose answer is sent all the same. */
class Undone extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('undone')
    this.answer = answer
  }
}

function runHandler(state: SandboxState, visit: Visit, body: JsonObject, ending: 'commit' | 'undo'): Answer {
  const { world } = state
  const exchange: Exchange = {
    world,
    parameters: visit.parameters,
    query: visit.request.url.searchParams,
    body: body as Record<string, never>,
    now: world.clock.now(),
    refuse: (name, values) => {
      const failure = failureNamed(visit.endpoint, name)
      if (!failure) throw new Error(`${visit.id} has no failure ${name}`)
      return new Refused(failure, values)
    },
  }
  // The table of handlers ties each one to its endpoint; here only the sameness of the id is known.
  const handler = HANDLERS[visit.id] as unknown as Handler<Endpoint>
  if (visit.endpoint.write === 'none') return handler(exchange)
  try {
    return world.store.transaction(() => {
      const answer = handler(exchange)
      if (ending === 'undo') throw new Undone(answer)
      return answer
    })
  } catch (error) {
    if (error instanceof Undone) return error.answer
    throw error
  }
}

function replyOf(answer: Answer): WireReply {
  if (answer.stream) return { status: answer.status, headers: JSON_TYPE, body: encoded(answer.stream) }
  if (answer.text !== undefined) return jsonTextReply(answer.status, answer.text)
  return jsonReply(answer.status, answer.body)
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

async function* encoded(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield Buffer.from(text, 'utf8')
    // Other requests get their turn between two pieces.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function unexpectedReply(state: SandboxState, { endpoint, request }: Visit, error: unknown): WireReply {
  const { directory } = state.world.store
  const damaged = directory === null ? null : damage(error, databasePath(directory))
  state.onUnexpected(damaged ?? error)
  if (damaged) return problemReply(500, damaged.message, request.url.pathname)
  const documented = failureNamed(endpoint, 'unexpected')
  return documented
    ? refusalReply(documented, {}, request.url.pathname)
    : problemReply(500, 'An unexpected error occurred.', request.url.pathname)
}
