import { type DocumentedFailure, fillMessage } from '../../contract/endpoint.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import type { Malformed, PlaceholderValues } from '../endpoints/refusals.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** Returns a documented refusal as an answer, in its documented body shape. Source: "Body shapes". */
export function refusalReply(failure: DocumentedFailure, values: PlaceholderValues = {}, instance?: string): WireReply {
  const message = fillMessage(failure, values)
  return failure.body === 'problem'
    ? problemReply(failure.status, message, instance)
    : messageReply(failure.status, message)
}

/** `{message}` */
export function messageReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  return status === 304 || status === 204 ? jsonReply(status, undefined) : jsonReply(status, { message }, headers)
}

/** Problem details. Source: "Supporting objects". */
export function problemReply(status: number, detail: string, instance: string | undefined): WireReply {
  const title = TITLES[status] ?? 'Error'
  return jsonReply(status, { type: 'about:blank', title, status, detail, instance }, PROBLEM_TYPE)
}

/** The validation variant of Problem details, with `errors`. */
export function malformedReply({ message, complaints }: Malformed, instance: string): WireReply {
  const problem = { type: 'about:blank', title: message, status: 400, instance, errors: complaints }
  return jsonReply(400, problem, PROBLEM_TYPE)
}

const PROBLEM_TYPE = { 'content-type': 'application/problem+json; charset=utf-8' }
