import type { FailureCode } from '../../../base/failure/exit-codes.ts'
import type { Failure } from '../../../base/failure/failure.ts'
import { type Guide, guideCommand } from '../../../base/failure/guides.ts'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { findSuggestedCommands, formatCommand } from '../../../base/failure/suggested.ts'

/** A command's flags, keyed by name. */
export type FlagTable = Readonly<Record<string, { readonly char?: string; readonly helpValue?: unknown }>>

/** The user's command line. */
export interface TypedLine {
  /** The name of the command, or `null` if the command line does not contain one. */
  readonly command: string | null
  readonly typed: readonly string[]
  /** Returns a command's flags, or `null` if the command does not exist. */
  readonly flagsOf: (id: string) => Promise<FlagTable | null>
}

/**
 * Returns a failure's hint, with a command that explains more. Suggested commands use the same service as the failed
 * command.
 */
export async function hintOf(failure: Failure, line: TypedLine): Promise<string | undefined> {
  const hint = hintText(failure, line)
  return hint === undefined ? undefined : toSameService(hint, line)
}

function hintText(failure: Failure, { command, typed }: TypedLine): string | undefined {
  const page = `partner ${command === null ? '' : `${command} `}--help`
  const hint = failure.hint ?? (failure.code === 'USAGE' ? `see ${page}` : undefined)
  const guide = failure.guide ?? guideFor(failure.code, command ?? '')
  const own = guide === undefined ? diagnosticCommand(failure, command, typed) : guideCommand(guide)
  if (hint === undefined) return own === undefined ? undefined : `see ${own}`
  const more =
    own ?? (NAMES_COMMAND.test(hint) ? undefined : failure.code === 'USAGE' ? page : guideCommand('exit-codes'))
  return more === undefined || hint.includes(more) ? hint : `${hint} (more: ${more})`
}

/** Matches a hint that names a command, but not terms such as "partner manager". */
const NAMES_COMMAND = /\bpartner (?!app\b|endpoint|inbound endpoint|manager\b|name\b)[a-z-]/

/** The guides to suggest after a failure, by command and failure code. The first match applies. */
const GUIDES_OF_COMMANDS: readonly (readonly [commands: RegExp, codes: readonly FailureCode[], guide: Guide])[] = [
  [/^sales reconcile$/, ['PARTIAL_FAILURE'], 'reconcile'],
  [/^sales import$/, ['LOCKED', 'PARTIAL_FAILURE', 'OUTCOME_UNKNOWN', 'INTERRUPTED'], 'import'],
  [
    /^(?:giftcards (?:redeem|cancel)|sales create|inbound redeem|operations )/,
    ['OUTCOME_UNKNOWN', 'INCOMPLETE'],
    'money',
  ],
  [/^giftcards statement$/, ['PARTIAL_FAILURE'], 'statement'],
  [/ sync(?: |$)/, ['LOCKED', 'INCOMPLETE', 'PARTIAL_FAILURE', 'REJECTED'], 'sync'],
  [/^webhooks /, ['LOCKED', 'PARTIAL_FAILURE', 'REJECTED'], 'webhooks'],
  [/^reservations explain$/, ['REJECTED'], 'timeline'],
  [/^tables check$/, ['PARTIAL_FAILURE'], 'table-names'],
  [/^sandbox /, ['LOCKED', 'NOT_FOUND', 'REJECTED'], 'sandbox'],
  [/^/, ['NO_PROFILE'], 'environment'],
]

function guideFor(code: FailureCode, command: string): Guide | undefined {
  return GUIDES_OF_COMMANDS.find(([commands, codes]) => codes.includes(code) && commands.test(command))?.[2]
}

const FOR_DOCTOR = new Set<FailureCode>(['UNAUTHORIZED', 'UNKNOWN_APP', 'VENUE_NOT_LINKED', 'NETWORK_ERROR', 'TIMEOUT'])

/** Returns the command that diagnoses a failure, or `undefined` if there is none. */
function diagnosticCommand({ code, request, service }: Failure, command: string | null, typed: readonly string[]) {
  if (request === undefined || service === undefined) return undefined
  if (command === 'reservations create' && code === 'REJECTED') return explainCommand(typed)
  return FOR_DOCTOR.has(code) ? formatCommand`doctor` : undefined
}

function explainCommand(typed: readonly string[]): string {
  const words = ['reservations', 'create']
  const flags = typed.filter((word) => word !== words[0] || words.shift() === undefined)
  return ['partner reservations explain', ...flags.map(quoteShellWord)].join(' ')
}

/** Flags that choose a service, a venue or a local copy, each with its usual `helpValue`. */
const SERVICE_FLAGS = {
  profile: /^NAME$/,
  'base-url': /^URL$/,
  data: /^DIR/,
  to: /^TARGET$/,
  copy: /^(?:TARGET|FILE)$/,
  source: /^NAME$/,
  from: /^URL$/,
} as const

/** Adds the user's {@link SERVICE_FLAGS} to each suggested command that accepts them. */
async function toSameService(text: string, line: TypedLine): Promise<string> {
  const own = line.command === null ? null : await line.flagsOf(line.command)
  let result = ''
  let end = 0
  for (const { to, words } of findSuggestedCommands(text)) {
    const added = await missingServiceFlags(words, line, own)
    const flags = added.flatMap(([name, value]) => [`--${name}`, quoteShellWord(withoutPassword(value))])
    result += [text.slice(end, to), ...flags].join(' ')
    end = to
  }
  return result + text.slice(end)
}

async function missingServiceFlags(
  words: readonly string[],
  { typed, flagsOf }: TypedLine,
  own: FlagTable | null,
): Promise<readonly (readonly [name: string, value: string])[]> {
  const flags = await flagsOfWords(words, flagsOf)
  if (flags === null || words.includes('--help')) return []
  const found = Object.entries(SERVICE_FLAGS).flatMap(([name, takes]) => {
    const [given, suggested] = [own === null ? commonFlag(name) : own[name], flags[name]]
    if (given === undefined || suggested === undefined) return []
    if (![given, suggested].every(({ helpValue }) => takes.test(String(helpValue)))) return []
    const value = flagValue(typed, name, given.char)
    return value === null || flagValue(words, name, suggested.char) !== null ? [] : [[name, value] as const]
  })
  const hasCopy = [...found.map(([name]) => `--${name}`), ...words].some((word) => /^--(?:to|copy)$/.test(word))
  return found.filter(([name]) => name !== 'source' || hasCopy)
}

async function flagsOfWords(words: readonly string[], flagsOf: TypedLine['flagsOf']): Promise<FlagTable | null> {
  for (const count of [3, 2, 1]) {
    const flags = words.length < count ? null : await flagsOf(words.slice(0, count).join(' '))
    if (flags !== null) return flags
  }
  return null
}

function commonFlag(name: string): FlagTable[string] | undefined {
  if (name === 'profile') return { char: 'p', helpValue: 'NAME' }
  return name === 'base-url' ? { helpValue: 'URL' } : undefined
}

/** Removes the password from a URL, because passwords must never be printed. */
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
