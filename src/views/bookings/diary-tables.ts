import type { JsonObject, JsonValue } from '../../json/exact.ts'
import type { ListView } from '../../render/view.ts'
import { joined, textAt } from '../wording.ts'
import { objectsIn } from './schedule-times.ts'

/**
 * The tables of the diary, flattened: a row is a table, with its section and layout.
 * @param answer the answer of `GET /Bookings/tables`; anything else in it is passed over.
 */
export function diaryTableRows(answer: JsonValue): JsonObject[] {
  return objectsIn(answer).flatMap((section) => {
    const { tables, ...of } = section
    return objectsIn(tables).map((table) => ({ ...of, ...table }))
  })
}

/** A row of {@link diaryTableRows} a line: where it is and whom it seats, then the ID that a booking is made with. Assumed. */
export const diaryTableList: ListView = {
  columns: [
    { path: 'sectionName', header: 'SECTION', flex: 10, rank: 2 },
    { path: 'name', header: 'TABLE', rank: 1 },
    { path: 'capacity', header: 'SEATS', align: 'right', cell: seats, rank: 3 },
    { path: 'online', header: 'FOR', cell: uses, flex: 10, rank: 5, optional: true },
    { path: 'layoutName', header: 'LAYOUT', flex: 8, rank: 6, optional: true },
    { path: '_id', header: 'TABLE ID', rank: 4 },
  ],
  csvPaths: [
    '_id',
    'name',
    'sectionId',
    'sectionName',
    'capacity',
    'minCapacity',
    'shared',
    'online',
    'walkinOnly',
    'layoutId',
    'layoutName',
  ],
  empty: 'No table is free then.',
  one: 'table',
  many: 'tables',
}

function seats(table: JsonObject): string {
  const most = textAt(table, 'capacity')
  const least = textAt(table, 'minCapacity')
  return least === '' || least === most ? most : joined([least, most], '-')
}

function uses(table: JsonObject): string {
  return joined(
    [
      table['walkinOnly'] === true ? 'walk-ins only' : table['online'] === false ? 'not online' : '',
      table['shared'] === true ? 'shared' : '',
    ],
    ', ',
  )
}
