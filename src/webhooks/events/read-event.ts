import { isJsonObject, type JsonValue, numberText, parseExactOrNull } from '../../base/json/exact.ts'
import { SUBJECT_MEMBERS, type SubjectKind } from '../../contract/events.ts'

/** What the body of a delivery says. */
export interface ReadEvent {
  /** The name of the event, as it came; null: it names none. */
  readonly event: string | null
  /** What it is about; null: neither a booking nor a gift card. */
  readonly kind: SubjectKind | null
  /** The booking's ID or the card's number; null: it names none. */
  readonly subject: string | null
  readonly locationId: string | null
}

/**
 * Reads the body of a delivery; null when it is no JSON object. Bytes that are no UTF-8 inside a string are no reason to refuse
 * it. Source: the payload is assumed, see `eventBody`.
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
