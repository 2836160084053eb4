import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GUIDES, guideCommand } from '../../src/base/failure/guides.ts'
import { findSuggestedCommands } from '../../src/base/failure/suggested.ts'
import { ALIASES } from '../../src/terminal/input/words/aliases.ts'
import { declaredCommands } from './declared-exits.ts'

interface ManifestFlag {
  readonly name: string
  readonly char?: string
  readonly type: 'boolean' | 'option'
  readonly helpValue?: string
  readonly required?: boolean
}

interface ManifestCommand {
  readonly id: string
  readonly strict?: boolean
  readonly args: Readonly<Record<string, { readonly name: string; readonly required?: boolean }>>
  readonly flags: Readonly<Record<string, ManifestFlag>>
}

/** A parsed command line. */
interface ParsedLine {
  readonly command: ManifestCommand
  readonly args: readonly string[]
  readonly flags: ReadonlyMap<string, readonly string[]>
  /** Flags on the command line that the command does not accept. */
  readonly unknown: readonly string[]
}

/** Flags that select a service, venue or local copy, each with the placeholder that the help shows for its value. */
const TARGET_FLAGS: Readonly<Record<string, RegExp>> = {
  profile: /^NAME$/,
  'base-url': /^URL$/,
  data: /^DIR/,
  to: /^TARGET$/,
  copy: /^(?:TARGET|FILE)$/,
  from: /^URL$/,
}

/** Matches placeholders in the help, such as `NAME`. A command that users can paste must not contain any. */
const PLACEHOLDER =
  /^(?:[A-Z]+_?(?:ID|URL|NAME|FILE|DIR)|ID|URL|NAME|FILE|DIR|N|HEX|BODY|TAG|ZONE|VAR|DATE|DAY|CARD|CODE|EVENT|PEOPLE|TARGET|TIME|JOURNAL|SNAPSHOT|env:VAR|\.\.\.|…)$/

let manifest: ReadonlyMap<string, ManifestCommand> | null = null

function commandsOf(root: string): ReadonlyMap<string, ManifestCommand> {
  if (manifest !== null) return manifest
  const text = readFileSync(join(root, '.oclif.manifest.json'), 'utf8')
  const { commands } = JSON.parse(text) as { commands: Record<string, ManifestCommand> }
  manifest = new Map(Object.values(commands).map((command) => [command.id.replaceAll(':', ' '), command]))
  return manifest
}

/** Parses a command line. Returns `null` if its first words are not a command. */
function parseLine(root: string, words: readonly string[]): ParsedLine | null {
  const commands = commandsOf(root)
  const named = [3, 2, 1].map((count) => words.slice(0, count).join(' '))
  const id = named.find((name) => commands.has(ALIASES[name] ?? name))
  const command = id === undefined ? undefined : commands.get(ALIASES[id] ?? id)
  if (id === undefined || command === undefined) return null
  const args: string[] = []
  const unknown: string[] = []
  const flags = new Map<string, string[]>()
  const rest = words.slice(id.split(' ').length)
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (word === '--') {
      args.push(...rest.slice(at + 1))
      break
    }
    const [, long, short, after] = /^(?:--([\w-]+)|-([A-Za-z]))(?:=?([\s\S]*))?$/.exec(word) ?? []
    if (long === undefined && short === undefined) {
      args.push(word)
      continue
    }
    const flag = Object.values(command.flags).find(({ name, char }) => name === long || (short && char === short))
    if (flag === undefined) unknown.push(word)
    else {
      const value = flag.type === 'boolean' ? '' : after || (rest[at + 1]?.startsWith('--') ? '' : (rest[++at] ?? ''))
      flags.set(flag.name, [...(flags.get(flag.name) ?? []), value])
    }
  }
  return { command, args, flags, unknown }
}

/**
 * Fails if a hint suggests a command that cannot be pasted, or that would use a different service, venue or copy than
 * the failed command. Called for every run in every test. Suggested commands are executed in
 * `test/terminal/output/next/pasted.ci.test.ts`.
 */
export function checkHints(root: string, args: readonly string[], code: number | null, stderr: string): void {
  if (code === null || code === 0) return
  const hints = hintsIn(stderr)
  const typed = parseLine(root, args)
  const problems = hints.flatMap((hint) =>
    findSuggestedCommands(hint).flatMap(({ from, to, words }) =>
      problemsOf(root, words, typed).map((problem) => `${problem}: ${hint.slice(from, to)}`),
    ),
  )
  if (problems.length > 0)
    throw new Error(
      `a suggested command cannot be pasted: ${args.join(' ').slice(0, 300)}\n${problems.join('\n')}\n${stderr}`,
    )
}

function hintsIn(stderr: string): string[] {
  return stderr.split('\n').flatMap((line) => {
    if (line.startsWith('next: ')) return [line.slice('next: '.length)]
    if (!line.startsWith('{"error":')) return []
    const { error } = JSON.parse(line) as { error: { hint?: string } }
    return error.hint === undefined ? [] : [error.hint]
  })
}

function problemsOf(root: string, words: readonly string[], typed: ParsedLine | null): string[] {
  const text = `partner ${words.join(' ')}`
  if (/^(?:app|endpoint|inbound endpoint|manager|name|was|knows|needs|wrote|reads)\b/.test(words.join(' '))) return []
  if (words.at(-1) === '--help') {
    const named = words.slice(0, -1).join(' ')
    const ids = [...commandsOf(root).keys()]
    return named === '' || ids.some((id) => `${id} `.startsWith(`${named} `)) ? [] : ['has no help page']
  }
  if (words[0] === 'help')
    return text === 'partner help flags' || GUIDES.some((name) => guideCommand(name) === text) ? [] : ['has no guide']
  const line = parseLine(root, words)
  if (line === null) return ['is not a command']
  const { command, args, flags, unknown } = line
  const id = command.id.replaceAll(':', ' ')
  const expected = Object.values(command.args)
  const missing = [
    ...expected.slice(args.length).filter(({ required }) => required),
    ...Object.values(command.flags).filter(({ name, required }) => required && !flags.has(name)),
  ]
  const declared = declaredCommands(root)
  const typedId = typed?.command.id.replaceAll(':', ' ') ?? ''
  return [
    ...unknown.map((word) => `does not have ${word}`),
    ...missing.map(({ name }) => `lacks ${name}`),
    ...(args.length > expected.length && command.strict !== false ? [`does not take ${args.at(-1)}`] : []),
    ...[...args, ...[...flags.values()].flat()]
      .filter((value) => PLACEHOLDER.test(value))
      .map((value) => `has the placeholder ${value}`),
    ...(declared.get(id)?.writes !== 'none' &&
    !flags.has('dry-run') &&
    (declared.get(typedId)?.writes ?? 'none') === 'none'
      ? ['writes']
      : []),
    ...(typed === null ? [] : lostTargets(command, flags, typed)),
  ]
}

function lostTargets(command: ManifestCommand, flags: ParsedLine['flags'], typed: ParsedLine): string[] {
  return Object.entries(TARGET_FLAGS).flatMap(([name, takes]) => {
    const both = [command.flags[name], typed.command.flags[name]]
    const given = typed.flags.get(name)?.at(-1)
    if (given === undefined || !both.every((flag) => flag !== undefined && takes.test(flag.helpValue ?? ''))) return []
    return flags.has(name) ? [] : [`loses --${name} ${given}`]
  })
}
