import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildGridStyle } from './grid-style.ts'

/** The folder with the browser's files, which the build copies unchanged to `dist/assets`. */
const FOLDER = join(import.meta.dirname, 'assets')

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const

export const ASSETS = [
  ...(['page.css', 'diary.css', 'icon.svg'] as const),
  ...(['start.js', 'show.js', 'live.js', 'links.js', 'forms.js', 'details.js', 'clock.js'] as const),
]

/** Reads one of the page's files. Returns `null` for an unknown name. Throws if the file is not readable. */
export function readAsset(name: string): { readonly type: string; readonly text: string } | null {
  if (name === 'places.css') return { type: TYPES.css, text: buildGridStyle() }
  const known = ASSETS.find((one) => one === name)
  if (known === undefined) return null
  const type = TYPES[known.slice(known.lastIndexOf('.') + 1) as keyof typeof TYPES]
  return { type, text: readFileSync(join(FOLDER, known), 'utf8') }
}
