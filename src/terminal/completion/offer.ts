import type { Variables } from '../../base/storage/directories.ts'
import { type Asked, readAsked } from './asked.ts'
import type { Named, Table } from './table.ts'
import { type Offer, offerValues } from './values.ts'

/** What a line is completed with; files behind so many characters of its last word. */
export function offer(before: readonly string[], current: string, table: Table, env: Variables): Offer {
  const asked = readAsked(before, current, table)
  if (asked === null) return []
  const { due, profile } = asked
  const { statuses } = table
  if (due) {
    const { prefix, flag } = due
    const found = offerValues(flag.value ?? '', { env, profile, statuses, typed: current.slice(prefix.length) })
    if ('filesBehind' in found) return { filesBehind: prefix.length + found.filesBehind }
    return fitting(
      found.map(([name, about]) => [`${prefix}${name}`, about]),
      current,
    )
  }
  if (current.startsWith('-')) return fitting(flagNames(asked, current), current)
  const words = wordsIn(asked, table)
  const found = asked.argument === null ? [] : offerValues(asked.argument, { env, profile, statuses, typed: current })
  if ('filesBehind' in found) return found
  const all = fitting([...words, ...found], current)
  // Where no word is due, what may follow is a flag of its own.
  return all.length > 0 || current !== '' || asked.argument !== null ? all : fitting(ownFlags(asked), '')
}

/** Only what goes on from what is typed, can be shown on one line, and stands there once. */
function fitting(found: readonly Named[], typed: string): readonly Named[] {
  const all = new Map<string, string>()
  for (const [name, about] of found)
    if (name.startsWith(typed) && isPrintable(name) && !all.has(name)) all.set(name, isPrintable(about) ? about : '')
  return [...all]
}

/** Most are plain, and the tables behind the other expression take a millisecond to build. */
function isPrintable(text: string): boolean {
  return PLAIN.test(text) || !UNPRINTABLE.test(text)
}

const PLAIN = /^[ -~\u00c0-\u024f\u2026]*$/
/** Control characters, those that turn the direction of writing, and halves of letters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

function wordsIn({ path, mayGoOn, help }: Asked, table: Table): readonly Named[] {
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
  return help === null ? [...below, ['help', 'Show a page of help']] : [...below, ...table.guides]
}

function flagNames({ flags, path }: Asked, current: string): readonly Named[] {
  const help: Named = ['--help', 'Show the page of a command or a topic']
  const version: readonly Named[] = path === '' ? [['--version', 'Show the version']] : []
  const short = flags.flatMap(({ char, about }): readonly Named[] => (char === undefined ? [] : [[`-${char}`, about]]))
  const long = flags.map(({ name, about }): Named => [`--${name}`, about])
  return [...long, help, ...version, ...(current === '-' ? short : [])]
}

function ownFlags({ flags, command }: Asked): readonly Named[] {
  if (command === null) return []
  return flags.filter(({ isGlobal }) => !isGlobal).map(({ name, about }): Named => [`--${name}`, about])
}
