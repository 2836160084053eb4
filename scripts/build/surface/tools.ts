import { writeFileSync } from 'node:fs'
import { MONEY_TOOLS, PREPARED_SCHEMA } from '../../../src/mcp/tools/money-tools.ts'
import { ANNOTATIONS, type ToolRow } from '../../../src/mcp/tools/row.ts'
import { TABLE } from '../../../src/mcp/tools/table.ts'
import { MAX_LIMIT, type Tool, type ToolMember, USUAL_LIMIT } from '../../../src/mcp/tools/tool.ts'
import { type ManifestCommand, type ManifestFlag, manifestCommands } from '../manifest.ts'
import { outputOf } from './outputs.ts'
import { recordsSchema } from './tool-input.ts'
import { toolOutput } from './tool-output.ts'
import { aboutMember, describeTool, memberName, titleOf, toolName } from './tool-text.ts'

// Derives the tools of `partner mcp` from the commands and from src/mcp/tools/table.ts.

/**
 * Flags that never become members of a tool, because they name files, addresses, keys or profiles, disable checks, or
 * matter only on the command line. Global flags do not become members either.
 */
const NEVER: ReadonlySet<string> = new Set([
  ...['api-key', 'as', 'base-url', 'columns', 'copy', 'cron', 'curl', 'data', 'dry-run', 'fix', 'force', 'forget'],
  ...['har', 'html', 'jobs', 'journal', 'json', 'ledger', 'map-out', 'no-input', 'no-validate', 'once', 'output'],
  ...['param', 'ping', 'profile', 'profiles', 'query', 'repair', 'security-key', 'security-token', 'set', 'sync'],
  ...['table-map', 'yes'],
  // `--link` sets a URL that guests open, so an agent must not choose it. `--location-id` comes from the profile.
  ...['link', 'location-id'],
  // These flags affect how a command works, but not what it returns.
  ...['concurrency', 'page-size', 'window'],
  // Tools that return a list have their own `limit` member instead of `--limit`.
  'limit',
])

/** Placeholders for values that name a file, an address, a program or a secret. */
const FROM_ELSEWHERE = /\b(?:URL|FILE|TARGET|PATH|DIR|CMD|REF|WHERE|file)\b/

/** Placeholders of flags whose value is a whole number. */
const WHOLE_NUMBERS = /^(?:N|MIN|CENTS)$/

/** Arguments that are whole numbers. They are listed by name, because arguments have no placeholders. */
const WHOLE_NUMBER_ARGUMENTS: ReadonlySet<string> = new Set(['people'])

/** Writes all tools to a file. When `partner mcp` starts, it selects the tools that `--allow` permits. */
export function writeTools(root: string, file: string): void {
  writeFileSync(file, JSON.stringify(deriveTools(manifestCommands(root))))
}

function deriveTools(commands: readonly ManifestCommand[]): readonly Tool[] {
  const derived = commands
    .filter(({ hidden }) => !hidden)
    .flatMap((command) => {
      const id = command.id.replaceAll(':', ' ')
      const row = TABLE[id]
      if (row === undefined)
        throw new Error(
          `src/mcp/tools/table.ts has no row for ${id}: say which allowance it needs, or why it is not a tool`,
        )
      return typeof row === 'string' ? [] : [derive(id, command, row)]
    })
  return [...derived, ...MONEY_TOOLS].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function derive(id: string, command: ManifestCommand, row: ToolRow): Tool {
  const output = outputOf(id)
  if (output === undefined) throw new Error(`scripts/build/surface/outputs.ts has no entry for ${id}`)
  const { as = 'run', allow, needs = [], files = [] } = row
  const members = membersOf(id, command, row)
  const { form, schema } = as === 'prepare' ? { form: 'one' as const, schema: PREPARED_SCHEMA } : toolOutput(id, output)
  return {
    name: toolName(id, row),
    ...{ command: id, as, allow, needs, files },
    title: titleOf(command, row),
    description: describeTool(command, row, members),
    form,
    members,
    inputSchema: inputSchema(members, form),
    outputSchema: schema,
    annotations: ANNOTATIONS[row.effect],
  }
}

function membersOf(id: string, { args, flags }: ManifestCommand, row: ToolRow): Record<string, ToolMember> {
  const kept = Object.values(flags)
    .filter(({ name, helpGroup }) => helpGroup !== 'GLOBAL' && !NEVER.has(name) && !row.hide?.includes(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set(kept.map(({ name }) => name))
  const common = (name: string, about: string, isRequired: boolean) => ({
    name,
    required: isRequired || (row.required?.includes(name) ?? false),
    about: row.abouts?.[name] ?? aboutMember(id, name, about, names),
    isExact: row.exact === name,
  })
  const ofArgs = Object.values(args).map(({ name, description = '', required = false }): [string, ToolMember] => {
    const rest = common(name, description, required)
    if (row.records === name) return ['records', { to: 'stdin', type: 'records', values: null, ...rest }]
    const values = row.values?.[name] ?? null
    return [
      memberName(name),
      { to: 'argument', type: WHOLE_NUMBER_ARGUMENTS.has(name) ? 'integer' : 'text', values, ...rest },
    ]
  })
  const ofFlags = kept.map((flag): [string, ToolMember] => {
    const { name, summary = '', required = false } = flag
    if (FROM_ELSEWHERE.test(flag.helpValue ?? '') && row.abouts?.[name] === undefined)
      throw new Error(`src/mcp/tools/table.ts: hide ${name} of ${id}, or describe why it is safe`)
    const values = row.values?.[name] ?? valuesOf(flag)
    return [memberName(name), { to: 'flag', type: typeOf(flag), values, ...common(name, summary, required) }]
  })
  return Object.fromEntries([...ofArgs, ...ofFlags])
}

function typeOf({ type, multiple, helpValue = '' }: ManifestFlag): ToolMember['type'] {
  if (type === 'boolean') return 'switch'
  if (multiple) return 'texts'
  return WHOLE_NUMBERS.test(helpValue) ? 'integer' : 'text'
}

/** Returns the values in a placeholder such as `asc|desc`. Commands accept exactly these words. */
function valuesOf({ options, helpValue = '' }: ManifestFlag): readonly string[] | null {
  return options ?? (/^[a-z-]+(?:\|[a-z-]+)+$/.test(helpValue) ? helpValue.split('|') : null)
}

function inputSchema(members: Readonly<Record<string, ToolMember>>, form: Tool['form']): Tool['inputSchema'] {
  const limit = {
    type: ['integer', 'string'],
    ...{ minimum: 1, maximum: MAX_LIMIT, default: USUAL_LIMIT },
    description: 'How many records to return at most.',
  }
  const required = Object.entries(members).flatMap(([name, member]) => (member.required ? [name] : []))
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(members).map(([name, member]) => [name, memberSchema(member)])),
      ...(form === 'list' ? { limit } : {}),
    },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

function memberSchema({ type, about: description, values }: ToolMember): object {
  const text = values === null ? { type: 'string' } : { type: 'string', enum: values }
  if (type === 'records') return { ...recordsSchema(), description }
  if (type === 'texts') return { type: 'array', items: text, description }
  if (type === 'switch') return { type: 'boolean', description }
  if (type === 'integer') return { type: ['integer', 'string'], description }
  return { ...text, description }
}
