import { isJsonObject, type JsonValue } from '../../json/exact.ts'
import { integer, text } from './scalars.ts'
import { lenientObject, schema } from './schema.ts'

/** Problem details; further members may be present. The validation variant adds `errors`. Source: "Supporting objects". */
export const problemDetails = schema((z) =>
  lenientObject(z, {
    type: text(z),
    title: text(z),
    status: integer(z),
    detail: text(z),
    instance: text(z),
    errors: z.unknown(),
  }),
)

/** What an error body says: its message, and the complaints of a validation, each as one line. Source: "Body shapes". */
export interface ServiceWords {
  /** Null when the body said nothing that can be read. */
  readonly message: string | null
  readonly complaints: readonly string[]
}

/** Reads `{message}`, Problem details and the `errors` object; anything else gives no message. Never fails. */
export function readServiceWords(body: JsonValue | undefined): ServiceWords {
  if (typeof body === 'string' && body.trim() !== '') return { message: body.trim(), complaints: [] }
  if (!isJsonObject(body)) return { message: null, complaints: [] }
  const said = [body['message'], body['errorMessage'], body['detail'], body['title'], body['Message']].filter(isText)
  return { message: said[0] ?? null, complaints: complaintsIn(body['errors']) }
}

function complaintsIn(errors: JsonValue | undefined): string[] {
  if (Array.isArray(errors)) return errors.map(asLine)
  if (!isJsonObject(errors)) return []
  return Object.entries(errors).flatMap(([member, complaint]) =>
    (Array.isArray(complaint) ? complaint : [complaint]).map((one) =>
      member === '' ? asLine(one) : `${member}: ${asLine(one)}`,
    ),
  )
}

function asLine(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
