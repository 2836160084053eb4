import { describe, expect, test } from 'vitest'
import type { Arrival } from '../../../src/webhooks/gaps/arrivals.ts'
import type { Change, Span } from '../../../src/webhooks/gaps/change.ts'
import { match } from '../../../src/webhooks/gaps/match.ts'

const MINUTE_MS = 60_000
const NEVER_MS = 1e15

/** Changes at minutes; a pair is a span in which it happened. */
function changesAt(...minutes: readonly (number | readonly [number, number])[]): Change[] {
  return minutes.map((minute) => {
    const [after, by] = typeof minute === 'number' ? [minute, minute] : minute
    return { afterMs: after * MINUTE_MS, byMs: by * MINUTE_MS, isCertain: true }
  })
}

function arrivalsAt(...minutes: readonly number[]): Arrival[] {
  return minutes.map((minute, at) => ({ timeMs: minute * MINUTE_MS, line: at + 1, isRepair: false }))
}

/** What is found, in short: `missing 10`, `late 10 by 30`, `duplicate 12`. Times in minutes. */
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

test('each change has its event: nothing is found, also when it comes some minutes later', () => {
  expect(found(changesAt(10, 70, 130), arrivalsAt(10.01, 70.01, 130.01))).toEqual([])
  expect(found(changesAt(10, 70, 130), arrivalsAt(10.01, 84, 131))).toEqual([])
  expect(found([], [])).toEqual([])
})

test('a change without an event is missing, whatever comes of those around it', () => {
  expect(found(changesAt(10, 70, 130), arrivalsAt(10, 130))).toEqual(['missing 70'])
  expect(found(changesAt(10), [])).toEqual(['missing 10'])
})

test('what comes twice is a duplicate, and does not stand for a change that has none', () => {
  expect(found(changesAt(10), arrivalsAt(10, 10))).toEqual(['duplicate 10'])
  expect(found(changesAt(10, 20), arrivalsAt(20, 20.001))).toEqual(['duplicate 20.001', 'missing 10'])
  expect(found(changesAt(10, 20), arrivalsAt(10, 10.001))).toEqual(['duplicate 10.001', 'missing 20'])
  // However much later, as nothing changed since.
  expect(found(changesAt(10), arrivalsAt(10, 600))).toEqual(['duplicate 600'])
})

test('what comes more than 15 minutes after its change is late', () => {
  expect(found(changesAt(10), arrivalsAt(25))).toEqual([])
  expect(found(changesAt(10), arrivalsAt(25.1))).toEqual(['late 10 by 25.1'])
  // Its own event came, and this one is neither a duplicate of that nor of any other change.
  expect(found(changesAt(10, 30), arrivalsAt(30, 50))).toEqual(['late 10 by 50'])
})

test('of two changes without an event, one that comes late goes to the later', () => {
  expect(found(changesAt(10, 20), arrivalsAt(60))).toEqual(['late 20 by 60', 'missing 10'])
})

test('what comes more than two days later belongs to no change', () => {
  expect(found(changesAt(10), arrivalsAt(10 + 49 * 60))).toEqual(['extra 2950', 'missing 10'])
})

test('an event that no change explains is extra', () => {
  expect(found([], arrivalsAt(10))).toEqual(['extra 10'])
  expect(found(changesAt(60), arrivalsAt(10, 60))).toEqual(['extra 10'])
})

test('an event of a change that was overwritten before a sync saw it is not extra', () => {
  const unseen = [{ fromMs: 0, toMs: 60 * MINUTE_MS }]
  expect(found(changesAt(60), arrivalsAt(20, 40, 60), { unseen })).toEqual([])
  expect(found(changesAt(60), arrivalsAt(20, 20.01, 60), { unseen })).toEqual(['duplicate 20.01'])
  expect(found(changesAt(60), arrivalsAt(60, 90), { unseen })).toEqual(['duplicate 90'])
})

test('changes that are close to each other each take one, in whatever time they come', () => {
  expect(found(changesAt(10, 10 + SECOND, 10 + 2 * SECOND), arrivalsAt(10.1, 10.1, 10.2))).toEqual([])
  expect(found(changesAt(10, 10 + SECOND), arrivalsAt(10.1))).toHaveLength(1)
  expect(found(changesAt(10, 10 + SECOND), arrivalsAt(10.1, 10.1, 10.1))).toEqual(['duplicate 10.1'])
})

test('clocks may differ by a minute', () => {
  for (const by of [-0.9, 0.9]) expect(found(changesAt(10, 13, 16), arrivalsAt(10 + by, 13 + by, 16 + by))).toEqual([])
})

test('a change that may have caused an event is not missing without one, and explains one', () => {
  const [maybe] = changesAt(10)
  const changes = maybe ? [{ ...maybe, isCertain: false }] : []
  expect(found(changes, [])).toEqual([])
  expect(found(changes, arrivalsAt(10))).toEqual([])
})

test('a change that is younger than 15 minutes is pending', () => {
  const changes = changesAt(10)
  expect(found(changes, [], { knownToMs: 24 * MINUTE_MS })).toEqual(['pending 10'])
  expect(found(changes, [], { knownToMs: 25 * MINUTE_MS })).toEqual(['missing 10'])
  expect(found(changes, arrivalsAt(10), { knownToMs: 11 * MINUTE_MS })).toEqual([])
})

describe('a change of which only the span is known', () => {
  test('takes an event in that span', () => {
    expect(found(changesAt([0, 600]), arrivalsAt(300))).toEqual([])
    expect(found(changesAt([0, 600]), arrivalsAt(612))).toEqual([])
    expect(found(changesAt([0, 600]), arrivalsAt(630))).toEqual(['late 600 by 630'])
    expect(found(changesAt([0, 600]), [])).toEqual(['missing 600'])
  })

  test('of two that follow each other, each takes its own', () => {
    expect(found(changesAt([0, 600], [600, 1200]), arrivalsAt(600.5, 900))).toEqual([])
    expect(found(changesAt([0, 600], [600, 1200]), arrivalsAt(900))).toEqual(['missing 600'])
  })
})

describe('a repair', () => {
  const repairAt = (minute: number): Arrival => ({ timeMs: minute * MINUTE_MS, line: 99, isRepair: true })

  test('stands for a change without an event, however much later, and is neither late nor extra nor a duplicate', () => {
    expect(found(changesAt(10), [repairAt(9000)])).toEqual([])
    expect(found(changesAt(10, 20), [repairAt(9000)])).toEqual(['missing 10'])
    expect(found(changesAt(10, 20), [repairAt(9000), repairAt(9000)])).toEqual([])
    expect(found(changesAt(10), [...arrivalsAt(10), repairAt(10.1)])).toEqual([])
  })

  test('does not stand for what changed after it', () => {
    expect(found(changesAt(10), [repairAt(5)])).toEqual(['missing 10'])
  })
})

test('thousands of events of one booking are matched', () => {
  const minutes = Array.from({ length: 3000 }, (_, at) => at / 10)
  expect(found(changesAt(...minutes), arrivalsAt(...minutes))).toEqual([])
})
