import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PARTNER } from './partner.ts'

/** The checkout, or the installed package, whose tool the tests run. */
const HOME = join(PARTNER, '..', '..')
export const DIST = join(HOME, 'dist')

export interface ManifestFlag {
  readonly name: string
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly env?: string
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly summary?: string
  readonly multiple?: boolean
  readonly required?: boolean
  readonly options?: readonly string[]
}

export interface ManifestCommand {
  readonly id: string
  readonly summary?: string
  readonly examples?: readonly string[]
  readonly hidden?: boolean
  readonly args: Readonly<Record<string, { readonly name: string; readonly required?: boolean }>>
  readonly flags: Readonly<Record<string, ManifestFlag>>
}

/** The commands as the generated manifest has them, by their words, in the order of the alphabet. */
export function manifestCommands(): readonly (ManifestCommand & { readonly words: string })[] {
  const text = readFileSync(join(HOME, '.oclif.manifest.json'), 'utf8')
  const { commands } = JSON.parse(text) as { commands: Readonly<Record<string, ManifestCommand>> }
  return Object.values(commands)
    .map((command) => ({ ...command, words: command.id.replaceAll(':', ' ') }))
    .sort((a, b) => (a.words < b.words ? -1 : 1))
}

/** Every help page as it was built, by the words that ask for it: none is the front page, `flags` that of the global flags. */
export function helpPages(): readonly { readonly words: string; readonly text: string }[] {
  const pagesIn = (kind: string) =>
    readdirSync(join(DIST, 'help', kind))
      .sort()
      .map((file) => ({
        words: file.replace(/\.txt$/, '').replaceAll('.', ' '),
        text: readFileSync(join(DIST, 'help', kind, file), 'utf8'),
      }))
  const front = { words: '', text: readFileSync(join(DIST, 'help', 'partner.txt'), 'utf8') }
  const flags = { words: 'flags', text: readFileSync(join(DIST, 'help', 'flags.txt'), 'utf8') }
  return [front, flags, ...pagesIn('topics'), ...pagesIn('commands')]
}
