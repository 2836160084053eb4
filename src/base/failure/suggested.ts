import { quoteShellWord } from './shell-word.ts'

/** A partner command that a message suggests, with its position in the message. */
export type SuggestedCommand = { readonly from: number; readonly to: number; readonly words: readonly string[] }

/** Formats a partner command for use in a sentence. Quotes the inserted values for the shell. */
export function formatCommand(words: TemplateStringsArray, ...values: readonly string[]): string {
  return `partner ${words.map((text, at) => text + (at < values.length ? quoteShellWord(values[at] ?? '') : '')).join('')}`
}

/**
 * Words that belong to the sentence, not to a command. A suggested command ends before any of them and before
 * punctuation.
 */
const SENTENCE =
  'a|also|and|as|before|does|first|for|has|if|in|is|lists|of|on|or|prints|shows|so|that|then|to|until|when|which|with'
const LETTER = String.raw`[^\s;,()"'\\]|,(?=[^\s;,()"'])`
/**
 * Patterns that match quoted text, an escape or a single character of a word. PowerShell has no backslash escapes and
 * doubles single quotes in quoted text.
 */
const PIECES = {
  posix: String.raw`"[^"]*"|'[^']*'|\\.|${LETTER}`,
  win32: String.raw`"[^"]*"|'(?:[^']|'')*'|\\|${LETTER}`,
}

/** Finds the commands in a message. Their words must be quoted with {@link quoteShellWord}. */
export function findSuggestedCommands(
  text: string,
  platform: NodeJS.Platform = process.platform,
): readonly SuggestedCommand[] {
  const piece = PIECES[platform === 'win32' ? 'win32' : 'posix']
  // The word after a flag is the flag's value, even if it is one of the `SENTENCE` words.
  const word = String.raw`(?:(?<= --?(?!help )[\w-]+ )|(?!(?:${SENTENCE})(?:[ ;)]|$)))(?:${piece})+`
  // Text in double quotes comes from the service, so a command inside it is not a suggestion from partner.
  const commands = new RegExp(String.raw`(?<=^|[\s(=])"[^"]*"|\bpartner(?: ${word})+`, 'g')
  return [...text.matchAll(commands)].flatMap(({ 0: found, index }) => {
    if (found.startsWith('"')) return []
    const command = found.replace(/[?!:.]+$/, '')
    const words = platform === 'win32' ? windowsWords(command) : posixWords(command)
    return [{ from: index, to: index + command.length, words: words.slice(1) }]
  })
}

function posixWords(command: string): string[] {
  return wordsOf(command, PIECES.posix, (piece) =>
    /^["']/.test(piece) ? piece.slice(1, -1) : piece.replace(/^\\(?=.)/, ''),
  )
}

function windowsWords(command: string): string[] {
  return wordsOf(command, PIECES.win32, (piece) => {
    if (piece.startsWith("'")) return piece.slice(1, -1).replaceAll("''", "'")
    return piece.startsWith('"') ? piece.slice(1, -1).replace(/(\\+)\1$/, '$1') : piece
  })
}

function wordsOf(command: string, piece: string, unquoted: (piece: string) => string): string[] {
  const words = command.match(new RegExp(`(?:${piece})+`, 'g')) ?? []
  return words.map((word) => word.replace(new RegExp(piece, 'g'), unquoted))
}
