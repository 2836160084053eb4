import { isJsonObject, type JsonObject, type JsonValue } from '../json/exact.ts'
import { plainText } from '../render/plain-text.ts'
import { joined, textAt } from './wording.ts'

/** The tables of a booking by section: `12, 14 (Terrace); 3 (Bar)`. */
export function tablesText(tables: JsonValue | undefined): string {
  return bySection(tables, 'tableName', 'tableId', 'sectionName')
}

/** The ids of the tables of a booking with those of their sections, as commands take them. */
export function tableIdsText(tables: JsonValue | undefined): string {
  return bySection(tables, 'tableId', 'tableId', 'sectionId')
}

function bySection(tables: JsonValue | undefined, member: string, otherwise: string, section: string): string {
  if (!Array.isArray(tables)) return plainText(tables)
  const groups = new Map<string, string[]>()
  for (const table of tables as readonly JsonValue[]) {
    const object: JsonObject = isJsonObject(table) ? table : { [member]: table }
    const name = textAt(object, member) || textAt(object, otherwise)
    const key = textAt(object, section)
    if (name !== '') groups.set(key, [...(groups.get(key) ?? []), name])
  }
  const texts = [...groups].map(([key, names]) => names.join(', ') + (key === '' ? '' : ` (${key})`))
  return joined(texts, '; ')
}
