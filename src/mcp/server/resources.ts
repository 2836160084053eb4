import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GUIDES, guideCommand, isGuide } from '../../base/failure/guides.ts'
import { parseJson } from '../../base/json/parse.ts'
import type { Table } from '../../terminal/completion/table.ts'

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

export interface Resources {
  list(): readonly Resource[]
  /** Returns the text of a resource, or `null` if it does not exist. */
  read(uri: string): string | null
}

const BEFORE_NAME = 'partner://guide/'

export const GUIDE_TYPE = 'text/plain'

/** Returns the guides of `partner help guides` as resources. `dist` is the build's output directory. */
export function guideResources(dist: string): Resources {
  return {
    list() {
      const { allGuides } = parseJson(readFileSync(join(dist, 'completion', 'table.json'), 'utf8')) as Table
      const titles = new Map(allGuides)
      return GUIDES.map((name) => ({
        uri: `${BEFORE_NAME}${name}`,
        name,
        title: titles.get(name) ?? name,
        description: `The page that "${guideCommand(name)}" prints.`,
        mimeType: GUIDE_TYPE,
      }))
    },
    read(uri) {
      const name = uri.startsWith(BEFORE_NAME) ? uri.slice(BEFORE_NAME.length) : ''
      return isGuide(name) ? readFileSync(join(dist, 'help', 'guides', `${name}.txt`), 'utf8') : null
    },
  }
}
