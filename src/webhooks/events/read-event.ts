import { isJsonObject, type JsonValue, numberText, parseExactOrNull } from '../../base/json/exact.ts'
import { SUBJECT_MEMBERS, type SubjectKind } from '../../contract/events.ts'

/** The content of a delivery. */
export interface ReadEvent {
  /** The event's name as sent, or `null` if it is missing. */
  readonly event: string | null
  /** The kind of record that changed, or `null` if it is neither a booking nor a gift card. */
  readonly kind: SubjectKind | null
  /** The booking ID or card number, or `null` if there is neither. */
  readonly subject: string | null
  readonly locationId: string | null
}

/**
 * Reads the body of a delivery. Returns `null` if it is not a JSON object. The member names are an assumption (see
 * `eventBody`).
 */
export function readEvent(body: Uint8Array): ReadEvent | null {
  const value = parseExactOrNull(new TextDecoder().decode(body))
  if (!isJsonObject(value)) return null
  const data = isJsonObject(value['data']) ? value['data'] : {}
  const named = (Object.keys(SUBJECT_MEMBERS) as SubjectKind[]).flatMap((kind) => {
    const subject = textOf(data[SUBJECT_MEMBERS[kind]])
    return subject === null ? [] : [{ kind, subject }]
  })
  const { kind, subject } = named[0] ?? { kind: null, subject: null }
  return { event: textOf(value['eventType']), kind, subject, locationId: textOf(data['locationId']) }
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : numberText(value)
}
