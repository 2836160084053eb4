import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import { integer, text } from './scalars.ts'
import { lenientObject, schema } from './schema.ts'

/**
 * Problem details, which may have additional members. A failed validation adds `errors`. Source: "Supporting objects".
 */
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

/** The message and the validation errors in an error body, each as one line. Source: "Body shapes". */
export interface ServiceWords {
  /** The message; `null` if the body has none. */
  readonly message: string | null
  readonly complaints: readonly string[]
}

/**
 * Reads the message and the errors from plain text, `{message}`, Problem details or `errors`. For any other body,
 * returns neither. Never throws.
 */
export function readServiceWords(body: JsonValue | undefined): ServiceWords {
  if (typeof body === 'string' && body.trim() !== '') return { message: body.trim(), complaints: [] }
  if (!isJsonObject(body)) return { message: null, complaints: [] }
  const said = [body['message'], body['errorMessage'], body['detail'], body['title'], body['Message']].filter(isText)
  return { message: said[0] ?? null, complaints: listComplaints(body['errors']) }
}

function listComplaints(errors: JsonValue | undefined): string[] {
  if (Array.isArray(errors)) return errors.map(toLine)
  if (!isJsonObject(errors)) return []
  return Object.entries(errors).flatMap(([member, complaint]) =>
    (Array.isArray(complaint) ? complaint : [complaint]).map((one) =>
      member === '' ? toLine(one) : `${member}: ${toLine(one)}`,
    ),
  )
}

function toLine(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
