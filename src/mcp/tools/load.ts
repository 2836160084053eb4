import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usageFailure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { parseJson } from '../../base/json/parse.ts'
import type { Tool } from './tool.ts'

/** The values of `--allow`. Each one includes those before it. */
const ALLOWANCES: readonly string[] = ['reads', 'bookings', 'money']

/** The options of `partner mcp` that determine its tools. */
export interface ToolChoice {
  /** The value of `--allow`. The default is `reads`. */
  readonly allow?: string | undefined
  /** The value of `--tools`: names separated by commas. The default is all allowed tools. */
  readonly tools?: string | undefined
  readonly hasCopy: boolean
  readonly hasJournal: boolean
}

/** Loads `tools.json` and returns the tools that the options select, sorted by name. Throws USAGE. */
export function loadTools(
  dist: string,
  { allow = 'reads', tools: names, hasCopy, hasJournal }: ToolChoice,
): readonly Tool[] {
  const highest = ALLOWANCES.indexOf(allow)
  const problems = highest < 0 ? [`--allow must be reads, bookings or money, not ${JSON.stringify(allow)}`] : []
  const all = parseJson(readFileSync(join(dist, 'tools.json'), 'utf8')) as readonly Tool[]
  const has = { copy: hasCopy, journal: hasJournal }
  const missing = (tool: Tool): readonly string[] => [
    ...(highest >= 0 && ALLOWANCES.indexOf(tool.allow) > highest ? [`--allow ${tool.allow}`] : []),
    ...tool.needs.flatMap((option) => (has[option] ? [] : [option === 'copy' ? '--copy TARGET' : '--journal FILE'])),
  ]
  const wanted = names?.split(',').map((name) => name.trim())
  for (const name of new Set(wanted)) {
    const tool = all.find((each) => each.name === name)
    const needed = tool === undefined ? [] : missing(tool)
    if (tool === undefined) problems.push(`--tools: ${unknownTool(name, all)}`)
    else if (needed.length > 0) problems.push(`--tools: ${name} needs ${needed.join(' and ')}`)
  }
  if (problems.length > 0) throw usageFailure(problems)
  return all.filter((tool) => (wanted?.includes(tool.name) ?? true) && missing(tool).length === 0)
}

function unknownTool(name: string, all: readonly Tool[]): string {
  if (name === '') return 'a name is empty'
  const near = findNearest(
    name,
    all.map((tool) => tool.name),
  )
  return `no tool is called ${JSON.stringify(name)}${near === null ? '' : `; did you mean ${near}?`}`
}
