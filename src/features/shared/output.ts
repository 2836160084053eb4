import type { Endpoint } from '../../contract/endpoint.ts'
import { type Infer, type Schema, schema, type Zod } from '../../contract/shapes/schema.ts'

/** The machine-readable output of a command, as `partner commands` lists it. */
export interface Output {
  /** What the command prints with `--json`: one value, one value per line, text that is not JSON, or nothing. */
  readonly form: 'json' | 'lines' | 'text' | 'nothing'
  /** The schema of the value, or of the value on each line. */
  readonly schema: Schema
  /** Whether the output consists of service records whose members the specification does not document. */
  readonly isAssumed: boolean
  /** Whether partner itself defines the objects. If so, the schema lists all members that this version prints. */
  readonly isOwn: boolean
  /** A description, or `null` if the command's summary is sufficient. */
  readonly about: string | null
}

type Type = ReturnType<Schema>

/**
 * Defines an object that partner prints. This version always prints all of its members, and later versions may add
 * more.
 */
export const own = <S extends Readonly<Record<string, Type>>>(build: (z: Zod) => S) =>
  schema((z) => z.looseObject(build(z)))

/**
 * The type of a command's output, inferred from its schema. It is read-only and omits members that later versions may
 * add.
 */
export type Printed<S extends Schema> = Known<Infer<S>>

type Known<T> = T extends readonly (infer E)[]
  ? readonly Known<E>[]
  : T extends object
    ? { readonly [K in keyof T as string extends K ? never : K]: Known<T[K]> }
    : T

export function one(shape: Schema, about: string | null = null): Output {
  return { form: 'json', schema: shape, isAssumed: false, isOwn: true, about }
}

export function list(shape: Schema, about: string | null = null): Output {
  const listed = schema((z) => z.array(shape(z)))
  return one(listed, about)
}

/** Describes a list whose objects have different members depending on a flag. `about` must name the flag. */
export function listOfEither(shape: Schema, other: Schema, about: string): Output {
  return one((z) => z.union([z.array(shape(z)), z.array(other(z))]), about)
}

export function noJson(form: 'text' | 'nothing', about: string): Output {
  return { ...one((z) => z.unknown(), about), form }
}

/** Describes the service's response, which is printed unchanged. */
export function answerOf(endpoint: Endpoint, about: string | null = null): Output {
  return { form: 'json', schema: successOf(endpoint), isAssumed: endpoint.standing === 'assumed', isOwn: false, about }
}

/** Describes the records of a list, without the service's envelope around them. */
export function recordsOf(endpoint: Endpoint): Output {
  const answer = answerOf(endpoint)
  const member = endpoint.list?.member ?? null
  return member === null ? answer : { ...answer, schema: (z) => listIn(answer.schema(z), member) }
}

export function recordOf(endpoint: Endpoint): Output {
  const { schema: records, ...rest } = recordsOf(endpoint)
  return { ...rest, schema: (z) => definitionOf(records(z), 'array').element ?? z.unknown() }
}

function successOf({ id, responses }: Endpoint): Schema {
  const [first] = Object.values<Schema>(responses)
  if (first === undefined) throw new Error(`${id} has no successful response`)
  return first
}

function listIn(answer: Type, member: string): Type {
  const list = definitionOf(answer, 'object').shape?.[member]
  if (list === undefined) throw new Error(`the list has no member ${member}`)
  return bare(list, 'array')
}

interface Definition {
  readonly type: string
  readonly innerType?: Type
  readonly element?: Type
  readonly shape?: Readonly<Record<string, Type>>
}

function definitionOf(outer: Type, type: string): Definition {
  return bare(outer, type)._zod.def as Definition
}

/**
 * Removes the wrappers that make a schema nullable or optional, and returns the schema of the given type inside them.
 */
function bare(outer: Type, type: string): Type {
  let at = outer
  for (;;) {
    const definition = at._zod.def as Definition
    if (definition.type === type) return at
    if (definition.innerType === undefined) throw new Error(`the schema is not of type ${type}`)
    at = definition.innerType
  }
}
