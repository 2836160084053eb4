import type { Endpoint } from '../contract/endpoint.ts'
import type { EndpointId } from '../contract/endpoints.ts'
import { COMMON_FAILURES } from '../contract/failures.ts'
import { ConnectionFault } from '../http/connection-fault.ts'
import { jsonReply, jsonTextReply } from '../http/reply.ts'
import type { Transport, WireReply, WireRequest } from '../http/transport.ts'
import type { JsonObject } from '../json/exact.ts'
import { SANDBOX_KEYS } from './credentials.ts'
import { type Answer, type Exchange, failureNamed, type Handler, Malformed, Refused } from './exchange.ts'
import { answerInstead, isSpoiling, pause, spoil } from './fault-effects.ts'
import { type Fault, phaseOf } from './fault-kinds.ts'
import { HANDLERS } from './handlers.ts'
import { malformedReply, messageReply, problemReply, refusalReply } from './problem-reply.ts'
import { loadTypeCheck, readJsonBody } from './request-json.ts'
import { route } from './routes.ts'
import type { SandboxState } from './state.ts'
import { damage, databasePath } from './store.ts'

/** What is known of a request on its way through. */
interface Visit {
  readonly request: WireRequest
  readonly id: EndpointId
  readonly endpoint: Endpoint
  readonly parameters: Record<string, string>
}

/** The service itself, as a transport: routes, asks for a key, misbehaves when told to, and answers by the handlers. */
export function sandboxApp(state: SandboxState): Transport {
  return async (request) => {
    state.refresh()
    const reply = await answer(state, request)
    if (state.world.clock.shifted && reply.headers['date'] === undefined)
      return { ...reply, headers: { ...reply.headers, date: new Date(state.world.clock.now()).toUTCString() } }
    return reply
  }
}

async function answer(state: SandboxState, request: WireRequest): Promise<WireReply> {
  const destination = route(request.method, request.url.pathname)
  if (destination.kind === 'unknown')
    return messageReply(404, `No endpoint has the path ${request.url.pathname}; paths are matched in the case written.`)
  if (destination.kind === 'other-method') {
    const allow = destination.allowed.join(', ')
    return messageReply(405, `The method ${request.method} is not allowed here; allowed: ${allow}.`, { allow })
  }
  const visit = { request, ...destination }
  const refused = refuseCaller(visit)
  if (refused) return refused
  const struck = state.faults.strike(request.method, visit.endpoint.path, request.url.pathname)
  return struck.length === 0 ? perform(state, visit, 'commit') : misbehave(state, visit, struck)
}

/** Says no to a key that is missing, wrong, or without a venue. Source: "API key". */
function refuseCaller({ request, endpoint }: Visit): WireReply | null {
  if (endpoint.auth !== 'api-key') return null
  const key = request.headers['x-api-key']
  if (key === SANDBOX_KEYS.good) return null
  if (key === SANDBOX_KEYS.unknownApp) return refusalReply(COMMON_FAILURES.unknownApp)
  if (key === SANDBOX_KEYS.unlinkedVenue) return refusalReply(COMMON_FAILURES.venueNotLinked)
  if (key === SANDBOX_KEYS.noVenue)
    return refusalReply(failureNamed(endpoint, 'keyWithoutVenue') ?? COMMON_FAILURES.venueNotLinked)
  return refusalReply(COMMON_FAILURES.unauthorized)
}

/** Runs the endpoint, with what the struck faults do before, to, and in place of its answer. */
async function misbehave(state: SandboxState, visit: Visit, struck: readonly Fault[]): Promise<WireReply> {
  const { signal } = visit.request
  const during = (phase: 'before' | 'after') => struck.filter((fault) => phaseOf(fault) === phase)
  const instead = async (phase: 'before' | 'after') => {
    for (const { effect } of during(phase)) {
      if (effect.kind === 'latency') await pause(effect.ms, signal)
      const reply = await answerInstead(effect, visit.endpoint, { path: visit.request.url.pathname, signal })
      if (reply) return reply
    }
    return null
  }
  const refused = await instead('before')
  if (refused) return refused
  const spoilers = struck.filter(isSpoiling)
  const undo = spoilers.some((fault) => phaseOf(fault) === 'before')
  let reply = await perform(state, visit, undo ? 'undo' : 'commit')
  reply = (await instead('after')) ?? reply
  for (const { effect } of spoilers) reply = await spoil(reply, effect, signal)
  const skew = struck.map(({ effect }) => effect).find((effect) => effect.kind === 'skew')
  if (!skew) return reply
  return { ...reply, headers: { ...reply.headers, date: new Date(state.world.clock.now() + skew.ms).toUTCString() } }
}

let typeCheck: Awaited<ReturnType<typeof loadTypeCheck>> | undefined

async function perform(state: SandboxState, visit: Visit, ending: 'commit' | 'undo'): Promise<WireReply> {
  const { request, endpoint } = visit
  const path = request.url.pathname
  try {
    if (!endpoint.body) return replyOf(runHandler(state, visit, {}, ending))
    if (!isJsonType(request.headers['content-type']))
      return messageReply(415, 'The request needs the header Content-Type: application/json.')
    const body = readJsonBody(request.body)
    typeCheck ??= await loadTypeCheck()
    typeCheck(endpoint, body)
    return replyOf(runHandler(state, visit, body, ending))
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
  const exchange = {
    world,
    parameters: visit.parameters,
    query: visit.request.url.searchParams,
    body,
    now: world.clock.now(),
    refuse: (name: string, values?: Record<string, string | number>) => {
      const failure = failureNamed(visit.endpoint, name)
      return failure ? new Refused(failure, values) : new Error(`${visit.id} has no failure ${name}`)
    },
  }
  // The table of handlers ties each one to its endpoint; here only the sameness of the id is known.
  const handler = HANDLERS[visit.id] as Handler<Endpoint> | undefined
  if (!handler) throw new Error(`${visit.id} has no handler yet`)
  if (visit.endpoint.write === 'none') return handler(exchange as Exchange)
  try {
    return world.store.transaction(() => {
      const answer = handler(exchange as Exchange)
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
  if (damaged) return problemReply(500, damaged.message, request.url.pathname)
  state.onUnexpected(error)
  const documented = failureNamed(endpoint, 'unexpected')
  return documented
    ? refusalReply(documented, {}, request.url.pathname)
    : problemReply(500, 'An unexpected error occurred.', request.url.pathname)
}
