import type * as zod from 'zod'
import type { Endpoint, Standing } from '../endpoint.ts'
import { ENDPOINTS, type EndpointId } from '../endpoints.ts'
import { type FormRule, factsOf } from './facts.ts'
import { anything } from './scalars.ts'
import type { Schema, Zod } from './schema.ts'

/** The kinds of JSON value. A whole number counts as `integer`. */
export type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'list'

/** Describes the value that is expected at one position in a response. */
export interface Expected {
  readonly standing: Standing
  /** The allowed kinds of value; `null` if any kind is allowed. */
  readonly kinds: readonly Kind[] | null
  /** Whether the value must be present and not `null`. */
  readonly always: boolean
  readonly form: FormRule | null
  readonly values: readonly string[] | null
  /** The members of the value if it is an object; otherwise `null`. */
  readonly members: ReadonlyMap<string, Expected> | null
  /** The items of the value if it is a list; otherwise `null`. */
  readonly item: Expected | null
}

export type ExpectedAnswer = { readonly id: EndpointId; readonly endpoint: Endpoint; readonly expected: Expected }

let all: readonly ExpectedAnswer[] | undefined

/** Returns the expected responses of all endpoints that have a schema. */
export async function getExpectedAnswers(): Promise<readonly ExpectedAnswer[]> {
  if (all) return all
  const z = await import('zod')
  const found: ExpectedAnswer[] = []
  for (const [id, endpoint] of Object.entries(ENDPOINTS) as [EndpointId, Endpoint][]) {
    const schema = Object.values<Schema>(endpoint.responses)[0]
    if (schema === undefined || schema === anything) continue
    found.push({ id, endpoint, expected: describe(z, schema(z), endpoint.standing) })
  }
  all = found
  return all
}

type Definition = zod.core.$ZodType['_zod']['def'] & {
  readonly innerType?: zod.core.$ZodType
  readonly element?: zod.core.$ZodType
  readonly shape?: Readonly<Record<string, zod.core.$ZodType>>
  readonly check?: string
}

function describe(z: Zod, schema: zod.core.$ZodType, standing: Standing): Expected {
  const [facts, inner] = unwrapped(schema)
  const { shape, element } = inner._zod.def as Definition
  const below = (one: zod.core.$ZodType) => describe(z, one, standing)
  return {
    standing,
    kinds: kindsOf(inner),
    always: facts.always,
    form: facts.form,
    values: facts.values,
    members: shape ? new Map(Object.entries(shape).map(([name, member]) => [name, below(member)])) : null,
    item: element ? below(element) : null,
  }
}

/**
 * Returns the schema inside all nullable and optional wrappers, and the combined metadata of the schema and its
 * wrappers.
 */
function unwrapped(schema: zod.core.$ZodType) {
  let inner = schema
  let facts = factsOf(inner)
  for (;;) {
    const { type, innerType } = inner._zod.def as Definition
    if ((type !== 'optional' && type !== 'nullable') || innerType === undefined) return [facts, inner] as const
    inner = innerType
    const more = factsOf(inner)
    facts = { always: facts.always || more.always, form: facts.form ?? more.form, values: facts.values ?? more.values }
  }
}

function kindsOf(schema: zod.core.$ZodType): readonly Kind[] | null {
  const { type } = schema._zod.def as Definition
  switch (type) {
    case 'string':
    case 'enum':
      return ['string']
    case 'number':
      return isInteger(schema) ? ['integer'] : ['integer', 'number']
    case 'custom':
      // Custom schemas are used only for numbers that keep all of their digits.
      return ['integer', 'number']
    case 'boolean':
      return ['boolean']
    case 'object':
      return ['object']
    case 'array':
      return ['list']
    default:
      return null
  }
}

function isInteger(schema: zod.core.$ZodType): boolean {
  return (schema as zod.ZodNumber).isInt === true || (schema._zod.def as Definition).check === 'number_format'
}
