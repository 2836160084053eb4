import { describe, expect, test } from 'vitest'
import type { Arrival } from '../../../src/webhooks/gaps/arrivals.ts'
import type { Change, Span } from '../../../src/webhooks/gaps/change.ts'
import { match } from '../../../src/webhooks/gaps/match.ts'

const MINUTE_MS = 60_000
const NEVER_MS = 1e15

/** Returns one change at each of the given minutes. A pair means that the change happened between the two minutes. */
function changesAt(...minutes: readonly (number | readonly [number, number])[]): Change[] {
  return minutes.map((minute) => {
    const [after, by] = typeof minute === 'number' ? [minute, minute] : minute
    return { afterMs: after * MINUTE_MS, byMs: by * MINUTE_MS, isCertain: true }
  })
}

function arrivalsAt(...minutes: readonly number[]): Arrival[] {
  return minutes.map((minute, at) => ({ timeMs: minute * MINUTE_MS, line: at + 1, isRepair: false }))
}

/**
 * Returns the findings in a short form such as `missing 10`, `late 10 by 30` or `duplicate 12`. Times are in minutes.
 */
function found(
  changes: readonly Change[],
  arrivals: readonly Arrival[],
  { unseen = [], knownToMs = NEVER_MS }: { unseen?: readonly Span[]; knownToMs?: number } = {},
): string[] {
  return match({ changes, unseen }, arrivals, knownToMs)
    .map((finding) => {
      const change = 'change' in finding ? finding.change.byMs / MINUTE_MS : null
      const arrival = 'arrival' in finding ? finding.arrival.timeMs / MINUTE_MS : null
      if (finding.class === 'late') return `late ${change} by ${arrival}`
      return `${finding.class} ${change ?? arrival}`
    })
    .sort()
}

const SECOND = 1 / 60

test('gap detection finds no gaps if there is an event for each change, even if the event arrives minutes later', () => {
  expect(found(changesAt(10, 70, 130), arrivalsAt(10.01, 70.01, 130.01))).toEqual([])
  expect(found(changesAt(10, 70, 130), arrivalsAt(10.01, 84, 131))).toEqual([])
  expect(found([], [])).toEqual([])
})

test('gap detection reports a missing event for a change even if adjacent changes have events', () => {
  expect(found(changesAt(10, 70, 130), arrivalsAt(10, 130))).toEqual(['missing 70'])
  expect(found(changesAt(10), [])).toEqual(['missing 10'])
})

test('gap detection reports a repeated event as a duplicate, even if another change has no event', () => {
  expect(found(changesAt(10), arrivalsAt(10, 10))).toEqual(['duplicate 10'])
  expect(found(changesAt(10, 20), arrivalsAt(20, 20.001))).toEqual(['duplicate 20.001', 'missing 10'])
  expect(found(changesAt(10, 20), arrivalsAt(10, 10.001))).toEqual(['duplicate 10.001', 'missing 20'])
  // A duplicate can arrive at any time before the next change.
  expect(found(changesAt(10), arrivalsAt(10, 600))).toEqual(['duplicate 600'])
})

test('gap detection reports an event as late if it arrives more than 15 minutes after its change', () => {
  expect(found(changesAt(10), arrivalsAt(25))).toEqual([])
  expect(found(changesAt(10), arrivalsAt(25.1))).toEqual(['late 10 by 25.1'])
  // The change at 30 already has its event, so the event at 50 is a late event for the change at 10.
  expect(found(changesAt(10, 30), arrivalsAt(30, 50))).toEqual(['late 10 by 50'])
})

test('if two changes have no event, gap detection matches a late event with the later change', () => {
  expect(found(changesAt(10, 20), arrivalsAt(60))).toEqual(['late 20 by 60', 'missing 10'])
})

test('gap detection reports an event as extra if it arrives more than two days after its change', () => {
  expect(found(changesAt(10), arrivalsAt(10 + 49 * 60))).toEqual(['extra 2950', 'missing 10'])
})

test('gap detection reports an event without a change as extra', () => {
  expect(found([], arrivalsAt(10))).toEqual(['extra 10'])
  expect(found(changesAt(60), arrivalsAt(10, 60))).toEqual(['extra 10'])
})

test('gap detection does not report an event as extra if its change was overwritten before the next sync', () => {
  const unseen = [{ fromMs: 0, toMs: 60 * MINUTE_MS }]
  expect(found(changesAt(60), arrivalsAt(20, 40, 60), { unseen })).toEqual([])
  expect(found(changesAt(60), arrivalsAt(20, 20.01, 60), { unseen })).toEqual(['duplicate 20.01'])
  expect(found(changesAt(60), arrivalsAt(60, 90), { unseen })).toEqual(['duplicate 90'])
})

test('gap detection matches changes that are only seconds apart with one event each', () => {
  expect(found(changesAt(10, 10 + SECOND, 10 + 2 * SECOND), arrivalsAt(10.1, 10.1, 10.2))).toEqual([])
  expect(found(changesAt(10, 10 + SECOND), arrivalsAt(10.1))).toHaveLength(1)
  expect(found(changesAt(10, 10 + SECOND), arrivalsAt(10.1, 10.1, 10.1))).toEqual(['duplicate 10.1'])
})

test('gap detection tolerates a difference of almost a minute between clocks', () => {
  for (const by of [-0.9, 0.9]) expect(found(changesAt(10, 13, 16), arrivalsAt(10 + by, 13 + by, 16 + by))).toEqual([])
})

test('gap detection accepts an uncertain change with or without an event', () => {
  const [maybe] = changesAt(10)
  const changes = maybe ? [{ ...maybe, isCertain: false }] : []
  expect(found(changes, [])).toEqual([])
  expect(found(changes, arrivalsAt(10))).toEqual([])
})

test('gap detection reports a change without an event as pending for the first 15 minutes', () => {
  const changes = changesAt(10)
  expect(found(changes, [], { knownToMs: 24 * MINUTE_MS })).toEqual(['pending 10'])
  expect(found(changes, [], { knownToMs: 25 * MINUTE_MS })).toEqual(['missing 10'])
  expect(found(changes, arrivalsAt(10), { knownToMs: 11 * MINUTE_MS })).toEqual([])
})

describe('changes whose exact time is unknown', () => {
  test('a change is matched with an event that arrives within or shortly after the period of the change', () => {
    expect(found(changesAt([0, 600]), arrivalsAt(300))).toEqual([])
    expect(found(changesAt([0, 600]), arrivalsAt(612))).toEqual([])
    expect(found(changesAt([0, 600]), arrivalsAt(630))).toEqual(['late 600 by 630'])
    expect(found(changesAt([0, 600]), [])).toEqual(['missing 600'])
  })

  test('two changes in consecutive periods are matched with one event each', () => {
    expect(found(changesAt([0, 600], [600, 1200]), arrivalsAt(600.5, 900))).toEqual([])
    expect(found(changesAt([0, 600], [600, 1200]), arrivalsAt(900))).toEqual(['missing 600'])
  })
})

describe('events that a repair sends again', () => {
  const repairAt = (minute: number): Arrival => ({ timeMs: minute * MINUTE_MS, line: 99, isRepair: true })

  test('an event sent by a repair matches an older change without an event, and is never reported as late, extra or duplicate', () => {
    expect(found(changesAt(10), [repairAt(9000)])).toEqual([])
    expect(found(changesAt(10, 20), [repairAt(9000)])).toEqual(['missing 10'])
    expect(found(changesAt(10, 20), [repairAt(9000), repairAt(9000)])).toEqual([])
    expect(found(changesAt(10), [...arrivalsAt(10), repairAt(10.1)])).toEqual([])
  })

  test('an event sent by a repair does not match a later change', () => {
    expect(found(changesAt(10), [repairAt(5)])).toEqual(['missing 10'])
  })
})

test('gap detection can match thousands of events for one booking', () => {
  const minutes = Array.from({ length: 3000 }, (_, at) => at / 10)
  expect(found(changesAt(...minutes), arrivalsAt(...minutes))).toEqual([])
})
