import { type JsonValue, parseExact } from '../../../../base/json/exact.ts'
import { RecordSplitter } from '../../../../base/json/list/record-splitter.ts'
import type { WireRecord } from '../../../../base/json/list/wire-record.ts'
import { LIST_MEMBERS } from '../../../../contract/shapes/pages.ts'
import type { Door } from './door.ts'
import { dropped } from './forms.ts'

export interface CleanBody {
  readonly text: string
  /** What else was done to it, in words, or null. */
  readonly remark: string | null
}

/** Cleans JSON value by value, and the complete records of a truncated list. Drops any other text. */
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
