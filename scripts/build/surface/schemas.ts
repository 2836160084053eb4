import * as z from 'zod'
import { factsOf } from '../../../src/contract/shapes/facts.ts'
import type { Output } from '../../../src/features/shared/output.ts'
import { numberOf } from '../../openapi/numbers.ts'

/** Describes the output of `--dry-run`. */
const PLAN =
  'With --dry-run, the request instead: {method, url, headers, body}, one per line if there are several; with --curl, curl commands.'

/** Commands whose dry run prints the same output as a real run, or whose schema already describes the dry run. */
const HAS_ITS_OWN_PLAN = /^(?:config|sales import|webhooks (?:apply|gaps|replay|torture))$/

type Json = Record<string, unknown>

/**
 * Returns the JSON Schema (2020-12) of a command's `--json` output, based on the schemas of the contract and of
 * partner's own output. `x-assumed` marks parts that are not in the specification. Objects can always have additional
 * members.
 */
export function outputSchema(id: string, { schema, isAssumed, form, about }: Output, flags: readonly string[]): Json {
  const made = z.toJSONSchema(schema(z), {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema as Json),
  }) as Json
  const { $schema, description, ...rest } = compact(made) as Json
  const ofPlan = flags.includes('dry-run') && !HAS_ITS_OWN_PLAN.test(id) ? PLAN : null
  const says = [description, about, ofPlan].flatMap((text) =>
    typeof text === 'string' ? text.replace(/[^.]$/, '$&.') : [],
  )
  return {
    $schema,
    title: `partner ${id}${form === 'lines' ? ', each line' : ''}`,
    ...(says.length === 0 ? {} : { description: says.join(' ') }),
    ...(isAssumed ? { 'x-assumed': true } : {}),
    ...rest,
  }
}

/** Adds what zod cannot express: the schema of exact numbers, example values and text formats. */
function describe(schema: z.core.$ZodType, json: Json): void {
  const { form, values } = factsOf(schema)
  for (const note of ['always', 'form', 'values']) delete json[note]
  Object.assign(json, numberOf(schema))
  if (values !== null) json['examples'] = values
  if (form === null) return
  json['description'] ??= form.name
  if (form.documented === undefined) json['x-assumed'] = true
}

/** Removes empty `additionalProperties` and the bounds of safe integers. Simplifies nullable unions. */
function compact(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(compact)
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json)
    .filter(([name, value]) => !(name === 'additionalProperties' && isEmpty(value)))
    .filter(([name, value]) => !(/^(?:max|min)imum$/.test(name) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER))
    .map(([name, value]) => [name, name === 'properties' ? compactEach(value as Json) : compact(value)] as const)
  return withNull(Object.fromEntries(entries))
}

function compactEach(properties: Json): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, compact(value)]))
}

/** Simplifies `{anyOf: [{type: T}, {type: 'null'}]}` to `{type: [T, 'null']}`, which is equivalent. */
function withNull({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest
  const [first, second, ...more] = anyOf as Json[]
  const isPlain = typeof first?.['type'] === 'string' && !('enum' in first) && second?.['type'] === 'null'
  return isPlain && more.length === 0 ? { ...first, ...rest, type: [first['type'], 'null'] } : { anyOf, ...rest }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
