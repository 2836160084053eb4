import type { Variables } from '../../base/storage/directories.ts'
import type { Kind, Named, Table, TableCommand, TableFlag } from './table.ts'
import { type Offer, offerValues } from './values.ts'

type ParsedLine = NonNullable<ReturnType<typeof parseLine>>

export function offer(before: readonly string[], current: string, table: Table, env: Variables): Offer {
  const asked = parseLine(before, current, table)
  if (asked === null) return []
  const { due, profile } = asked
  const { statuses } = table
  if (due) {
    const { prefix, flag } = due
    const found = offerValues(flag.value ?? '', { env, profile, statuses, typed: current.slice(prefix.length) })
    if ('filesBehind' in found) return { filesBehind: prefix.length + found.filesBehind }
    const whole = found.map(([name, about]): Named => [`${prefix}${name}`, about])
    return matching(whole, current)
  }
  if (current.startsWith('-')) return matching(flagNames(asked, current), current)
  const words = wordsIn(asked, table)
  const found = asked.argument === null ? [] : offerValues(asked.argument, { env, profile, statuses, typed: current })
  if ('filesBehind' in found) {
    // The shell completes file names itself, so they cannot be offered together with subcommands.
    const subcommands = matching(words, current)
    return subcommands.length > 0 ? subcommands : found
  }
  const all = matching([...words, ...found], current)
  // If there is nothing else to offer and the command takes no more arguments, offer its own flags.
  return all.length > 0 || current !== '' || asked.argument !== null ? all : matching(ownFlags(asked), '')
}

function matching(found: readonly Named[], typed: string): readonly Named[] {
  const all = new Map<string, string>()
  for (const [name, about] of found)
    if (name.startsWith(typed) && isPrintable(name) && !all.has(name)) all.set(name, isPrintable(about) ? about : '')
  return [...all]
}

/**
 * Tries the cheap expression first. Compiling the other expression takes a millisecond, and most strings do not need
 * it.
 */
function isPrintable(text: string): boolean {
  return PLAIN.test(text) || !UNPRINTABLE.test(text)
}

const PLAIN = /^[ -~\u00c0-\u024f\u2026]*$/
/** Matches control characters, text direction marks and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

function wordsIn({ path, mayGoOn, help }: ParsedLine, table: Table): readonly Named[] {
  if (help !== null && path === '' && help.length > 0)
    return help.length === 1 && help[0] === 'guide' ? table.allGuides : []
  if (!mayGoOn) return []
  const start = path === '' ? '' : `${path} `
  const listed = Object.entries(table.commands).filter(([, { isAlias }]) => !isAlias)
  const commands = listed.map(([id, { about }]): Named => [id, about])
  const below = [...Object.entries(table.topics), ...commands].flatMap(([id, about]): readonly Named[] => {
    const rest = id.slice(start.length)
    return id.startsWith(start) && !rest.includes(' ') ? [[rest, about]] : []
  })
  if (path !== '') return below
  return help === null ? [...below, ['help', 'Show a help page']] : [...below, ...table.guides]
}

function flagNames({ flags, path }: ParsedLine, current: string): readonly Named[] {
  const help: Named = ['--help', 'Show help for a command or a topic']
  const version: readonly Named[] = path === '' ? [['--version', 'Show the version']] : []
  const short = flags.flatMap(({ char, about }): readonly Named[] => (char === undefined ? [] : [[`-${char}`, about]]))
  const long = flags.map(({ name, about }): Named => [`--${name}`, about])
  return [...long, help, ...version, ...(current === '-' ? short : [])]
}

function ownFlags({ flags, command }: ParsedLine): readonly Named[] {
  if (command === null) return []
  return flags.filter(({ isGlobal }) => !isGlobal).map(({ name, about }): Named => [`--${name}`, about])
}

/** Parses a command line up to the cursor. Returns `null` after `--`. `before` does not contain the program name. */
function parseLine(before: readonly string[], current: string, table: Table) {
  const isNode = (path: string) => Object.hasOwn(table.topics, path) || Object.hasOwn(table.commands, path)
  const globals = table.flags.filter(({ isGlobal }) => isGlobal)
  const given = new Set<string>()
  const args: string[] = []
  /** The topic or command parsed so far, such as `bookings`, and whether the next word may extend it. */
  let [path, mayGoOn] = ['', true]
  let isHelp = false
  let profile: string | null = null
  /** The flag whose value is expected next, and any text that precedes the value in the same word. */
  let due: { readonly flag: TableFlag; readonly prefix: string } | null = null
  const flagsHere = () => {
    const command = Object.hasOwn(table.commands, path) ? table.commands[path] : undefined
    return command ? command.flags.map((place) => table.flags[place] as TableFlag) : globals
  }
  for (let at = 0; at < before.length; at++) {
    const word = before[at] as string
    if (word === '--') return null
    if (word.startsWith('-') && word !== '-') {
      const read = readFlag(word, flagsHere())
      for (const flag of read.flags) given.add(flag.name)
      const last = read.flags.at(-1)
      if (!last?.isGlobal) mayGoOn = false
      if (last?.value === undefined) continue
      const next = before[at + 1]
      if (read.value === null && next === undefined) due = { flag: last, prefix: '' }
      else if (last.isBare && read.value === null && next?.startsWith('-')) continue
      else if (read.value === null) at++
      if (last.name === 'profile') profile = read.value ?? next ?? null
    } else if (word === 'help' && path === '' && !isHelp) isHelp = true
    else if (mayGoOn && isNode(join(path, word))) path = join(path, word)
    else {
      args.push(word)
      mayGoOn = false
    }
  }
  const all = flagsHere()
  if (due?.flag.isBare && current.startsWith('-')) due = null
  const attached = due === null && current.startsWith('-') ? readFlag(current, all) : null
  if (attached && attached.value !== null) {
    const flag = attached.flags.at(-1)
    if (flag?.value !== undefined) due = { flag, prefix: current.slice(0, current.length - attached.value.length) }
    if (attached.flags.some(({ name }) => name === 'profile')) profile = attached.value
  }
  const command = Object.hasOwn(table.commands, path) ? (table.commands[path] as TableCommand) : null
  const flags = all.filter(({ name, repeats }) => repeats || !given.has(name))
  const argument = command && !isHelp ? argumentAt(command, args.length) : null
  // `help` contains the words after `help` that do not name a command. `argument` is the kind of argument at the
  // cursor.
  return { path, command, mayGoOn, help: isHelp ? args : null, argument, flags, due, profile }
}

function join(path: string, word: string): string {
  return path === '' ? word : `${path} ${word}`
}

function argumentAt({ args, repeats }: TableCommand, place: number): Kind | null {
  return args[place] ?? (repeats ? (args.at(-1) ?? null) : null)
}

/** Parses a word such as `--output=json`, `-ojson` or `-qv` into its flags and the value attached to them. */
function readFlag(word: string, flags: readonly TableFlag[]): { flags: readonly TableFlag[]; value: string | null } {
  if (word.startsWith('--')) {
    const end = word.indexOf('=')
    const name = end < 0 ? word.slice(2) : word.slice(2, end)
    return { flags: flags.filter((flag) => flag.name === name), value: end < 0 ? null : word.slice(end + 1) }
  }
  const found: TableFlag[] = []
  for (let at = 1; at < word.length; at++) {
    const flag = flags.find(({ char }) => char === word[at])
    if (flag === undefined) break
    found.push(flag)
    const rest = word.slice(at + 1)
    if (flag.value !== undefined) return { flags: found, value: rest === '' ? null : rest.replace(/^=/, '') }
  }
  return { flags: found, value: null }
}
