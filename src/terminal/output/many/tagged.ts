import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { WireRecord } from '../../../base/json/list/wire-record.ts'
import { jsonLine } from '../../render/formats/json-text.ts'

export const PROFILE_MEMBER = '_profile'

const QUOTED = Buffer.from(`"${PROFILE_MEMBER}"`)
const [OPEN, CLOSE, LINE_END, SPACE] = Buffer.from('{}\n ')
const FILE = { columns: null, color: false }

/**
 * Formats each record as a line of JSON with the profile as its first member. A record that is not an object becomes
 * the `value` member.
 */
export function taggedLines(profile: string, records: readonly WireRecord[]): Buffer {
  const tag = Buffer.from(`{"${PROFILE_MEMBER}":${JSON.stringify(profile)}`)
  return Buffer.concat(records.flatMap((record) => taggedLine(profile, tag, record)))
}

function taggedLine(profile: string, tag: Buffer, record: WireRecord): Buffer[] {
  const bytes = oneLine(record)
  if (bytes[0] !== OPEN) return [tag, Buffer.from(',"value":'), bytes, Buffer.from('}\n')]
  if (bytes.includes(QUOTED) && isJsonObject(record.value) && Object.hasOwn(record.value, PROFILE_MEMBER)) {
    const { [PROFILE_MEMBER]: _, ...rest } = record.value as JsonObject
    return [Buffer.from(`${JSON.stringify({ [PROFILE_MEMBER]: profile, ...rest })}\n`)]
  }
  const rest = bytes.subarray(1)
  return [tag, Buffer.from(isEmpty(rest) ? '' : ','), rest, Buffer.from('\n')]
}

function oneLine(record: WireRecord): Buffer {
  const { place } = record
  if (place?.isOneLine && place.bytes[place.from] === OPEN) return place.bytes.subarray(place.from, place.to)
  return Buffer.from(jsonLine(record, null, FILE))
}

function isEmpty(rest: Buffer): boolean {
  let at = 0
  while (rest[at] === SPACE || rest[at] === 9) at++
  return rest[at] === CLOSE
}

/** Splits lines of JSON into records without parsing the JSON. */
export function recordsIn(lines: Buffer): WireRecord[] {
  const records: WireRecord[] = []
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf(LINE_END as number, from)
    const to = end < 0 ? lines.length : end
    records.push(WireRecord.at({ bytes: lines, from, to, isPlain: false, isOneLine: true }))
    from = to + 1
  }
  return records
}
