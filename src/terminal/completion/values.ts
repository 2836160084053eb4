import { join } from 'node:path'
import { parseJson } from '../../base/json/parse.ts'
import { configDirectory, type Variables } from '../../base/storage/directories.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { readSeen } from './seen.ts'
import type { Kind, Named } from './table.ts'

interface Search {
  readonly env: Variables
  /** The profile named on the command line, or `null` for the default profile. */
  readonly profile: string | null
  readonly typed: string
  readonly statuses: readonly Named[]
}

/** The names to offer, or how many characters of the word the shell must skip before it completes a file name. */
export type Offer = readonly Named[] | { readonly filesBehind: number }

const SANDBOX: Named = ['sandbox', 'the built-in service']

/** Returns the values to offer for a kind. Does not filter them by what the user has typed. */
export function offerValues(kind: Kind, search: Search): Offer {
  if (kind.startsWith('=')) return kind === '=' ? [] : kind.slice(1).split('|').map(named)
  if (kind.startsWith(',')) return listItems(kind.slice(1).split('|').map(named), search.typed)
  return kind === '' ? [] : FINDERS[kind as keyof typeof FINDERS](search)
}

const FINDERS = {
  files: () => ({ filesBehind: 0 }),
  data: ({ typed }) => (typed.startsWith('@') ? { filesBehind: 1 } : []),
  references: ({ typed }) => {
    if (typed.startsWith('file:')) return { filesBehind: 5 }
    return typed.startsWith('env:') ? [] : REFERENCES
  },
  profiles: ({ env }) => [...readProfileFile(env).profiles, SANDBOX],
  'many-profiles': ({ env, typed }) => {
    const { profiles, tags } = readProfileFile(env)
    const tagged = tags.map((tag): Named => [`tag:${tag}`, 'the profiles with this tag'])
    return listItems([['all', 'every profile'], ...tagged, ...profiles, SANDBOX], typed)
  },
  tags: ({ env }) => readProfileFile(env).tags.map(named),
  'own-profiles': ({ env }) => readProfileFile(env).profiles,
  statuses: (search) => {
    const noted = seen(search).statuses
    const isStandard = noted.every(([code]) => search.statuses.some(([other]) => other === code))
    // Unless the venue has its own codes, also offer the standard codes that no response has contained yet.
    return isStandard ? [...noted.filter(([, name]) => name !== ''), ...search.statuses] : noted
  },
  cards: (search) => seen(search).cards.map(named),
  durations: ({ typed }) => {
    const count = /^\d+/.exec(typed)?.[0]
    return count === undefined ? DURATIONS : LENGTHS.map(([unit, about]) => [`${count}${unit}`, about])
  },
  days: () => DAYS,
  times: ({ typed }) => {
    const count = /^[-+]?\d{1,4}(?=[mhd]?$)/.exec(typed)?.[0]
    if (count !== undefined) return AGO.map(([unit, about]) => [`${count}${unit}`, about])
    return /^(?:today|yesterday|tomorrow) /.test(typed)
      ? hoursOf(typed)
      : [['now', 'the current time'], ...DAYS, ...SPANS]
  },
  moments: ({ typed }) => {
    if (/^(?:today|tomorrow) /.test(typed)) return hoursOf(typed)
    return ['today 12:00', 'today 19:00', 'tomorrow 12:00', 'tomorrow 19:00'].map(named)
  },
  zones: () => Intl.supportedValuesOf('timeZone').map(named),
} as const satisfies Readonly<Record<string, (search: Search) => Offer>>

function listItems(all: readonly Named[], typed: string): readonly Named[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const given = before.split(',')
  return all.flatMap(([name, about]): readonly Named[] => (given.includes(name) ? [] : [[`${before}${name}`, about]]))
}

const REFERENCES: readonly Named[] = [
  ['file:', 'a file that contains the secret'],
  ['command:', 'a command that prints the secret'],
  ['env:', 'a variable that contains the secret'],
]
const DAYS = Object.entries({
  today: "the venue's current day",
  tomorrow: 'the next day',
  yesterday: 'the previous day',
})
const SPANS: readonly Named[] = [
  ['-1h', 'an hour ago'],
  ['-24h', '24 hours ago'],
  ['-7d', '7 days ago'],
  ['+2h', 'in two hours'],
]
const AGO = Object.entries({ m: 'minutes', h: 'hours', d: 'days' })
const LENGTHS: readonly Named[] = [['ms', 'milliseconds'], ['s', 'seconds'], ...AGO]
const DURATIONS: readonly Named[] = ['500ms', '10s', '30s', '2m', '10m', '1h', '1d', '7d'].map(named)

function named(name: string): Named {
  return [name, '']
}

function hoursOf(typed: string): readonly Named[] {
  const [day = ''] = typed.split(' ', 1)
  return Array.from({ length: 24 }, (_, hour) => named(`${day} ${String(hour).padStart(2, '0')}:00`))
}

function seen({ env, profile }: Search) {
  const name = profile ?? (env['PARTNER_PROFILE'] || readProfileFile(env).current)
  return name === null ? { statuses: [], cards: [] } : readSeen(env, name)
}

/** Reads the profiles. Never fails and never blocks. */
function readProfileFile(env: Variables) {
  try {
    const text = readOwnText(join(configDirectory(env), 'profiles.json'))
    const { current, profiles } = parseJson((text ?? '{}').replace(/^\uFEFF/, ''))
    const entries = Object.entries<{ environment?: unknown; tags?: unknown } | null>(profiles ?? {})
    return {
      current: typeof current === 'string' ? current : null,
      profiles: entries.map(([name, profile]) => [name, String(profile?.environment ?? '')] as const),
      tags: [...new Set(entries.flatMap(([, profile]) => profile?.tags ?? []).map(String))].sort(),
    }
  } catch {
    return { current: null, profiles: [], tags: [] }
  }
}
