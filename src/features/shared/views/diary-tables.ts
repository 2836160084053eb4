import { type JsonObject, type JsonValue, jsonObjects } from '../../../base/json/exact.ts'
import { listOf } from './list.ts'
import { pathsIn } from './paths.ts'
import { joined, textAt } from './wording.ts'

/** Returns a row for each free table in a response to `GET /Bookings/tables`, with the table's section and layout. */
export function diaryTableRows(answer: JsonValue): JsonObject[] {
  return jsonObjects(answer).flatMap((section) => {
    const { tables, ...of } = section
    return jsonObjects(tables).map((table) => ({ ...of, ...table }))
  })
}

/**
 * The list view for {@link diaryTableRows}. The members of the records are assumed, because they are not documented.
 */
export const diaryTableList = listOf('table', 'tables', 'No table is free at that time.', {
  columns: [
    { path: 'sectionName', header: 'SECTION', flex: 10, rank: 2 },
    { path: 'name', header: 'TABLE', rank: 1 },
    { path: 'capacity', header: 'SEATS', align: 'right', cell: seats, rank: 3 },
    { path: 'online', header: 'FOR', cell: uses, flex: 10, rank: 5, optional: true },
    { path: 'layoutName', header: 'LAYOUT', flex: 8, rank: 6, optional: true },
    { path: '_id', header: 'TABLE ID', rank: 4 },
  ],
  csvPaths: pathsIn('_id name sectionId sectionName capacity minCapacity shared online walkinOnly layoutId layoutName'),
})

function seats(table: JsonObject): string {
  const most = textAt(table, 'capacity')
  const least = textAt(table, 'minCapacity')
  return least === '' || least === most ? most : joined([least, most], '-')
}

function uses(table: JsonObject): string {
  const who = table['walkinOnly'] === true ? 'walk-ins only' : table['online'] === false ? 'not online' : ''
  return joined([who, table['shared'] === true ? 'shared' : ''], ', ')
}
