import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { WEBHOOK_EVENTS } from '../../src/contract/events.ts'
import { CARD_NUMBER_PATTERN } from '../../src/contract/shapes/scalars.ts'
import { ASSUMED, answersOf, type Part } from './answers.ts'
import type { ContractSchemas, EndpointSchemas } from './schemas.ts'
import type { JsonSchema } from './stated.ts'

/** Describes what happens if a request is sent again. */
const REPEATED: Readonly<Record<Endpoint['write'], string>> = {
  none: 'It only reads.',
  'safe-to-repeat': 'Repeating it has no further effect.',
  once: 'Repeating it can have the same effect a second time.',
  money:
    'It moves money, and repeating it can move the money a second time. If a request gets no response, find out its outcome first.',
}

/** The schemas of path parameters whose format is restricted. */
const PATH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  cardNumber: { type: 'string', pattern: CARD_NUMBER_PATTERN.source },
  event: { type: 'string', enum: [...WEBHOOK_EVENTS] },
}

const PATH_MEANINGS: Readonly<Record<string, string>> = {
  bookingId: 'The booking ID.',
  cardNumber: 'The number on the card.',
  event: 'The name of the event.',
  eventType: "The partner's own name of the event; `webhooks.test_notification` does nothing.",
  id: 'The ID of the record.',
  partnerName: 'The slug of the partner, supplied at onboarding.',
}

/** Returns all paths, each with its operations. */
export function pathsOf(schemas: ContractSchemas): Part {
  const paths: Record<string, Record<string, Part>> = {}
  for (const [id, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const of = schemas.endpoints[id]
    if (of === undefined) throw new Error(`${id} has no schemas`)
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint, of) }
  }
  return paths
}

function operation(endpoint: Endpoint, schemas: EndpointSchemas): Part {
  const { id, summary, standing, source, auth, write, causes } = endpoint
  const assumed = standing === 'assumed' ? ASSUMED : {}
  const parameters = parametersOf(endpoint, schemas)
  const event = causes ? `It causes the event ${causes} (assumed).` : ''
  return {
    operationId: id,
    summary,
    description: [REPEATED[write], event, `Source: "${source}".`].filter(Boolean).join(' '),
    tags: [id.split('.')[0]],
    ...assumed,
    'x-writes': write,
    security: [auth === 'signature' ? { signature: [] } : { apiKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(schemas.body ? { requestBody: requestBody(schemas.body, assumed) } : {}),
    responses: answersOf(endpoint, schemas),
  }
}

function requestBody(schema: JsonSchema, assumed: Part): Part {
  const isShown = Object.keys(schema).length > 0
  const shown = isShown ? schema : { description: "The partner's own payload." }
  return { required: true, ...assumed, content: { 'application/json': { schema: shown } } }
}

function parametersOf({ path, standing, auth }: Endpoint, { query }: EndpointSchemas): Part[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_MEANINGS[name] ?? name,
    // The specification shows the paths of the REST endpoints, but not those of the inbound endpoints.
    ...(auth === 'signature' ? ASSUMED : {}),
    schema: PATH_SCHEMAS[name] ?? { type: 'string', minLength: 1 },
  }))
  const { properties = {}, required = [] } = (query ?? {}) as { properties?: JsonSchema; required?: string[] }
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(standing === 'assumed' ? ASSUMED : {}),
    schema,
  }))
  return [...inPath, ...inQuery]
}
