import { writeFileSync } from 'node:fs'
import {
  ANSWER_TIMEOUT_MS,
  CREDENTIAL_HEADERS,
  SUBJECT_MEMBERS,
  subjectKindOf,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../../src/contract/events.ts'
import { ASSUMED, type Part } from './answers.ts'
import { pathsOf } from './operations.ts'
import { type ContractSchemas, readSchemas } from './schemas.ts'
import type { JsonSchema } from './stated.ts'

// Generates the OpenAPI document from the contract. The build runs this code.

const DESCRIPTION = `Bookings, reservations, sales, customers, gift cards and webhooks of the partner integration service. Made by \`partner api spec\` from the contract that partner itself uses.

- \`x-assumed: true\` marks parts that the specification of the service does not show. On an operation, it means that the parameters, the body and the responses are assumed; the method and the path are in the specification, except for signed requests. On a response or an example, it means that the text is assumed. \`x-assumed-format: true\` marks a text whose format is assumed.
- \`x-writes\` is the effect of repeating the request: \`none\`, \`safe-to-repeat\`, \`once\`, or \`money\`.
- Amounts of money are JSON numbers: in currency units (\`12.5\` is 12.50) in general, but whole cents in a submitted sale (\`1250\`). Read them as decimals, not as floats.
- Be lenient when you read responses: objects can have additional members, and texts can have values that are not listed.`

/** The schema of the body that most error responses have. */
const MESSAGE = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
}

/** Returns the OpenAPI 3.1 document. */
export function openApiDocument(): Part {
  const schemas = readSchemas()
  const paths = pathsOf(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner integration service',
      version: 'v1',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: 'https://{host}',
        description: 'The service. Development and production have different hosts, issued at onboarding.',
        variables: {
          host: { default: 'service.example', description: 'The host, and the base path of the service.' },
        },
      },
      {
        url: 'http://127.0.0.1:{port}',
        description: 'The sandbox: `partner sandbox start --port PORT`.',
        variables: { port: { default: '4321' } },
      },
    ],
    tags: tagsOf(paths),
    paths,
    webhooks: Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, { post: delivery(event) }])),
    components: { schemas: components(schemas, paths), securitySchemes: SECURITY },
  }
}

const SECURITY: Part = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'Issued by the partner manager, for each partner and environment.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Partner-Signature',
    description:
      'Lowercase hex of HMAC-SHA256, keyed with the signing secret, over the bytes of the body followed by the URL. The name of the header is agreed at onboarding; this one is an example.',
  },
}

const TOPICS: Readonly<Record<string, string>> = {
  bookings: 'Bookings, their tables and statuses, and the schedule.',
  customers: 'The guests of the venue.',
  giftcards: 'Gift cards and their balances.',
  inbound: "Endpoints that the partner's own system calls, signed.",
  reservations: 'Reservations, checked against the live schedule.',
  sales: 'Sales of the till.',
  webhooks: 'Subscriptions to events.',
}

function tagsOf(paths: Part): Part[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path as Record<string, { tags: string[] }>))
  const names = [...new Set(operations.flatMap(({ tags }) => tags))]
  return names.map((name) => ({ name, description: TOPICS[name] ?? name }))
}

/** Describes an event as it is delivered to a subscriber. */
function delivery(event: WebhookEvent): Part {
  const subject = SUBJECT_MEMBERS[subjectKindOf(event)]
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  const data = {
    type: 'object',
    required: [subject],
    properties: { [subject]: { type: 'string' }, locationId: { type: ['string', 'null'] } },
  }
  return {
    operationId: `receive.${event}`,
    summary: `Receive ${event}`,
    description: `The event contains only an ID: fetch the record with this ID. An event can arrive more than once. Unless it is answered with a 2xx within ${ANSWER_TIMEOUT_MS / 1000} seconds, it is sent again.`,
    ...ASSUMED,
    security: [],
    parameters: [
      header(CREDENTIAL_HEADERS.securityKey, 'The securityKey of the subscription, if it has one.'),
      header(CREDENTIAL_HEADERS.securityToken, 'The securityToken of the subscription, if it has one.'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['eventType', 'data'],
            properties: { eventType: { type: 'string', const: event }, data },
          },
        },
      },
    },
    responses: { '2XX': { description: 'It was received.' } },
  }
}

/** Returns the named schemas. If no documented operation uses a schema, marks it as assumed. */
function components({ named }: ContractSchemas, paths: Part): Part {
  const all: Record<string, JsonSchema> = { Message: MESSAGE, ...named }
  const documented = new Set<string>(['Message', 'ProblemDetails'])
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      if (key === '$ref' && typeof member === 'string') reach(member.slice(member.lastIndexOf('/') + 1))
      else visit(member)
    }
  }
  const reach = (name: string) => {
    if (documented.has(name)) return
    documented.add(name)
    visit(all[name])
  }
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path as Record<string, JsonSchema>)))
    if (operation['x-assumed'] !== true) visit(operation)
  const sorted = Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(
    sorted.map(([name, schema]) => [name, documented.has(name) ? schema : { ...schema, ...ASSUMED }]),
  )
}

/** Writes the OpenAPI document to each of the given files. */
export function writeOpenApi(files: readonly string[]): void {
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`
  for (const file of files) writeFileSync(file, text)
}
