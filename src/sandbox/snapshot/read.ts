import { Failure } from '../../failure/failure.ts'
import { findNearest } from '../../failure/nearest.ts'
import { isJsonObject, parseExact } from '../../json/exact.ts'
import { zoneNamed } from '../venue/zone.ts'
import { END, FORM_VERSION, type Header, readHeader, readVersion } from './form/header.ts'
import { complete, type Place, type Whole, Wrong } from './form/members.ts'
import type { Kind } from './kinds/kind.ts'
import { KINDS } from './kinds/kinds.ts'

/** A snapshot that was read and found right. */
export interface Snapshot {
  readonly header: Header
  readonly records: readonly { readonly kind: Kind; readonly record: Whole }[]
}

/**
 * Reads the text of a snapshot, and checks all of it. `name` is what messages call it.
 * Fails: USAGE, naming the line, when it is no snapshot, was cut short, is of a newer form, or has a line that is wrong.
 */
export function readSnapshot(text: string, name: string): Snapshot {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop()
  const at = (number: number, problem: string) =>
    new Failure('USAGE', `${name}, line ${number}: ${problem}`, {
      hint: 'mend the line or take another snapshot; nothing was changed (more: docs/snapshots.md)',
      details: { line: number },
    })
  const read = <T>(number: number, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw error instanceof Wrong ? at(number, error.message) : error
    }
  }
  const header = read(1, () => readFirst(lines[0] ?? '', name))
  const { venues } = header
  const place: Place = { location: venues[0].id, toInstant: zoneNamed(venues[0].timezone).toInstant }
  const last = lines.length - 1
  if (last === 0 || lines[last]?.trim() !== END)
    throw at(lines.length, `the file was cut short: its last line is not ${END}`)
  const seen = new Map(KINDS.map((kind) => [kind.name, new Set<string>()]))
  const records = lines.slice(1, last).map((line, index) => read(index + 2, () => readRecord(line, seen, place)))
  return { header, records }
}

function readFirst(line: string, name: string): Header {
  const first = objectOf(line)
  const version = first && readVersion(first)
  if (!first || version === null)
    throw new Failure('USAGE', `${name} is no snapshot of a sandbox`, {
      hint: 'make one: partner sandbox snapshot save NAME',
    })
  if (version > FORM_VERSION)
    throw new Failure(
      'USAGE',
      `${name} was written by a newer partner (its form is ${version}, this one reads ${FORM_VERSION})`,
      { hint: 'update partner, or take the snapshot again with this one' },
    )
  return readHeader(first)
}

function objectOf(line: string): Whole | null {
  try {
    const value = parseExact(line)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

const NAMES = KINDS.map(({ name }) => name)

function readRecord(line: string, seen: ReadonlyMap<string, Set<string>>, place: Place) {
  const object = objectOf(line)
  if (!object) throw new Wrong(line.trim() === '' ? 'it is empty' : 'it is not a JSON object')
  const [tag = ''] = Object.keys(object)
  const kind = KINDS.find(({ name }) => name === tag)
  if (!kind) {
    const near = findNearest(tag, NAMES)
    const help = near === null ? `there are ${NAMES.join(', ')}` : `did you mean "${near}"?`
    throw new Wrong(`it begins with "${tag}", which is no kind of record; ${help}`)
  }
  const record = complete(object, kind.members, place)
  const key = String(record[kind.name])
  const known = seen.get(kind.name) ?? new Set()
  if (!kind.repeats && known.has(key)) throw new Wrong(`the ${kind.name} ${JSON.stringify(key)} is there already`)
  const problem = kind.problem?.(record, seen, place) ?? null
  if (problem !== null) throw new Wrong(problem)
  known.add(key)
  return { kind, record }
}
