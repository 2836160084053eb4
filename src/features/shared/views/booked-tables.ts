import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import { joined, textAt } from './wording.ts'

/** Formats a booking's tables by section, such as `12, 14 (Terrace); 3 (Bar)`. */
export function tablesCell({ tables }: JsonObject): string {
  return bySection(tables, 'tableName', 'sectionName')
}

/** Formats the IDs of a booking's tables and sections in the form that commands accept. */
export function tableIdsCell({ tables }: JsonObject): string {
  return bySection(tables, 'tableId', 'sectionId')
}

export function tableNamesCell({ tables }: JsonObject): string {
  if (!Array.isArray(tables)) return plainText(tables)
  const names = objectsOf(tables, 'tableName').map((table) => textAt(table, 'tableName') || textAt(table, 'tableId'))
  return joined(names, ', ')
}

export function sectionNamesCell({ tables }: JsonObject): string {
  if (!Array.isArray(tables)) return ''
  const names = objectsOf(tables, 'tableName').map(
    (table) => textAt(table, 'sectionName') || textAt(table, 'sectionId'),
  )
  return joined([...new Set(names)], ', ')
}

/** Returns the tables as objects. A plain-text table becomes an object with the text in `member`. */
function objectsOf(tables: readonly JsonValue[], member: string): JsonObject[] {
  return tables.map((table) => (isJsonObject(table) ? table : { [member]: table }))
}

function bySection(tables: JsonValue | undefined, member: string, section: string): string {
  if (!Array.isArray(tables)) return plainText(tables)
  const groups = Map.groupBy(objectsOf(tables, member), (table) => textAt(table, section))
  const texts = [...groups].map(([key, all]) => {
    const names = all.map((table) => textAt(table, member) || textAt(table, 'tableId')).filter((name) => name !== '')
    return names.length === 0 ? '' : names.join(', ') + (key === '' ? '' : ` (${key})`)
  })
  return joined(texts, '; ')
}
