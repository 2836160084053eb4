import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A flag in oclif's manifest. */
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

/** A command in oclif's manifest. */
export interface ManifestCommand {
  /** The command's words, separated by colons. */
  readonly id: string
  readonly summary?: string
  readonly description?: string
  readonly usage?: string
  readonly examples?: readonly string[]
  readonly hidden?: boolean
  /** The kind of change that the command can make to the service's data. */
  readonly writes?: 'none' | 'booking' | 'money'
  readonly args: Readonly<
    Record<string, { readonly name: string; readonly description?: string; readonly required?: boolean }>
  >
  readonly flags: Readonly<Record<string, ManifestFlag>>
}

/** Returns the commands from the oclif manifest in a folder, sorted by name. */
export function manifestCommands(root: string): readonly (ManifestCommand & { readonly words: string })[] {
  const text = readFileSync(join(root, '.oclif.manifest.json'), 'utf8')
  const { commands } = JSON.parse(text) as { readonly commands: Readonly<Record<string, ManifestCommand>> }
  return Object.values(commands)
    .map((command) => ({ ...command, words: command.id.replaceAll(':', ' ') }))
    .sort((a, b) => (a.words < b.words ? -1 : 1))
}
