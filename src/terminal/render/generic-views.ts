import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { amountText, isAmountPath, isIdPath } from './text/amount.ts'
import type { CardView, Column, ListView } from './view.ts'

/**
 * Returns a view for records of unknown structure, with a column for each member. `isAmount` decides which members are
 * amounts.
 */
export function genericListView(records: readonly JsonValue[], isAmount = isAmountPath): ListView {
  const objects = records.filter(isJsonObject)
  const found = objects.length === 0 ? ['value'] : [...new Set(objects.flatMap(pathsOf))]
  // If a member is an object in one record and `null` in another, show only the object's columns.
  const paths = found.filter((path) => !found.some((other) => other.startsWith(`${path}.`)))
  return {
    columns: paths.map((path, index): Column => {
      const column = { path, header: path, rank: index + 1 }
      if (isAmount(path)) return { ...column, align: 'right', cell: (record) => amountText(valueAt(record, path)) }
      return isIdPath(path) ? column : { ...column, flex: 8 }
    }),
    csvPaths: paths,
    empty: 'Nothing found.',
    one: 'record',
    many: 'records',
  }
}

export const genericCardView: CardView = { title: () => [], sections: [] }

function pathsOf(object: JsonObject): string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    isJsonObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  )
}
