import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestCommands as readCommands } from '../../scripts/build/manifest.ts'
import { freshDirectory, PARTNER } from './partner.ts'

export type { ManifestCommand, ManifestFlag } from '../../scripts/build/manifest.ts'

/** The root of the checkout or installed package that is tested. */
const HOME = join(PARTNER, '..', '..')
export const DIST = join(HOME, 'dist')

/** Copies the files that the package ships into a fresh directory, for tests that damage or move them. */
export function freshInstallation(): string {
  const place = freshDirectory()
  for (const part of ['bin', 'dist']) cpSync(join(HOME, part), join(place, part), { recursive: true })
  return place
}

/** Returns the commands in the generated manifest in alphabetical order, each with its words. */
export const manifestCommands = () => readCommands(HOME)

/**
 * Returns every help page in the build. `words` contains the page's arguments for `partner help`, and is empty for the
 * main page.
 */
export function helpPages(): readonly { readonly words: string; readonly text: string }[] {
  const pagesIn = (kind: string) =>
    readdirSync(join(DIST, 'help', kind))
      .sort()
      .map((file) => ({
        words: file.replace(/\.txt$/, '').replaceAll('.', ' '),
        text: readFileSync(join(DIST, 'help', kind, file), 'utf8'),
      }))
  const overview = (words: string, file = words) => ({
    words,
    text: readFileSync(join(DIST, 'help', `${file}.txt`), 'utf8'),
  })
  return [overview('', 'partner'), overview('flags'), overview('topics'), ...pagesIn('topics'), ...pagesIn('commands')]
}
