import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import { usageFailure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { parseJson } from '../../base/json/parse.ts'
import type { Table } from '../completion/table.ts'
import { type CommonFlags, parseColumns } from './command-line.ts'

/** Checks `--columns` if the columns of the command's records are known. Throws USAGE for an unknown name. */
export function checkColumns(id: string, dist: string, flags: CommonFlags): void {
  // With a query, a dry run or several profiles, the columns are not those of the command's records.
  if (flags.query !== undefined || flags['dry-run'] || flags.profiles !== undefined) return
  const known = fixedColumns(id, dist)
  const wrong = known === null ? [] : (parseColumns(flags.columns) ?? []).filter((path) => !isKnown(path, known))
  if (known === null || wrong.length === 0) return
  const near = new Set(wrong.flatMap((path) => findNearest(path, known) ?? []))
  const meant = near.size === 0 ? '' : `did you mean ${[...near].join(', ')}? `
  throw usageFailure(
    wrong.map((path) => `--columns: partner ${id} has no column ${JSON.stringify(path)}`),
    `${meant}the columns are ${known.filter((path) => !path.includes('.')).join(', ')}`,
  )
}

/** Returns the paths of a command's columns, or `null` if its columns are not fixed. */
function fixedColumns(id: string, dist: string): readonly string[] | null {
  // Do not check column names if the build does not contain the completion table.
  const read = () => parseJson(readFileSync(join(dist, 'completion', 'table.json'), 'utf8')) as Table
  const { commands, flags } = attempt(read, { commands: {}, flags: [] } as Pick<Table, 'commands' | 'flags'>)
  const command = Object.hasOwn(commands, id) ? commands[id] : undefined
  if (!command?.hasFixedColumns) return null
  const value = command.flags.map((place) => flags[place]).find((flag) => flag?.name === 'columns')?.value
  return value?.startsWith(',') ? value.slice(1).split('|') : null
}

/**
 * Returns whether a path is a known column or a member of one. If a column's members are not listed, any path below
 * it is accepted.
 */
function isKnown(path: string, known: readonly string[]): boolean {
  if (known.includes(path)) return true
  const end = path.lastIndexOf('.')
  if (end < 0) return false
  const outer = path.slice(0, end)
  if (!known.includes(outer)) return isKnown(outer, known)
  return !known.some((other) => other.startsWith(`${outer}.`))
}
