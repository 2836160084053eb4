import type { Output } from '../../../src/features/shared/output.ts'
import type { Tool } from '../../../src/mcp/tools/tool.ts'
import { outputSchema } from './schemas.ts'

type Json = Record<string, unknown>

/** Keywords to remove from the schemas of all tools. */
const DROPPED: ReadonlySet<string> = new Set(['$schema', 'title', 'x-assumed', 'examples'])

/**
 * Keywords to remove from the schemas of the service's records, because a strict client discards a result that does not
 * match its schema.
 */
const RESTRICTIONS: ReadonlySet<string> = new Set([
  ...['type', 'required', 'enum', 'const', 'format', 'pattern', 'additionalProperties', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
])

/** Returns the form of a tool's result (a list or one object), and the schema of its structured content. */
export function toolOutput(
  id: string,
  output: Output,
): { readonly form: Tool['form']; readonly schema: Tool['outputSchema'] } {
  const { $schema, title, description, ...whole } = outputSchema(id, { ...output, about: null }, []) as Json
  // If the output depends on flags, the first alternative in the schema describes the tool's output.
  const [first = {}] = (Array.isArray(whole['anyOf']) ? whole['anyOf'] : [whole]) as readonly Json[]
  const shape = output.isOwn ? trimmed : loosened
  if (first['type'] === 'array') return { form: 'list', schema: listSchema(shape(first['items'])) }
  return { form: 'one', schema: { ...(shape(first) as Json), type: 'object' } }
}

function listSchema(items: unknown): Tool['outputSchema'] {
  return {
    type: 'object',
    properties: {
      records: { type: 'array', items },
      truncated: { type: 'boolean', description: 'whether more records exist than were returned' },
    },
    required: ['records', 'truncated'],
  }
}

function trimmed(schema: unknown): unknown {
  return changed(schema, (name) => DROPPED.has(name))
}

/**
 * Removes the keywords in `DROPPED` and `RESTRICTIONS`. Adds permitted values, and types such as `number`, to the
 * description.
 */
function loosened(schema: unknown): unknown {
  return changed(schema, (name) => DROPPED.has(name) || RESTRICTIONS.has(name), describeType)
}

function describeType({ type, enum: values }: Json): string {
  const types = [type].flat().filter((each) => typeof each === 'string' && !/^(?:array|null|object|string)$/.test(each))
  if (Array.isArray(values)) return values.filter((value) => value !== null).join(', ')
  return types.join(' or ')
}

function changed(
  schema: unknown,
  isDropped: (keyword: string) => boolean,
  describe?: (schema: Json) => string,
): unknown {
  if (Array.isArray(schema)) return schema.map((each) => changed(each, isDropped, describe))
  if (typeof schema !== 'object' || schema === null) return schema
  const json = schema as Json
  const entries = Object.entries(json)
    .filter(([name]) => name !== 'description' && !isDropped(name))
    .map(([name, value]) => [
      name,
      name === 'properties'
        ? mapValues(value as Json, (each) => changed(each, isDropped, describe))
        : changed(value, isDropped, describe),
    ])
  const description = [describe?.(json), ofTool(json['description'])].filter(Boolean).join(': ')
  return { ...Object.fromEntries(entries), ...(description === '' ? {} : { description }) }
}

/** Returns a description, or an empty string if the description mentions a flag. */
function ofTool(description: unknown): string {
  return typeof description === 'string' && !description.includes('--') ? description : ''
}

function mapValues(object: Json, map: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
