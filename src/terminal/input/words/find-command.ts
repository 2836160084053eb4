import { GLOBAL_FLAGS } from '../flags.ts'
import { ALIASES } from './aliases.ts'

/** Commands that have subcommands but also accept any word as an argument. */
const TAKES_ANY_WORD: readonly string[] = ['api', 'monitor']

/**
 * Finds the command in a command line. Global flags can be anywhere. `rest` contains the arguments and all flags.
 * Throws USAGE if there is no such command.
 */
export async function findCommand(
  argv: readonly string[],
  commands: readonly string[],
): Promise<{ readonly id: string; readonly rest: readonly string[] }> {
  const ids = [...commands, ...Object.keys(ALIASES)]
  const all = argv.flatMap((word, at) => (at === 0 && !word.startsWith('-') ? word.split(':') : [word]))
  const asksForHelp = all[0] === 'help'
  const { words, flags, at, stray } = splitCommandWords(asksForHelp ? all.slice(1) : all, ids)
  const id = words.join(' ')
  const next = all[at]
  const isTopicToo = !TAKES_ANY_WORD.includes(id) && ids.some((other) => other.startsWith(`${id} `))
  const hasNextWord = next !== undefined && !next.startsWith('-')
  if (ids.includes(id) && !asksForHelp && !(isTopicToo && hasNextWord))
    return { id: ALIASES[id] ?? id, rest: [...flags, ...all.slice(at)] }
  const { explainUnknown } = await import('./unknown-command.ts')
  const more = all.slice(at + (asksForHelp ? 1 : 0))
  const end = more.findIndex((word) => word.startsWith('-'))
  throw explainUnknown([...words, ...(end < 0 ? more : more.slice(0, end))], words.length, stray, ids)
}

/**
 * Splits a command line into the command's `words`, the global `flags`, and the index `at` of the first word that is
 * neither. `stray` is that word if it looks like a flag.
 */
function splitCommandWords(argv: readonly string[], ids: readonly string[]) {
  const words: string[] = []
  const flags: string[] = []
  let at = 0
  for (; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--') break
    if (word.startsWith('-') && word !== '-') {
      const size = countFlagWords(word)
      if (size === 0) break
      flags.push(...argv.slice(at, at + size))
      at += size - 1
      continue
    }
    const named = [...words, word].join(' ')
    if (!ids.some((id) => `${id} `.startsWith(`${named} `))) break
    words.push(word)
  }
  const next = argv[at]
  const isStray = next !== undefined && next !== '--' && next.startsWith('-') && next !== '-'
  return { words, flags, at, stray: isStray ? next : null }
}

/** Returns how many words a global flag takes up, including itself, or 0 if the word is not a global flag. */
function countFlagWords(word: string): 0 | 1 | 2 {
  const isLong = word.startsWith('--')
  const name = isLong ? word.slice(2).replace(/=.*$/s, '') : (word[1] ?? '')
  const flag = GLOBAL_FLAGS.find((one) => (isLong ? one.name : one.char) === name)
  if (flag === undefined) return 0
  if (flag.takesValue) return word.includes('=') || (!isLong && word.length > 2) ? 1 : 2
  // Count `-qv` as `-q -v`.
  return isLong || word.length === 2 ? 1 : countFlagWords(`-${word.slice(2)}`)
}
