import { type JsonValue, parseExact } from '../../../../base/json/exact.ts'
import { RecordSplitter } from '../../../../base/json/list/record-splitter.ts'
import type { WireRecord } from '../../../../base/json/list/wire-record.ts'
import { LIST_MEMBERS } from '../../../../contract/shapes/pages.ts'
import type { Door } from './door.ts'
import { dropped } from './forms.ts'

/** A body on its way into a bundle. */
export interface CleanBody {
  readonly text: string
  /** What was done to it beyond that, in words; null: nothing. */
  readonly remark: string | null
}

/** A body through the door: JSON value by value; of a list that breaks off its whole records. Any other text is dropped. */
export function cleanBody(text: string, door: Door): CleanBody {
  if (text.trim() === '') return { text, remark: null }
  try {
    return { text: JSON.stringify(door.json(parseExact(text))), remark: null }
  } catch {
    const records = wholeRecords(text)
    if (records.length === 0) return { text: dropped(text, ', no JSON'), remark: null }
    return {
      text: JSON.stringify(records.map((record) => door.json(record))),
      remark: `the list breaks off: its first ${records.length} records, without what stood around them`,
    }
  }
}

function wholeRecords(text: string): JsonValue[] {
  const [listMember = null, ...otherMembers] = LIST_MEMBERS
  const batch: WireRecord[] = []
  new RecordSplitter({ listMember, otherMembers }).push(Buffer.from(text), batch)
  try {
    return batch.map(({ value }) => value)
  } catch {
    return []
  }
}
