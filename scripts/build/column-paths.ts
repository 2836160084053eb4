/** A JSON Schema, as far as paths need it. */
export interface Shape {
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

/** Members of members of members are as deep as anybody names in a column. */
const DEPTH = 3

/** The paths that `--columns` can name in the records of a command, from the JSON Schema of its output. */
export function columnPaths(schema: Shape): readonly string[] {
  return [...new Set(recordsOf(schema).flatMap((record) => pathsIn(record, DEPTH)))]
}

/** The shapes of the records that a command prints: those of its lists, and those of an object that is only a list with a name. */
function recordsOf(schema: Shape): readonly Shape[] {
  const { anyOf = [], items, properties = {} } = schema
  const members = Object.values(properties)
  return [
    ...(items === undefined ? [schema] : recordsOf(items)),
    ...anyOf.flatMap(recordsOf),
    ...(members.length === 1 ? rowsIn(members) : []),
  ]
}

/** The shapes of the records in those members that are lists. */
function rowsIn(members: readonly Shape[]): readonly Shape[] {
  return members.flatMap(({ items }) => (items?.properties === undefined ? [] : [items]))
}

/** Whether all records have one known shape: no flag or format makes it print others. */
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
