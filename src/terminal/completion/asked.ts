import type { Kind, Table, TableCommand, TableFlag } from './table.ts'

/** What a command line asks for at its cursor. */
export interface Asked {
  /** The topic or command that its words name so far: `bookings`; '' for none. */
  readonly path: string
  readonly command: TableCommand | null
  /** Whether a further word may be one of a topic or command. */
  readonly mayGoOn: boolean
  /** Whether it begins with `help`, and with what behind it that names nothing. */
  readonly help: readonly string[] | null
  /** What an argument is completed with here; null: none is due. */
  readonly argument: Kind | null
  /** The flags that apply, and may be given here. */
  readonly flags: readonly TableFlag[]
  /** The flag whose value is due, in place of anything else. */
  readonly due: { readonly flag: TableFlag; readonly prefix: string } | null
  /** The profile that the line names; null: it names none. */
  readonly profile: string | null
}

/** Reads a line up to its cursor; null behind `--`, where nothing is ours. `before` is without the name of the program. */
export function readAsked(before: readonly string[], current: string, table: Table): Asked | null {
  const isNode = (path: string) => Object.hasOwn(table.topics, path) || Object.hasOwn(table.commands, path)
  const globals = table.flags.filter(({ isGlobal }) => isGlobal)
  const given = new Set<string>()
  const args: string[] = []
  let [path, mayGoOn] = ['', true]
  let isHelp = false
  let profile: string | null = null
  let due: Asked['due'] = null
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
  return { path, command, mayGoOn, help: isHelp ? args : null, argument, flags, due, profile }
}

function join(path: string, word: string): string {
  return path === '' ? word : `${path} ${word}`
}

function argumentAt({ args, repeats }: TableCommand, place: number): Kind | null {
  return args[place] ?? (repeats ? (args.at(-1) ?? null) : null)
}

/** The flags of a word, and the value that it brings along: `--output=json`, `-ojson`, `-qv`. */
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
