import { resolve } from 'node:path'
import { findNearest } from '../../base/failure/nearest.ts'
import type { Fields } from '../../base/json/located/fields.ts'
import { type Complain, type LocatedValue, toPlainValue } from '../../base/json/located/located-yaml.ts'
import { isWholeDay, parseInstant } from '../../base/time/instant.ts'
import { databaseKind } from '../../sync/database-kind.ts'
import { DOCTOR_ROWS } from './doctor-rows.ts'
import { type CheckKind, COPIED_RESOURCES } from './monitor-file.ts'

interface Reading {
  readonly directory: string
  readonly complain: Complain
}

interface KindReader {
  /** The other members that a check of this kind can have. */
  readonly more: readonly string[]
  readonly read: (fields: Fields, reading: Reading) => CheckKind | null
}

/** The default age above which a copy is too old. The doctor uses the same limit. */
const DEFAULT_OLDER_THAN_MS = 3_600_000

/** The kinds of checks, keyed by the member that selects them. */
export const CHECK_KINDS: Readonly<Record<string, KindReader>> = {
  doctor: { more: ['warnings'], read: readDoctor },
  copy: {
    more: ['older-than', 'resource', 'source'],
    read: (fields, reading) => ({
      kind: 'copy',
      copy: copyOf(fields, 'copy', reading, /\.(?:ndjson|csv)$/),
      olderThanMs: fields.duration('older-than', 1000) ?? DEFAULT_OLDER_THAN_MS,
      resource: fields.word('resource', COPIED_RESOURCES) ?? 'bookings',
      source: sourceOf(fields),
    }),
  },
  operations: {
    more: [],
    read: inner('operations', 'members, such as { open-longer-than: 15m }', (fields) => {
      fields.only(['open-longer-than'])
      fields.need('open-longer-than', 'a duration, such as 15m')
      return { kind: 'operations', openLongerThanMs: fields.duration('open-longer-than') ?? 0 }
    }),
  },
  events: {
    more: [],
    read: inner('events', 'members, such as { journal: deliveries.ndjson, silent-for: 2h }', readEvents),
  },
  gaps: { more: [], read: inner('gaps', 'members, such as { journal: deliveries.ndjson, copy: venue.db }', readGaps) },
  drift: {
    more: [],
    read: (fields) => ({ kind: 'drift', failOn: fields.word('drift', ['documented', 'assumed']) ?? 'documented' }),
  },
  books: { more: [], read: inner('books', 'members, such as { sales: till.csv, date: yesterday }', readBooks) },
  disk: {
    more: [],
    read: inner('disk', 'members, such as { path: /var, free-below: 1GB }', (fields, { directory }) => {
      fields.only(['path', 'free-below'])
      return { kind: 'disk', path: resolve(directory, fields.text('path', '/var')), freeBelowBytes: sizeOf(fields) }
    }),
  },
  command: { more: [], read: (fields) => ({ kind: 'command', command: fields.text('command', './check.sh') }) },
}

/** Reads the settings of a check of the given kind. Reports every mistake. */
export function readKind(kind: string, fields: Fields, reading: Reading): CheckKind | null {
  return CHECK_KINDS[kind]?.read(fields, reading) ?? null
}

function inner(name: string, expected: string, read: KindReader['read']): KindReader['read'] {
  return (fields, reading) => {
    const own = fields.fields(name, expected)
    return own && read(own, reading)
  }
}

function readDoctor(fields: Fields, { complain }: Reading): CheckKind {
  const warnings = fields.flag('warnings') ?? false
  const given = fields.located('doctor')
  const isList = Array.isArray(given?.value)
  if (!isList && given?.value === 'all') return { kind: 'doctor', rows: null, warnings }
  const items = isList ? fields.list('doctor', 'rows, such as [service, key]') : given ? [given] : []
  const rows = items.flatMap((item) => rowOf(item, complain) ?? [])
  return { kind: 'doctor', rows, warnings }
}

function rowOf({ value, place }: LocatedValue, complain: Complain): string | null {
  const row = DOCTOR_ROWS.find((one) => one === value)
  if (row !== undefined) return row
  const near = typeof value === 'string' ? findNearest(value, DOCTOR_ROWS) : null
  const next = near === null ? `use all, or some of ${DOCTOR_ROWS.join(', ')}` : `did you mean ${near}?`
  const what = typeof value === 'string' ? JSON.stringify(value) : 'this'
  complain(place, `the doctor has no row ${what}; ${next}`)
  return null
}

function readEvents(fields: Fields, reading: Reading): CheckKind {
  fields.only(['journal', 'inbox', 'silent-for'])
  if (fields.has('journal') && fields.has('inbox')) fields.complain('expected journal or inbox, not both', 'inbox')
  const isInbox = fields.has('inbox')
  const journal = journalOf(fields, isInbox ? 'inbox' : 'journal', reading)
  if (isInbox && databaseKind(journal) !== 'postgres')
    fields.complain('inbox must be postgres://USER@HOST/DATABASE', 'inbox')
  const silentForMs = fields.duration('silent-for', 1000) ?? null
  if (databaseKind(journal) !== 'postgres') fields.need('silent-for', 'a duration, such as 2h')
  return { kind: 'events', journal, silentForMs }
}

function readGaps(fields: Fields, reading: Reading): CheckKind {
  fields.only(['journal', 'copy', 'since', 'source'])
  const since = fields.optionalText('since') || null
  const clock = { now: Date.now(), timezone: null, edge: 'lower', flag: 'since' } as const
  if (since !== null && !isAllowed(() => parseInstant(since, clock)))
    fields.complain('since must be a time, such as -24h or 2026-11-20', 'since')
  const [journal, copy] = [journalOf(fields, 'journal', reading), copyOf(fields, 'copy', reading, /\.ndjson$/)]
  return { kind: 'gaps', journal, copy, since, source: sourceOf(fields) }
}

function readBooks(fields: Fields, reading: Reading): CheckKind {
  fields.only(['sales', 'date', 'map', 'copy', 'source'])
  const date = fields.optionalText('date') || null
  if (date !== null && !isWholeDay(date)) fields.complain('date must be a day, such as yesterday or 2026-11-20', 'date')
  const copy = fields.has('copy') ? copyOf(fields, 'copy', reading, /\.ndjson$/) : null
  const sales = resolve(reading.directory, fields.text('sales', 'till.csv'))
  return { kind: 'books', sales, date, map: mapOf(fields), copy, source: sourceOf(fields) }
}

/** Reads a map of columns: a string such as `saleId=Receipt,total=Sum`, a list of such strings, or an object. */
function mapOf(fields: Fields): readonly string[] {
  const located = fields.located('map')
  if (located === undefined) return []
  const value = toPlainValue(located)
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value as string[]
  if (located.value instanceof Map)
    return Object.entries(value as Record<string, unknown>).map(([key, column]) => `${key}=${column}`)
  fields.complain('map must be text, such as saleId=Receipt,total=Sum', 'map')
  return []
}

function journalOf(fields: Fields, name: string, { directory }: Reading): string {
  const text = fields.text(name, 'deliveries.ndjson')
  return text === '' || databaseKind(text) === 'postgres' ? text : resolve(directory, text)
}

function copyOf(fields: Fields, name: string, { directory }: Reading, files: RegExp): string {
  const text = fields.text(name, 'venue.db')
  const database = databaseKind(text)
  if (text === '' || database === 'postgres') return text
  if (database === null && !files.test(text))
    fields.complain(`${name} must be a copy that sync created, such as bookings.ndjson, venue.db or postgres://…`, name)
  return resolve(directory, text)
}

function sourceOf(fields: Fields): string | null {
  return fields.optionalText('source').trim() || null
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
  ...{ KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3, TIB: 1024 ** 4 },
}

function sizeOf(fields: Fields): number {
  fields.need('free-below', 'a size, such as 1GB or 500MB')
  const text = String(fields.plain('free-below') ?? '').trim()
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?([kmgt]?i?b)$/i.exec(text) ?? []
  const factor = UNITS[unit.toUpperCase()]
  if (factor !== undefined) return Number(digits) * factor
  if (fields.has('free-below')) fields.complain('free-below must be a size, such as 1GB or 500MB', 'free-below')
  return 0
}

function isAllowed(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
