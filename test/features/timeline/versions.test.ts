import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json/exact.ts'
import { type Entry, entryRecord } from '../../../src/features/timeline/entry.ts'
import { pointOutAfterCancel } from '../../../src/features/timeline/of/gift-card.ts'
import { differences, factsOf, undated, versionEntries } from '../../../src/features/timeline/versions.ts'

const version = (lastModifiedDate: string | null, code: string, more: JsonObject = {}): JsonObject => ({
  ...{ bookingId: 'BK-1', lastModifiedDate, people: 2, status: { code }, ...more },
})

const entriesOf = (...records: readonly (readonly [record: JsonObject, where: string | null])[]) =>
  versionEntries(
    'BK-1',
    records.map(([record, where]) => ({ record, where })),
  )

describe('versions of a booking', () => {
  test('in any order are told in the order of their dates; the same one is told once, with all places', () => {
    const entries = entriesOf(
      [version('2026-11-20T02:00:00Z', 'B'), null],
      [version('2026-11-20T01:00:00Z', 'A'), 'b.ndjson:1'],
      // The same instant, written in another way, and without what the other has.
      [version('2026-11-20T12:00:00+11:00', 'A', { people: null }), 'b.csv:2'],
    )
    expect(entries.map(({ where, source, text }) => [where, source, text])).toEqual([
      ['b.ndjson:1, b.csv:2', 'copy', 'first known version: A, 2 people'],
      [null, 'service', 'status A → B (current)'],
    ])
  })

  test('with one date that differ are odd', () => {
    const at = '2026-11-20T01:00:00Z'
    const [, second] = entriesOf([version(at, 'A'), 'x:1'], [version(at, 'B'), 'y:1'])
    expect(second?.oddity).toBe('it differs from another version with the same modification date')
  })

  test('say nothing of a status that comes for the first time, whatever it is called', () => {
    const codes = ['SEATED', 'CONFIRMED', 'FINISHED', 'ARRIVED']
    const versions = codes.map((code, hour) => [version(`2026-11-20T0${hour}:00:00Z`, code), null] as const)
    expect(entriesOf(...versions).map(({ oddity }) => oddity)).toEqual([null, null, null, null])
  })

  test('tell a cancellation by its type as well as by its code', () => {
    const cancelled = version('2026-11-20T01:00:00Z', 'x1', { status: { code: 'x1', statusType: 'cancelled' } })
    const [, back] = entriesOf([cancelled, null], [version('2026-11-20T02:00:00Z', 'x2'), null])
    expect(back?.oddity).toBe('it has a new status after it was cancelled')
  })

  test('without a date are counted', () => {
    const seen = [{ record: version(null, 'A'), where: null }]
    expect([versionEntries('BK-1', seen), undated(seen)]).toEqual([[], 1])
  })
})

test('a member that a version lacks is no difference, and a cell of CSV equals a list', () => {
  const full = factsOf({ people: 4, tables: [{ tableName: 'T1' }], status: { code: 'A' }, notes: 'pram' })
  const row = factsOf({ people: '4', tables: '[{"tableName":"T1"}]', 'status.code': 'A', notes: 'no pram' })
  expect(differences(full, row)).toEqual(['notes changed'])
  expect(differences(full, factsOf({}))).toEqual([])
})

const entry = (atMs: number, more: Partial<Entry> = {}): Entry => ({
  ...{ atMs, kind: 'outcome', source: 'operations', where: null, subject: 'X', text: 't', oddity: null },
  ...more,
})

test('redeeming is odd only when it certainly began after the cancellation', () => {
  const cancel = entry(100, { act: { what: 'cancelled', afterMs: 90 } })
  const began = (afterMs: number) => entry(200, { act: { what: 'redeemed', afterMs } })
  expect(pointOutAfterCancel([cancel, began(99), began(100)]).map(({ oddity }) => oddity)).toEqual([
    ...[null, null, 'redeemed after it was cancelled'],
  ])
  expect(pointOutAfterCancel([began(300)]).map(({ oddity }) => oddity)).toEqual([null])
})

test('an entry has the local time of the venue, and whether it is still to come', () => {
  const [past, coming] = [entry(Date.UTC(2026, 0, 1)), entry(Date.UTC(2026, 6, 1, 14, 0, 7))]
  const at = { timezone: 'Australia/Sydney', nowMs: Date.UTC(2026, 2, 1) }
  expect(entryRecord(past, at)).toMatchObject({ local: '2026-01-01 11:00:00', future: false })
  expect(entryRecord(coming, at)).toMatchObject({ local: '2026-07-02 00:00:07', future: true })
  expect(entryRecord(coming, { ...at, timezone: null })['local']).toBeNull()
})
