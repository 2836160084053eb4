import { usageFailure } from '../../../base/failure/failure.ts'
import { GLOBAL_FLAGS } from '../flags.ts'
import { ALIASES } from './aliases.ts'
import { suggestCommand } from './suggest-command.ts'
import { unknownFlag } from './suggest-flag.ts'

/**
 * Explains why `words` do not name a command. Suggests a command if possible. The first `known` words are valid.
 * `stray` is the flag that follows the words, or `null` if none does.
 */
export function explainUnknown(words: readonly string[], known: number, stray: string | null, ids: readonly string[]) {
  const named = words.slice(0, known).join(' ')
  const page = named === '' ? 'partner --help' : `partner ${named} --help`
  if (words.length === known && stray !== null) {
    const { problem } = unknownFlag(stray, '', [...GLOBAL_FLAGS.map(({ name }) => name), 'help'])
    return usageFailure([problem], `put the command before its own flags; see ${page}, and partner help flags`)
  }
  if (words.length === 0) return usageFailure(['no command was given'], `see ${page}`)
  if (words.length === known) return usageFailure([`${named} needs a subcommand`], `see ${page}`)
  const near = suggestCommand(words, ids)
  const meant = near === null ? null : (ALIASES[near] ?? near)
  const typed = words.slice(0, Math.max(2, known + 1)).join(' ')
  const suggestion = meant === null ? '' : `; did you mean "partner ${meant}"?`
  return usageFailure([`unknown command "${typed}"${suggestion}`], `see ${page}`)
}
