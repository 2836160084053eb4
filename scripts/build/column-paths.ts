/** A JSON Schema, as far as paths need it. */
interface Shape {
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
  const [first, ...others] = Object.values(properties)
  const rows = others.length === 0 ? first?.items : undefined
  return [
    ...(items === undefined ? [schema] : recordsOf(items)),
    ...anyOf.flatMap(recordsOf),
    ...(rows?.properties === undefined ? [] : [rows]),
  ]
}

function pathsIn({ properties = {}, anyOf = [] }: Shape, depth: number): readonly string[] {
  const own = Object.entries(properties).flatMap(([name, member]) => [
    name,
    ...(depth === 1 ? [] : pathsIn(member, depth - 1).map((inner) => `${name}.${inner}`)),
  ])
  return [...own, ...anyOf.flatMap((one) => pathsIn(one, depth))]
}
