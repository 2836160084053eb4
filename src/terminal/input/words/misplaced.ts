import { quoteShellWord } from '../../../base/failure/shell-word.ts'

const DAY = /^(?:\d{4}-\d\d-\d\d|today|tomorrow|yesterday)$/

/**
 * Patterns for arguments that probably lack a flag, with the commands they apply to and the missing flag. The first
 * match is used.
 */
const BARE_WORDS: readonly (readonly [commands: string, looks: RegExp, flag: string])[] = [
  ['giftcards redeem, inbound redeem', /^\d+(?:[.,]\d+)?$/, 'amount'],
  ['bookings list, bookings schedule, bookings tables', DAY, 'date'],
  ['sales list', DAY, 'from'],
  ['bookings list', /\p{L}|\d{5}/u, 'guest'],
  ['customers list', /./, 'search'],
  ['bookings update-tables', /./, 'table'],
  ['sign', /^https?:/, 'url'],
  ['sign verify', /^[\da-f]{64}$/i, 'signature'],
  ['sandbox faults add', /^[A-Z]+ \/|^\*$/, 'endpoint'],
]

const ARGUMENT_WORDS: Readonly<Record<string, string>> = {
  pax: 'people',
  status: 'code',
  number: 'card',
  'card-number': 'card',
  'booking-id': 'id',
  'customer-id': 'id',
  'webhook-url': 'url',
}

const LONGEST_WORD = 60

/**
 * Returns the flag that the user probably omitted, with the given words as its value (`--amount 10`). Returns `null` if
 * no flag matches.
 */
export function suggestFlagForWords(words: readonly string[], id: string): string | null {
  const text = words.join(' ')
  const meant = BARE_WORDS.find(([commands, looks]) => commands.split(', ').includes(id) && looks.test(text))
  if (meant === undefined || text.length > LONGEST_WORD || /["'`$\\!\p{C}]/u.test(text)) return null
  return `--${meant[2]} ${/^[\w@+:,./-]+$/.test(text) ? text : `"${text}"`}`
}

/**
 * Returns a hint with a corrected command line, in which the value of the mistaken flag is the first or last argument.
 * Returns `null` if the flag has no value or the line would be too long.
 */
export function hintWithArgument(id: string, argv: readonly string[], typed: string, isFirst: boolean): string | null {
  const at = argv.findIndex((word) => word === typed || word.startsWith(`${typed}=`))
  const [, attached] = /^[^=]+=(.*)$/s.exec(argv[at] ?? '') ?? []
  const value = attached ?? argv[at + 1]
  if (at < 0 || value === undefined || (attached === undefined && value.startsWith('-'))) return null
  const rest = argv.filter((_word, index) => index !== at && (attached !== undefined || index !== at + 1))
  const words = isFirst ? [value, ...rest] : [...rest, value]
  const line = `run partner ${id} ${words.map(quoteShellWord).join(' ')}`
  return line.length > LONGEST_LINE ? null : line
}

const LONGEST_LINE = 200

/** Returns the argument that the user gave as a flag, or `null` if the flag matches no argument. */
export function findArgumentForFlag(flag: string, args: readonly string[]): string | null {
  const other = Object.hasOwn(ARGUMENT_WORDS, flag) ? ARGUMENT_WORDS[flag] : undefined
  return args.find((name) => name === flag || name === other) ?? null
}
