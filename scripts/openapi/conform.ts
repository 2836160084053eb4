import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FoundOperation, HarEntry, JsonSchema, OpenApi, Operation, Parameter } from './openapi.ts'

/** Compiles the schemas of an OpenAPI document on first use. */
class Compiled {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  readonly #known = new Map<string, ValidateFunction>()

  constructor(document: object) {
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, 'document')
  }

  complaints(pointer: string, value: unknown): string[] {
    const known = this.#known.get(pointer)
    const validate = known ?? this.#ajv.compile({ $ref: `document#${encodeURI(pointer)}` })
    if (!known) this.#known.set(pointer, validate)
    return validate(value) ? [] : (validate.errors ?? []).map(written)
  }
}

function written({ instancePath, message, params }: ErrorObject): string {
  const named = params['additionalProperty'] ?? params['allowedValues']
  return `${instancePath.replace(/\/\d+(?=\/|$)/g, '/*') || '/'} ${message}${named === undefined ? '' : ` (${named})`}`
}

/** Checks responses against the OpenAPI document. Reports any member that the document does not list. */
export class Answers {
  readonly #compiled: Compiled

  constructor(document: OpenApi) {
    this.#compiled = new Compiled(closed(document))
  }

  complaints(pointer: string, { responses }: Operation, { status, content }: HarEntry['response']): string[] {
    const response = responses[status]
    if (response === undefined) return ['the document does not list this status']
    const type = content.mimeType.split(';')[0]?.trim() ?? ''
    if (response.content === undefined) return content.text === '' ? [] : ['the document lists no body for this status']
    const isAnything = Object.values(response.content).some(
      ({ schema }) => schema.type === undefined && schema['$ref'] === undefined,
    )
    if (content.text === '' && isAnything) return []
    if (response.content[type] === undefined)
      return [`the document lists no ${type || 'body without a type'} for this status`]
    // If the HAR entry has a comment, the recorded body is truncated and cannot be checked.
    if (content.comment !== undefined) return []
    const body = parsed(content.text)
    if (body === undefined) return ['the body is not JSON']
    return this.#compiled.complaints(
      `${pointer}/responses/${status}/content/${type.replaceAll('/', '~1')}/schema`,
      body,
    )
  }
}

/** Checks requests against the OpenAPI document. */
export class Requests {
  readonly #compiled: Compiled

  constructor(document: OpenApi) {
    this.#compiled = new Compiled(document)
  }

  complaints({ operation, pointer, path }: FoundOperation, url: URL, request: HarEntry['request']): string[] {
    return [
      ...this.#parameters(operation, pointer, path, url),
      ...unknownParameters(operation, url),
      ...credential(operation, request),
      ...this.#body(operation, pointer, request),
    ]
  }

  #parameters({ parameters = [] }: Operation, pointer: string, path: FoundOperation['path'], url: URL): string[] {
    return parameters.flatMap((parameter, at) => {
      const value = parameterValue(parameter, url, path)
      const named = (complaint: string) => `parameter ${parameter.name}: ${complaint}`
      if (value === undefined) return parameter.required ? [named('is missing')] : []
      return this.#compiled.complaints(`${pointer}/parameters/${at}/schema`, value).map(named)
    })
  }

  #body({ requestBody }: Operation, pointer: string, { postData }: HarEntry['request']): string[] {
    if (requestBody === undefined || postData === undefined)
      return requestBody?.required ? ['the request has no body'] : []
    const type = postData.mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
    const body = parsed(postData.text)
    if (body === undefined) return ['the body of the request is not JSON']
    const complaints = this.#compiled.complaints(
      `${pointer}/requestBody/content/${type.replaceAll('/', '~1')}/schema`,
      read(body),
    )
    return complaints.map((complaint) => `request body: ${complaint}`)
  }
}

function unknownParameters({ parameters = [] }: Operation, url: URL): string[] {
  const names = parameters.map(({ name }) => name)
  const unknown = [...new Set(url.searchParams.keys())].filter((name) => !names.includes(name))
  return unknown.map((name) => `parameter ${name}: the document has no such parameter`)
}

/**
 * Returns an error message if a request lacks the header that authenticates it. Does not check the header's value,
 * because HAR files do not contain it.
 */
function credential({ security }: Operation, { headers }: HarEntry['request']): string[] {
  const names = headers.map(({ name }) => name.toLowerCase())
  const wanted = 'signature' in (security[0] ?? {}) ? 'x-partner-signature' : 'x-api-key'
  return names.includes(wanted) ? [] : [`the request has no ${wanted}`]
}

/**
 * Returns a copy of the OpenAPI document in which the response schemas forbid additional members, unless the
 * specification allows them.
 */
function closed(document: OpenApi): OpenApi {
  const copy = structuredClone(document)
  const done = new Set<JsonSchema>()
  const close = (schema: JsonSchema | undefined): void => {
    if (schema === undefined || done.has(schema)) return
    done.add(schema)
    const reference = /^#\/components\/schemas\/(.+)$/.exec(String(schema['$ref'] ?? ''))?.[1]
    // The specification allows additional members in problem details.
    if (reference !== undefined && reference !== 'ProblemDetails') close(copy.components.schemas[reference])
    const { properties, items, anyOf } = schema as { items?: JsonSchema; anyOf?: JsonSchema[] } & JsonSchema
    if (properties) Object.assign(schema, { additionalProperties: false })
    for (const member of [...Object.values(properties ?? {}), ...(items ? [items] : []), ...(anyOf ?? [])])
      close(member)
  }
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods)))
    for (const { content = {} } of Object.values(operation.responses))
      for (const { schema } of Object.values(content)) close(schema)
  return copy
}

/** Returns a parameter's value, converted to the type in its schema. Returns `undefined` if the parameter is absent. */
function parameterValue({ name, in: place, schema }: Parameter, url: URL, path: FoundOperation['path']): unknown {
  const text = place === 'path' ? path[name] : (url.searchParams.get(name) ?? undefined)
  return text === undefined ? undefined : typed(text, schema)
}

function typed(text: string, { type }: JsonSchema): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return type === 'boolean' && /^(true|false)$/i.test(text) ? /^true$/i.test(text) : text
}

/**
 * Returns a request body as the service reads it. The service ignores the local time if the request also has the UTC
 * time.
 */
function read(body: unknown): unknown {
  const present = withoutNulls(body)
  if (typeof present !== 'object' || present === null || !('bookingTimeAsUtc' in present)) return present
  const { time, ...rest } = present as Record<string, unknown>
  return rest
}

/** Removes members whose value is `null`, because the service treats them as absent. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNulls)
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
