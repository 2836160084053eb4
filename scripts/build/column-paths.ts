/** The parts of a JSON Schema that are needed to list column paths. */
export interface Shape {
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

/** The maximum number of names in a column's path. */
const DEPTH = 3

/** Returns the paths that a command's `--columns` flag accepts, from the JSON Schema of the command's output. */
export function columnPaths(schema: Shape): readonly string[] {
  return [...new Set(recordsOf(schema).flatMap((record) => pathsIn(record, DEPTH)))]
}

/**
 * Returns the schemas of the records that a command prints. The records are in a list, or in an object whose only
 * member is a list.
 */
function recordsOf(schema: Shape): readonly Shape[] {
  const { anyOf = [], items, properties = {} } = schema
  const members = Object.values(properties)
  return [
    ...(items === undefined ? [schema] : recordsOf(items)),
    ...anyOf.flatMap(recordsOf),
    ...(members.length === 1 ? rowsIn(members) : []),
  ]
}

/** Returns the record schema of each member that is a list. */
function rowsIn(members: readonly Shape[]): readonly Shape[] {
  return members.flatMap(({ items }) => (items?.properties === undefined ? [] : [items]))
}

/** Whether all of a command's records have the same known schema, regardless of flags and output format. */
export function hasOneKindOfRecord({ anyOf, items, properties }: Shape): boolean {
  if (anyOf !== undefined) return false
  if (items !== undefined) return hasOneKindOfRecord(items)
  if (properties === undefined) return false
  const members = Object.values(properties)
  return members.length === 1 || rowsIn(members).length === 0
}

function pathsIn({ properties = {}, anyOf = [] }: Shape, depth: number): readonly string[] {
  const own = Object.entries(properties).flatMap(([name, member]) => [
    name,
    ...(depth === 1 ? [] : pathsIn(member, depth - 1).map((inner) => `${name}.${inner}`)),
  ])
  return [...own, ...anyOf.flatMap((one) => pathsIn(one, depth))]
}
