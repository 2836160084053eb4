import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestCommands as readCommands } from '../../scripts/build/manifest.ts'
import { freshDirectory, PARTNER } from './partner.ts'

export type { ManifestCommand, ManifestFlag } from '../../scripts/build/manifest.ts'

/** The checkout, or the installed package, whose tool the tests run. */
const HOME = join(PARTNER, '..', '..')
export const DIST = join(HOME, 'dist')

/** Copies what the package ships into a fresh directory, for a test that damages or moves it. */
export function freshInstallation(): string {
  const place = freshDirectory()
  for (const part of ['bin', 'dist']) cpSync(join(HOME, part), join(place, part), { recursive: true })
  return place
}

/** The commands as the generated manifest has them, by their words, in the order of the alphabet. */
export const manifestCommands = () => readCommands(HOME)

/** Every built help page, with the words that `partner help` needs to print it. The front page has none. */
export function helpPages(): readonly { readonly words: string; readonly text: string }[] {
  const pagesIn = (kind: string) =>
    readdirSync(join(DIST, 'help', kind))
      .sort()
      .map((file) => ({
        words: file.replace(/\.txt$/, '').replaceAll('.', ' '),
        text: readFileSync(join(DIST, 'help', kind, file), 'utf8'),
      }))
  const overview = (words: string, file = words) => ({ words, text: readFileSync(join(DIST, 'help', `${file}.txt`), 'utf8') })
  return [overview('', 'partner'), overview('flags'), overview('topics'), ...pagesIn('topics'), ...pagesIn('commands')]
}
