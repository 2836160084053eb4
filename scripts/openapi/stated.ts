/** A JSON Schema (draft 2020-12), which OpenAPI 3.1 uses. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** The JSON Schema of each format in `src/contract/shapes/facts.ts`. */
const FORMS: Readonly<Record<string, JsonSchema>> = {
  utc: { format: 'date-time' },
  instant: { format: 'date-time' },
  timestamp: { format: 'date-time', 'x-assumed-format': true },
  assumedInstant: { format: 'date-time', 'x-assumed-format': true },
  local: { pattern: '^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?$' },
  // The zone is optional.
  dateTime: { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?$' },
  card: { pattern: '^[A-Za-z0-9]{5}-[A-Za-z0-9]{8}-[A-Za-z0-9]{4}$' },
  currency: { pattern: '^[A-Z]{3}$' },
}

/**
 * Adds facts that the contract states alongside a lenient schema: members that are always present and never null, text
 * formats, and possible values. The client still reads leniently.
 */
export function stated(schema: JsonSchema): JsonSchema {
  const { $schema, $id, id, always, form, values, ...rest } = schema
  const result = mapped(rest)
  if (typeof form === 'string') Object.assign(result, FORMS[form])
  if (Array.isArray(values)) result['enum'] = accepts(result, 'null') ? [...values, null] : values
  if (result['type'] === 'integer' || accepts(result, 'integer')) asInt32(result)
  return result
}

/** Does the same for nested schemas. */
function mapped(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties, ...rest } = schema
  const result: JsonSchema = { ...rest }
  if (isSchema(properties)) Object.assign(result, members(properties, rest['required'] as string[] | undefined))
  if (isSchema(items)) result['items'] = stated(items)
  if (Array.isArray(anyOf)) Object.assign(result, joined(anyOf.map((one) => stated(one as JsonSchema))))
  // Any object from the service may have unknown members.
  if (additionalProperties === false) result['additionalProperties'] = false
  return result
}

function members(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  const all = Object.entries(properties) as [string, JsonSchema][]
  const sure = all.filter(([name, { always }]) => always === true || required.includes(name)).map(([name]) => name)
  const described = all.map(([name, member]) => [name, member['always'] === true ? present(member) : stated(member)])
  return { properties: Object.fromEntries(described), ...(sure.length > 0 ? { required: sure } : {}) }
}

/** Removes the `null` that lenient reading allows. */
function present(member: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = member
  const kinds = Array.isArray(type) ? type.filter((kind) => kind !== 'null') : type
  const choices = Array.isArray(anyOf) ? anyOf.filter((one) => one.type !== 'null') : []
  const [only] = choices
  const shape = kinds === undefined ? {} : { type: Array.isArray(kinds) && kinds.length === 1 ? kinds[0] : kinds }
  if (choices.length === 1) return stated({ ...only, ...rest, ...shape })
  return stated({ ...rest, ...shape, ...(choices.length > 0 ? { anyOf: choices } : {}) })
}

/** Simplifies a choice between one type and null. */
function joined(choices: readonly JsonSchema[]): JsonSchema {
  const [first, second] = choices
  const isNullable = choices.length === 2 && second?.['type'] === 'null'
  if (!isNullable || first === undefined || typeof first['type'] !== 'string') return { anyOf: choices }
  return { ...first, type: [first['type'], 'null'] }
}

function accepts({ type }: JsonSchema, kind: string): boolean {
  return Array.isArray(type) ? type.includes(kind) : type === kind
}

/** Replaces zod's range of safe integers with the specification's 32-bit range. Amounts have neither limit. */
function asInt32(schema: JsonSchema): void {
  if (schema['maximum'] === undefined) return
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  schema['format'] = 'int32'
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
