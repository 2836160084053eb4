import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildGridStyle } from './grid-style.ts'

/** The folder that contains the browser's files. The build copies them unchanged to `dist/assets`. */
const FOLDER = join(import.meta.dirname, 'assets')

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const

export const ASSETS = [
  ...(['page.css', 'diary.css', 'icon.svg'] as const),
  ...(['start.js', 'show.js', 'live.js', 'links.js', 'forms.js', 'details.js', 'clock.js'] as const),
]

/** Reads a file for the browser. Returns `null` if no such file exists. Throws system errors if it cannot be read. */
export function readAsset(name: string): { readonly type: string; readonly text: string } | null {
  if (name === 'places.css') return { type: TYPES.css, text: buildGridStyle() }
  const known = ASSETS.find((one) => one === name)
  if (known === undefined) return null
  const type = TYPES[known.slice(known.lastIndexOf('.') + 1) as keyof typeof TYPES]
  return { type, text: readFileSync(join(FOLDER, known), 'utf8') }
}
