/** A JSON Schema (draft 2020-12, as in OpenAPI 3.1). */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** The JSON Schema for each text format that `src/contract/shapes/facts.ts` defines. */
const FORMS: Readonly<Record<string, JsonSchema>> = {
  utc: { format: 'date-time' },
  instant: { format: 'date-time' },
  timestamp: { format: 'date-time', 'x-assumed-format': true },
  assumedInstant: { format: 'date-time', 'x-assumed-format': true },
  local: { pattern: '^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?$' },
  // A date and time with an optional zone.
  dateTime: { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?$' },
  card: { pattern: '^[A-Za-z0-9]{5}-[A-Za-z0-9]{8}-[A-Za-z0-9]{4}$' },
  currency: { pattern: '^[A-Z]{3}$' },
}

/**
 * Makes a schema stricter by adding facts from the contract: which members are always present and never null, text
 * formats, and possible values. The client itself still accepts responses that do not match.
 */
export function stated(schema: JsonSchema): JsonSchema {
  const { $schema, $id, id, always, form, values, ...rest } = schema
  const result = mapped(rest)
  if (typeof form === 'string') Object.assign(result, FORMS[form])
  if (Array.isArray(values)) result['enum'] = accepts(result, 'null') ? [...values, null] : values
  if (result['type'] === 'integer' || accepts(result, 'integer')) asInt32(result)
  return result
}

/** Applies {@link stated} to the nested schemas. */
function mapped(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties, ...rest } = schema
  const result: JsonSchema = { ...rest }
  if (isSchema(properties)) Object.assign(result, members(properties, rest['required'] as string[] | undefined))
  if (isSchema(items)) result['items'] = stated(items)
  if (Array.isArray(anyOf)) Object.assign(result, joined(anyOf.map((one) => stated(one as JsonSchema))))
  // Keep `additionalProperties` only if it forbids additional members. By default, they are allowed.
  if (additionalProperties === false) result['additionalProperties'] = false
  return result
}

function members(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  const all = Object.entries(properties) as [string, JsonSchema][]
  const sure = all.filter(([name, { always }]) => always === true || required.includes(name)).map(([name]) => name)
  const described = all.map(([name, member]) => [name, member['always'] === true ? present(member) : stated(member)])
  return { properties: Object.fromEntries(described), ...(sure.length > 0 ? { required: sure } : {}) }
}

/** Returns the schema of a member that is never `null`, although the lenient schema allows `null`. */
function present(member: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = member
  const kinds = Array.isArray(type) ? type.filter((kind) => kind !== 'null') : type
  const choices = Array.isArray(anyOf) ? anyOf.filter((one) => one.type !== 'null') : []
  const [only] = choices
  const shape = kinds === undefined ? {} : { type: Array.isArray(kinds) && kinds.length === 1 ? kinds[0] : kinds }
  if (choices.length === 1) return stated({ ...only, ...rest, ...shape })
  return stated({ ...rest, ...shape, ...(choices.length > 0 ? { anyOf: choices } : {}) })
}

/** Returns `{type: [T, 'null']}` for a union of one type and null, and `anyOf` for any other union. */
function joined(choices: readonly JsonSchema[]): JsonSchema {
  const [first, second] = choices
  const isNullable = choices.length === 2 && second?.['type'] === 'null'
  if (!isNullable || first === undefined || typeof first['type'] !== 'string') return { anyOf: choices }
  return { ...first, type: [first['type'], 'null'] }
}

function accepts({ type }: JsonSchema, kind: string): boolean {
  return Array.isArray(type) ? type.includes(kind) : type === kind
}

/**
 * Replaces zod's limits for safe integers with the specification's 32-bit format. Does not change amounts, which have
 * no such limits.
 */
function asInt32(schema: JsonSchema): void {
  if (schema['maximum'] === undefined) return
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  schema['format'] = 'int32'
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
