import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json/exact.ts'
import { type Entry, toEntryRecord } from '../../../src/features/timeline/entry.ts'
import { markRedeemedAfterCancel } from '../../../src/features/timeline/of/gift-card.ts'
import { countUndated, differences, factsOf, versionEntries } from '../../../src/features/timeline/versions.ts'

const version = (lastModifiedDate: string | null, code: string, more: JsonObject = {}): JsonObject => ({
  ...{ bookingId: 'BK-1', lastModifiedDate, people: 2, status: { code }, ...more },
})

const entriesOf = (...records: readonly (readonly [record: JsonObject, where: string | null])[]) =>
  versionEntries(
    'BK-1',
    records.map(([record, where]) => ({ record, where })),
  )

describe('booking versions in a timeline', () => {
  test('a timeline sorts booking versions by date and merges equal versions from several sources', () => {
    const entries = entriesOf(
      [version('2026-11-20T02:00:00Z', 'B'), null],
      [version('2026-11-20T01:00:00Z', 'A'), 'b.ndjson:1'],
      // The same version, with its time in another notation and without the number of people.
      [version('2026-11-20T12:00:00+11:00', 'A', { people: null }), 'b.csv:2'],
    )
    expect(entries.map(({ where, source, text }) => [where, source, text])).toEqual([
      ['b.ndjson:1, b.csv:2', 'copy', 'first known version: A, 2 people'],
      [null, 'service', 'status A → B (current)'],
    ])
  })

  test('a timeline marks a booking version as odd if another version has the same modification date', () => {
    const at = '2026-11-20T01:00:00Z'
    const [, second] = entriesOf([version(at, 'A'), 'x:1'], [version(at, 'B'), 'y:1'])
    expect(second?.oddity).toBe('it differs from another version with the same modification date')
  })

  test('a timeline never marks the first occurrence of a status as odd, regardless of its name', () => {
    const codes = ['SEATED', 'CONFIRMED', 'FINISHED', 'ARRIVED']
    const versions = codes.map((code, hour) => [version(`2026-11-20T0${hour}:00:00Z`, code), null] as const)
    expect(entriesOf(...versions).map(({ oddity }) => oddity)).toEqual([null, null, null, null])
  })

  test('a timeline recognizes a cancelled booking by its status type even if the status code is unknown', () => {
    const cancelled = version('2026-11-20T01:00:00Z', 'x1', { status: { code: 'x1', statusType: 'cancelled' } })
    const [, back] = entriesOf([cancelled, null], [version('2026-11-20T02:00:00Z', 'x2'), null])
    expect(back?.oddity).toBe('its status changed after it was cancelled')
  })

  test('a timeline counts booking versions without a date, but does not list them', () => {
    const seen = [{ record: version(null, 'A'), where: null }]
    expect([versionEntries('BK-1', seen), countUndated(seen)]).toEqual([[], 1])
  })
})

test('a timeline does not report missing members or CSV formatting as differences', () => {
  const full = factsOf({ people: 4, tables: [{ tableName: 'T1' }], status: { code: 'A' }, notes: 'pram' })
  const row = factsOf({ people: '4', tables: '[{"tableName":"T1"}]', 'status.code': 'A', notes: 'no pram' })
  expect(differences(full, row)).toEqual(['notes changed'])
  expect(differences(full, factsOf({}))).toEqual([])
})

const entry = (atMs: number, more: Partial<Entry> = {}): Entry => ({
  ...{ atMs, kind: 'outcome', source: 'operations', where: null, subject: 'X', text: 't', oddity: null },
  ...more,
})

test('a timeline marks a redemption as odd only if it certainly happened after the card was cancelled', () => {
  const cancel = entry(100, { act: { what: 'cancelled', afterMs: 90 } })
  const began = (afterMs: number) => entry(200, { act: { what: 'redeemed', afterMs } })
  expect(markRedeemedAfterCancel([cancel, began(99), began(100)]).map(({ oddity }) => oddity)).toEqual([
    ...[null, null, 'redeemed after it was cancelled'],
  ])
  expect(markRedeemedAfterCancel([began(300)]).map(({ oddity }) => oddity)).toEqual([null])
})

test('a timeline entry contains the venue-local time and says whether it is in the future', () => {
  const [past, coming] = [entry(Date.UTC(2026, 0, 1)), entry(Date.UTC(2026, 6, 1, 14, 0, 7))]
  const at = { timezone: 'Australia/Sydney', nowMs: Date.UTC(2026, 2, 1) }
  expect(toEntryRecord(past, at)).toMatchObject({ local: '2026-01-01 11:00:00', future: false })
  expect(toEntryRecord(coming, at)).toMatchObject({ local: '2026-07-02 00:00:07', future: true })
  expect(toEntryRecord(coming, { ...at, timezone: null })['local']).toBeNull()
})
