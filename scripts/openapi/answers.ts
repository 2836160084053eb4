import type { DocumentedFailure, Endpoint } from '../../src/contract/endpoint.ts'
import { COMMON_FAILURES } from '../../src/contract/failures.ts'
import type { EndpointSchemas } from './schemas.ts'
import type { JsonSchema } from './stated.ts'

/** A part of the OpenAPI document. */
export type Part = Readonly<Record<string, unknown>>

/** Marks a part of the OpenAPI document as not taken from the specification. */
export const ASSUMED: Part = { 'x-assumed': true }

const SUCCESS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  304: 'Nothing was changed, because the record already had this state.',
}

const MESSAGE = { $ref: '#/components/schemas/Message' }
const PROBLEM = { $ref: '#/components/schemas/ProblemDetails' }

/**
 * Describes the response to a request whose body or parameters are malformed. The specification mentions this response
 * for only some endpoints.
 */
const MALFORMED = 'The body or a parameter does not conform to the contract. Problem details, with `errors`.'

/** Returns an endpoint's responses by status, with the documented messages as examples. */
export function answersOf(endpoint: Endpoint, { responses }: EndpointSchemas): Part {
  const isAssumed = endpoint.standing === 'assumed'
  const successes = Object.entries(responses).map(([status, schema]) => [status, success(status, schema, isAssumed)])
  const failures = Map.groupBy(failuresOf(endpoint), ([, { status }]) => status)
  const refused = [...failures].map(([status, of]) => [status, refusalOf(status, of)])
  const unsupported = endpoint.body ? [[415, UNSUPPORTED]] : []
  return Object.fromEntries(
    [...successes, ...refused, ...unsupported].sort(([one], [other]) => Number(one) - Number(other)),
  )
}

const UNSUPPORTED = {
  description: 'The content type of the body is not `application/json`.',
  ...ASSUMED,
  content: { 'application/json': { schema: MESSAGE } },
}

type Named = readonly [name: string, failure: DocumentedFailure]

/** Returns an endpoint's error responses, including the errors that all endpoints have in common. */
function failuresOf({ auth, failures }: Endpoint): Named[] {
  const { rateLimited, requiredField, unauthorized, unknownApp, venueNotLinked } = COMMON_FAILURES
  const ofKeys = auth === 'api-key' ? { unauthorized, unknownApp, venueNotLinked } : {}
  return Object.entries({ ...ofKeys, requiredField, ...failures, rateLimited, ...UNEXPECTED })
}

/** According to the specification, every endpoint can respond with status 500. The message is not documented. */
const UNEXPECTED: Readonly<Record<string, DocumentedFailure>> = {
  anyError: { status: 500, message: 'An unexpected error occurred.', standing: 'assumed', body: 'problem' },
}

function success(status: string, schema: JsonSchema, isAssumed: boolean): Part {
  const described = { description: SUCCESS[status] ?? 'Done.', ...(isAssumed ? ASSUMED : {}) }
  if (status === '304') return described
  const isShown = Object.keys(schema).length > 0
  const media = { schema: isShown ? schema : { ...ASSUMED, description: 'The specification does not show the shape.' } }
  return { ...described, content: { 'application/json': media } }
}

function refusalOf(status: number, named: readonly Named[]): Part {
  const isAssumed = status !== 500 && named.every(([, { standing }]) => standing === 'assumed')
  const spoken = named.filter(([, { body }]) => body === 'message')
  const problems = named.filter(([, { body }]) => body === 'problem')
  const content = {
    ...(spoken.length > 0 ? { 'application/json': { schema: MESSAGE, examples: examplesOf(spoken) } } : {}),
    ...(problems.length > 0 || status === 400
      ? {
          'application/problem+json': {
            schema: PROBLEM,
            ...(problems.length > 0 ? { examples: examplesOf(problems) } : {}),
          },
        }
      : {}),
  }
  const lines = named.map(([, { message }]) => `- \`${message}\``)
  const malformed = status === 400 ? [`- ${MALFORMED}`] : []
  return { description: [...lines, ...malformed].join('\n'), ...(isAssumed ? ASSUMED : {}), content }
}

function examplesOf(named: readonly Named[]): Part {
  return Object.fromEntries(named.map(([name, failure]) => [name, exampleOf(failure)]))
}

/** Returns an example of an error message from the service, in which `{name}` stands for a value from the request. */
function exampleOf({ status, message, body, standing }: DocumentedFailure): Part {
  const value = body === 'message' ? { message } : { type: 'about:blank', title: 'Error', status, detail: message }
  return { summary: message, value, ...(standing === 'assumed' ? ASSUMED : {}) }
}
