import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { type ManifestCommand, type ManifestFlag, manifestCommands } from './manifest.ts'

// Makes docs/commands.md from the oclif manifest and the contract; called by the build, or by itself after one.

/** Commands that are not called like the endpoint that they ask. */
const SAME_ENDPOINT: Readonly<Record<string, string>> = {
  'customers get': 'customers.list',
  'profiles check': 'bookings.statuses',
}

/** Writes the reference of all commands. */
export function writeReference(root: string, file: string): void {
  const commands = manifestCommands(root).filter((command) => !command.hidden)
  writeFileSync(file, `${[...intro(commands), ...commands.map(section)].join('\n\n')}\n`)
}

function intro(commands: readonly ManifestCommand[]): string[] {
  const global = new Map<string, ManifestFlag>()
  for (const command of commands)
    for (const flag of Object.values(command.flags))
      if (flag.helpGroup === 'GLOBAL' && !global.has(flag.name)) global.set(flag.name, flag)
  const index = commands.map((command) => `| [${wordsOf(command)}](#${anchorOf(command)}) | ${cell(command.summary)} |`)
  return [
    '# All commands',
    '<!-- Made by scripts/build/reference.ts. Change the commands, not this page. -->',
    `Also on the pages of their own: \`partner TOPIC COMMAND --help\`. Exit codes, output, times and money hold for all of them:
[exit codes](exit-codes.md), [output](output.md), [environment](environment.md), [times](times.md),
[money and units](money-units.md), [partner api](api.md).`,
    ['| Command | |', '|---|---|', ...index].join('\n'),
    '## Flags of all commands',
    'Those about the service are missing where a command calls nothing.',
    flagTable([...global.values()]),
  ]
}

function section(command: ManifestCommand): string {
  const own = Object.values(command.flags).filter((flag) => flag.helpGroup !== 'GLOBAL')
  const args = Object.values(command.args).map((arg) => `| \`${arg.name.toUpperCase()}\` | ${cell(arg.description)} |`)
  const id = SAME_ENDPOINT[wordsOf(command)] ?? wordsOf(command).replace(' ', '.')
  const endpoint = (ENDPOINTS as Readonly<Record<string, Endpoint>>)[id]
  return [
    `## ${wordsOf(command)}`,
    command.summary,
    command.description,
    `\`\`\`sh\npartner ${usageOf(command)}\n\`\`\``,
    endpoint ? requestOf(endpoint) : undefined,
    args.length > 0 ? ['| Argument | |', '|---|---|', ...args].join('\n') : undefined,
    own.length > 0 ? flagTable(own) : undefined,
    examplesOf(command),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')
}

function requestOf(endpoint: Endpoint): string {
  const standing =
    endpoint.standing === 'assumed' ? '; its shape is assumed, as the specification does not show it' : ''
  const signed = endpoint.auth === 'signature' ? ', signed' : ''
  return `Request: \`${endpoint.method} ${endpoint.path}\`${signed}${standing}.`
}

function flagTable(flags: readonly ManifestFlag[]): string {
  const rows = [...flags]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((flag) => `| \`${written(flag)}\` | ${cell(meaningOf(flag))} |`)
  return ['| Flag | |', '|---|---|', ...rows].join('\n')
}

function meaningOf(flag: ManifestFlag): string {
  const env = flag.env === undefined ? '' : ` Or the variable \`${flag.env}\`.`
  return `${flag.summary ?? ''}${flag.required ? ' Required.' : ''}${env}`
}

function written(flag: ManifestFlag): string {
  const value = flag.type === 'boolean' ? '' : ` ${(flag.helpValue ?? 'VALUE').replaceAll('|', '\\|')}`
  return `${flag.char === undefined ? '' : `-${flag.char}, `}--${flag.name}${value}`
}

function usageOf(command: ManifestCommand): string {
  if (command.usage) return command.usage
  const args = Object.values(command.args).map((arg) =>
    arg.required ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`,
  )
  const required = Object.values(command.flags)
    .filter((flag) => flag.required)
    .map((flag) => `--${flag.name} ${flag.helpValue ?? ''}`.trim())
  return [wordsOf(command), ...args, ...required, '[FLAGS]'].join(' ')
}

function examplesOf(command: ManifestCommand): string | undefined {
  if (!command.examples || command.examples.length === 0) return undefined
  const lines = command.examples.map((example) =>
    example.replaceAll('<%= config.bin %>', 'partner').replaceAll('<%= command.id %>', wordsOf(command)),
  )
  return `\`\`\`sh\n${lines.join('\n')}\n\`\`\``
}

/** The words of a command, whichever separator oclif has put between them. */
function wordsOf(command: ManifestCommand): string {
  return command.id.replaceAll(':', ' ')
}

function anchorOf(command: ManifestCommand): string {
  return wordsOf(command).replaceAll(' ', '-')
}

function cell(text: string | undefined): string {
  return (text ?? '').replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..', '..')
  writeReference(root, join(root, 'docs', 'commands.md'))
}
