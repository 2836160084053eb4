import { isJsonObject, type JsonObject, type JsonValue } from '../json/exact.ts'
import type { CardView, Column, ListView } from '../render/view.ts'

/** How a list is shown of which only its records are known: a column a member, in the order in which members first come. */
export function foundList(records: readonly JsonValue[]): ListView {
  const objects = records.filter(isJsonObject)
  const found = objects.length === 0 ? ['value'] : [...new Set(objects.flatMap(pathsOf))]
  // A member that is an object in one record and null in another has the columns of the object.
  const paths = found.filter((path) => !found.some((other) => other.startsWith(`${path}.`)))
  return {
    columns: paths.map((path, index): Column => ({ path, header: path, flex: 8, rank: index + 1 })),
    csvPaths: paths,
    empty: 'Nothing was found.',
    one: 'record',
    many: 'records',
  }
}

/** One object of which nothing is known beforehand: all of its members. */
export const foundCard: CardView = { title: () => [], sections: [] }

/** The members of an object; those of an object inside it by their dotted paths. */
function pathsOf(object: JsonObject): string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    isJsonObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  )
}
