import { shellWord } from '../../../base/failure/shell-word.ts'
import { suggestedIn } from '../../../base/failure/suggested.ts'

/** The flags of a command by name; what a flag takes is its `helpValue`. */
export type FlagTable = Readonly<Record<string, { readonly char?: string; readonly helpValue?: unknown }>>

/** The command line that a suggestion follows. */
export interface TypedLine {
  /** The words of its command; null when the line names none. */
  readonly command: string | null
  readonly typed: readonly string[]
  /** Returns the flags of a command, or null when there is no such command. */
  readonly flagsOf: (id: string) => Promise<FlagTable | null>
}

/** Flags that say which service, venue or copy a command is about, and what each of them takes. */
const PLACES = {
  profile: /^NAME$/,
  'base-url': /^URL$/,
  data: /^DIR/,
  to: /^TARGET$/,
  copy: /^(?:TARGET|FILE)$/,
  source: /^NAME$/,
  from: /^URL$/,
} as const

/** Adds to each command that a sentence suggests the flags that say where the typed command line went. */
export async function toSameService(text: string, line: TypedLine): Promise<string> {
  const own = line.command === null ? null : await line.flagsOf(line.command)
  let result = ''
  let end = 0
  for (const { to, words } of suggestedIn(text)) {
    const added = await missingPlaces(words, line, own)
    result += [
      text.slice(end, to),
      ...added.flatMap(([name, value]) => [`--${name}`, shellWord(withoutPassword(value))]),
    ].join(' ')
    end = to
  }
  return result + text.slice(end)
}

async function missingPlaces(
  words: readonly string[],
  { typed, flagsOf }: TypedLine,
  own: FlagTable | null,
): Promise<readonly (readonly [name: string, value: string])[]> {
  const flags = await flagsNamedBy(words, flagsOf)
  if (flags === null || words.includes('--help')) return []
  const found = Object.entries(PLACES).flatMap(([name, takes]) => {
    const [given, wanted] = [own === null ? wordsFlag(name) : own[name], flags[name]]
    if (given === undefined || wanted === undefined) return []
    if (![given, wanted].every(({ helpValue }) => takes.test(String(helpValue)))) return []
    const value = flagValue(typed, name, given.char)
    return value === null || flagValue(words, name, wanted.char) !== null ? [] : [[name, value] as const]
  })
  const hasCopy = [...found.map(([name]) => `--${name}`), ...words].some((word) => /^--(?:to|copy)$/.test(word))
  return found.filter(([name]) => name !== 'source' || hasCopy)
}

async function flagsNamedBy(words: readonly string[], flagsOf: TypedLine['flagsOf']): Promise<FlagTable | null> {
  for (const count of [3, 2, 1]) {
    const flags = words.length < count ? null : await flagsOf(words.slice(0, count).join(' '))
    if (flags !== null) return flags
  }
  return null
}

/** A line that names no command may still say where it was meant to go. */
function wordsFlag(name: string): FlagTable[string] | undefined {
  if (name === 'profile') return { char: 'p', helpValue: 'NAME' }
  return name === 'base-url' ? { helpValue: 'URL' } : undefined
}

/** Removes the password of an address: PostgreSQL has it from elsewhere, and a secret is never printed. */
function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@')
}

function flagValue(words: readonly string[], name: string, char: string | undefined): string | null {
  let value: string | null = null
  for (const [at, word] of words.entries()) {
    if (word === '--') break
    if (word === `--${name}` || word === `-${char}`) value = words[at + 1] ?? value
    else if (word.startsWith(`--${name}=`)) value = word.slice(name.length + 3)
    else if (char !== undefined && word.startsWith(`-${char}`)) value = word.slice(2).replace(/^=/, '')
  }
  return value
}
