import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GUIDES } from '../../src/base/failure/guides.ts'
import { STANDARD_STATUSES } from '../../src/contract/bookings/statuses.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { WEBHOOK_EVENTS } from '../../src/contract/events.ts'
import { SHELLS } from '../../src/terminal/completion/shells/scripts.ts'
import type { Kind, Named, Table, TableCommand, TableFlag } from '../../src/terminal/completion/table.ts'
import { ALIASES } from '../../src/terminal/input/words/aliases.ts'
import { columnPaths, hasOneKindOfRecord, type Shape } from './column-paths.ts'
import { titleOf } from './guide-text.ts'
import { outputOf } from './surface/outputs.ts'
import type { SurfaceCommand } from './surface/surface.ts'

// Builds the table for shell completion from the oclif manifest and the contract.

interface ManifestFlag {
  readonly name: string
  readonly char?: string
  readonly type: 'boolean' | 'option'
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly summary?: string
  readonly multiple?: boolean
  readonly options?: readonly string[]
}

interface ManifestArgument {
  readonly name: string
  readonly description?: string
  readonly options?: readonly string[]
}

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      {
        readonly hidden?: boolean
        readonly strict?: boolean
        readonly summary?: string
        readonly args: Readonly<Record<string, ManifestArgument>>
        readonly flags: Readonly<Record<string, ManifestFlag>>
      }
    >
  >
}

/**
 * Maps the placeholder of a flag's value on help pages, such as `DATE`, to what completion suggests for it. Completion
 * suggests nothing for any other placeholder.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  TIME: 'times',
  DATE: 'days',
  DAY: 'days',
  DUR: 'durations',
  '[DUR]': 'durations',
  FILE: 'files',
  DIR: 'files',
  'DIR|:memory:': 'files',
  TARGET: 'files',
  REF: 'references',
  ZONE: 'zones',
  EVENT: choices(WEBHOOK_EVENTS),
  'JSON|@file|-': 'data',
  'TEXT|@file|-': 'data',
  '"METHOD PATH"': choices(['*', ...Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`)]),
  SPEED: choices(['1x', '2x', 'max']),
  STATE: choices(['waiting', 'leased', 'done', 'dead']),
}

/** Flags whose suggestions depend on the flag's name rather than on the placeholder of its value. */
const NAMED_KINDS: Readonly<Record<string, Kind>> = {
  profile: 'profiles',
  profiles: 'many-profiles',
  tag: 'tags',
  untag: 'tags',
  time: 'moments',
  'time-utc': 'moments',
  status: 'statuses',
}

/** The HTTP statuses that completion suggests for `sandbox faults add --status`. */
const HTTP_STATUSES = choices(['400', '401', '403', '404', '409', '422', '429', '500', '502', '503', '504'])

/** Maps an argument's name to what completion suggests for it. */
const ARGUMENTS: Readonly<Record<string, Kind>> = {
  card: 'cards',
  code: 'statuses',
  duration: 'durations',
  event: choices(WEBHOOK_EVENTS),
  file: 'files',
  journal: 'files',
  shell: choices(SHELLS),
  method: choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  time: 'times',
}

/** Returns the completion table as JSON. */
export function completionTable(root: string, surface: readonly SurfaceCommand[]): string {
  const { commands } = readJson(join(root, '.oclif.manifest.json')) as Manifest
  const { oclif } = readJson(join(root, 'package.json')) as {
    readonly oclif: { readonly topics: Readonly<Record<string, { readonly description: string }>> }
  }
  const places = new Map<string, number>()
  const placeOf = (flag: TableFlag): number => {
    const text = JSON.stringify(flag)
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  }
  const tableCommands: Record<string, TableCommand> = {}
  for (const [key, command] of Object.entries(commands)) {
    if (command.hidden) continue
    const id = key.replaceAll(':', ' ')
    const args = Object.values(command.args).map((one) => argumentKind(id, one))
    const shape: Shape = surface.find((one) => one.id === id)?.outputSchema ?? {}
    const columns = columnPaths(shape)
    const { isOwn = false, isAssumed = true } = outputOf(id) ?? {}
    tableCommands[id] = {
      about: sentence(command.summary),
      flags: Object.values(command.flags).map((flag) => placeOf(tableFlag(id, flag, columns))),
      args,
      ...(isOwn && !isAssumed && hasOneKindOfRecord(shape) ? { hasFixedColumns: true } : {}),
      ...(command.strict === false && args.length > 0 ? { repeats: true } : {}),
    }
  }
  for (const [alias, id] of Object.entries(ALIASES)) {
    const command = tableCommands[id]
    if (command) tableCommands[alias] = { ...command, isAlias: true }
  }
  const allGuides = GUIDES.map((name): Named => [name, titleOf(readFileSync(join(root, 'docs', `${name}.md`), 'utf8'))])
  const table: Table = {
    statuses: STANDARD_STATUSES.map(({ code, name }) => [code, name]),
    topics: Object.fromEntries(
      Object.entries(oclif.topics).map(([name, { description }]) => [name, sentence(description)]),
    ),
    commands: tableCommands,
    flags: [...places.keys()].map((text) => JSON.parse(text) as TableFlag),
    guides: [
      ['topics', 'All topics and commands'],
      ['flags', 'The global flags'],
      ['guides', 'All guides'],
      ['guide', 'A guide by its name'],
      ...allGuides.filter(([name]) => !Object.hasOwn(oclif.topics, name) && !Object.hasOwn(tableCommands, name)),
    ],
    allGuides,
  }
  return JSON.stringify(table)
}

function tableFlag(id: string, flag: ManifestFlag, columns: readonly string[]): TableFlag {
  const { name, char, type, helpValue = '', multiple, helpGroup } = flag
  return {
    name,
    ...(char ? { char } : {}),
    about: sentence(flag.summary),
    ...(type === 'option' ? { value: flagKind(id, flag, columns) } : {}),
    ...(helpValue.startsWith('[') ? { isBare: true } : {}),
    ...(multiple ? { repeats: true } : {}),
    ...(helpGroup === 'GLOBAL' ? { isGlobal: true } : {}),
  }
}

function flagKind(id: string, { name, options, helpValue = '' }: ManifestFlag, columns: readonly string[]): Kind {
  if (options) return choices(options)
  if (name === 'columns') return columns.length === 0 ? '' : `,${columns.join('|')}`
  if (id === 'sandbox faults add' && name === 'status') return HTTP_STATUSES
  if (Object.hasOwn(NAMED_KINDS, name)) return NAMED_KINDS[name] ?? ''
  if (Object.hasOwn(KINDS, helpValue)) return KINDS[helpValue] ?? ''
  return /^[\w-]+(?:\|[\w-]+)+$/.test(helpValue) && !/\b(?:ID|NAME)\b/.test(helpValue) ? `=${helpValue}` : ''
}

function argumentKind(id: string, { name, options }: ManifestArgument): Kind {
  if (options) return choices(options)
  if (id.startsWith('profiles ') && name === 'name')
    return id === 'profiles add' ? '' : /^profiles (?:set|remove)$/.test(id) ? 'own-profiles' : 'profiles'
  return Object.hasOwn(ARGUMENTS, name) ? (ARGUMENTS[name] ?? '') : ''
}

function choices(words: readonly string[]): Kind {
  return `=${words.join('|')}`
}

/** The maximum length of a description, so that it fits on one line when a shell lists completions. */
function sentence(text = ''): string {
  return text.replace(/\.$/, '')
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
