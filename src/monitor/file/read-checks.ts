import { Fields } from '../../base/json/located/fields.ts'
import type { Complain, LocatedValue } from '../../base/json/located/located-yaml.ts'
import { CHECK_KINDS, readKind } from './check-kinds.ts'
import type { CheckEntry } from './monitor-file.ts'

const MIN_EVERY_MS = 1000
const DEFAULT_TIMEOUT_MS = 300_000
/** The longest timer delay, in milliseconds. A timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
const LONGEST_NAME = 100
/** The name under which the monitor reports its own problems. */
export const OWN_NAME = 'monitor'

const COMMON = ['name', 'every', 'for', 'repeat', 'timeout']
const KIND_NAMES = Object.keys(CHECK_KINDS)
const EXPECTED = `expected one of ${KIND_NAMES.join(', ')}, such as copy: venue.db`

/** Reads the checks. `everyMs` is the default for all checks. Reports every mistake. */
export function readChecks(
  items: readonly LocatedValue[],
  everyMs: number,
  { directory, complain }: { readonly directory: string; readonly complain: Complain },
): CheckEntry[] {
  const seen = new Map<string, number>()
  return items.flatMap((item) => {
    const fields = Fields.of(item, `expected a check: name, and one of ${KIND_NAMES.join(', ')}`, complain)
    if (!fields) return []
    const name = fields.text('name', 'copy').trim()
    const at = fields.located('name')?.place ?? fields.place
    const line = seen.get(name)
    if (name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
      complain(at, `name must be one line of at most ${LONGEST_NAME} characters`)
    if (name === OWN_NAME) complain(at, `the name ${OWN_NAME} is reserved for problems with the monitor itself`)
    if (line !== undefined && name !== '')
      complain(at, `the name ${JSON.stringify(name)} is already used on line ${line}`)
    seen.set(name, at.line)
    const rule = {
      everyMs: Math.min(readEvery(fields) ?? everyMs, LONGEST_TIMER_MS),
      forMs: fields.duration('for') ?? 0,
      repeatMs: fields.duration('repeat', MIN_EVERY_MS) ?? null,
      timeoutMs: Math.min(fields.duration('timeout', MIN_EVERY_MS) ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMER_MS),
    }
    const what = readWhat(fields, directory, complain)
    return what === null ? [] : [{ name, place: item.place, ...rule, what }]
  })
}

/** Returns the time between two evaluations in milliseconds, or `undefined` if `every` is missing. */
export function readEvery(fields: Fields): number | undefined {
  return fields.duration('every', MIN_EVERY_MS)
}

function readWhat(fields: Fields, directory: string, complain: Complain) {
  const given = KIND_NAMES.filter((kind) => fields.has(kind))
  const known = [...COMMON, ...KIND_NAMES, ...given.flatMap((kind) => CHECK_KINDS[kind]?.more ?? [])]
  fields.only(known)
  const [kind] = given
  if (kind !== undefined && given.length === 1) return readKind(kind, fields, { directory, complain })
  // An unknown member is probably a misspelled kind. It has already been reported, so do not report a missing kind too.
  const isReported = kind === undefined && fields.members().some(([name]) => !known.includes(name))
  if (!isReported) fields.complain(kind === undefined ? EXPECTED : `expected only one of ${given.join(', ')}`)
  return null
}
