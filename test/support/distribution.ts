import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestCommands as readCommands } from '../../scripts/build/manifest.ts'
import { freshDirectory, PARTNER } from './partner.ts'

export type { ManifestCommand, ManifestFlag } from '../../scripts/build/manifest.ts'

/** The directory of the checkout or installed package that contains the tool under test. */
const HOME = join(PARTNER, '..', '..')
export const DIST = join(HOME, 'dist')

/** Copies the shipped files of the package into a fresh directory, for tests that damage or move them. */
export function freshInstallation(): string {
  const place = freshDirectory()
  for (const part of ['bin', 'dist']) cpSync(join(HOME, part), join(place, part), { recursive: true })
  return place
}

/** Returns the commands of the generated manifest with their words, in alphabetical order. */
export const manifestCommands = () => readCommands(HOME)

/**
 * Returns every built help page, with the words that `partner help` needs to print it. The front page needs no words.
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
