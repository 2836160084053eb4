import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from '../../../src/mcp/tools/tool.ts'
import { DIST } from '../../support/distribution.ts'

/** All tools in the built `tools.json`. */
export const TOOLS = JSON.parse(readFileSync(join(DIST, 'tools.json'), 'utf8')) as readonly Tool[]

export function toolNamed(name: string): Tool {
  const tool = TOOLS.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`no tool is called ${name}`)
  return tool
}

/** Splits a list of names on whitespace. */
export const names = (list: string): string[] => list.split(/\s+/)
