import { STATUS_CODES } from 'node:http'
import { type DocumentedFailure, fillMessage } from '../../contract/endpoint.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import type { Malformed, PlaceholderValues } from '../endpoints/refusals.ts'

/** Creates the response for a documented failure, with the body that the specification shows. Source: "Body shapes". */
export function refusalReply(failure: DocumentedFailure, values: PlaceholderValues = {}, instance?: string): WireReply {
  const message = fillMessage(failure, values)
  if (failure.body !== 'problem') return messageReply(failure.status, message)
  return problemReply(failure.status, message, instance)
}

/** Creates a response with the body `{message}`. With status 204 or 304, the response has no body. */
export function messageReply(status: number, message: string, headers?: Readonly<Record<string, string>>): WireReply {
  return status === 304 || status === 204 ? jsonReply(status, undefined) : jsonReply(status, { message }, headers)
}

/** Creates a response with Problem details. Source: "Supporting objects". */
export function problemReply(status: number, detail: string, instance: string | undefined): WireReply {
  const title = STATUS_CODES[status]
  return jsonReply(status, { type: 'about:blank', title, status, detail, instance }, PROBLEM_TYPE)
}

/** Creates a response with the validation variant of Problem details, which lists `errors`. */
export function malformedReply({ message, complaints }: Malformed, instance: string): WireReply {
  const problem = { type: 'about:blank', title: message, status: 400, instance, errors: complaints }
  return jsonReply(400, problem, PROBLEM_TYPE)
}

const PROBLEM_TYPE = { 'content-type': 'application/problem+json; charset=utf-8' }
