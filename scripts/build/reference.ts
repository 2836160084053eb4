import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { manifestCommands } from './manifest.ts'

/** Maps each command whose name differs from its endpoint's ID to that ID. */
const SAME_ENDPOINT: Readonly<Record<string, string>> = {
  'customers get': 'customers.list',
  'profiles check': 'bookings.statuses',
}

/** Writes docs/commands.md, which shows each command's help page and the request that the command sends. */
export function writeReference(root: string, help: string, file: string): void {
  const page = (name: string) => `\`\`\`text\n${readFileSync(join(help, `${name}.txt`), 'utf8')}\`\`\``
  const commands = manifestCommands(root)
    .filter(({ hidden }) => !hidden)
    .map(({ id, summary }) => ({ words: id.replaceAll(':', ' '), summary }))
  const rows = commands.map(({ words, summary }) => `| [${words}](#${words.replaceAll(' ', '-')}) | ${summary} |`)
  const parts = [
    '# All commands',
    '<!-- Made by scripts/build/reference.ts from the help pages. Change the commands, not this page. -->',
    `This page contains the help of every command, as printed by \`partner TOPIC COMMAND --help\`. See also
[exit codes](exit-codes.md), [output](output.md), [environment](environment.md), [times](times.md),
[money and units](money-units.md) and [partner api](api.md).`,
    ['| Command | |', '|---|---|', ...rows].join('\n'),
    '## Global flags',
    page('flags'),
    ...commands.flatMap(({ words }) => [
      `## ${words}`,
      ...requestOf(words),
      page(join('commands', words.replaceAll(' ', '.'))),
    ]),
  ]
  writeFileSync(file, `${parts.join('\n\n')}\n`)
}

function requestOf(words: string): string[] {
  const id = SAME_ENDPOINT[words] ?? words.replace(' ', '.')
  const endpoint = (ENDPOINTS as Readonly<Record<string, Endpoint>>)[id]
  if (endpoint === undefined) return []
  const { method, path, standing, auth } = endpoint
  const assumed =
    standing === 'assumed' ? '. The shape is an assumption, because the specification does not show it' : ''
  return [`Request: \`${method} ${path}\`${auth === 'signature' ? ', signed' : ''}${assumed}.`]
}
