import { flag } from '../../terminal/input/flags.ts'
import { readGivenText } from './given-text.ts'
import { TableMap } from './table-map.ts'

/** On commands that submit sales. */
export const TABLE_MAP_FLAG = {
  'table-map': flag('FILE', 'What the service calls the tables of the till (CSV pos,service; see help table-names).'),
} as const

/** Reads the map that `--table-map` names; null for none. Fails: USAGE, with the damaged line. */
export async function readTableMap(given: string | undefined): Promise<TableMap | null> {
  if (given === undefined) return null
  const what = 'a map of tables, such as tables check --map-out writes'
  const { text, name } = await readGivenText(given, { what, flag: '--table-map' })
  return TableMap.parse(text, name)
}
