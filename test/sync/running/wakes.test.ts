import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import type { Copy } from '../../../src/sync/copy.ts'
import { runRepeatedly } from '../../../src/sync/running/repeat.ts'
import { Wakes } from '../../../src/sync/running/wakes.ts'

// These tests run on a simulated clock, so they do not depend on the machine's speed.

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.spyOn(process, 'uptime').mockImplementation(() => Date.now() / 1000)
  // Math.random controls the jitter of the interval. 0.5 means no jitter.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

interface Played {
  /** Groups of events: the arrival time in milliseconds, followed by the subjects of the events that arrive then. */
  readonly events: readonly (readonly [atMs: number, ...subjects: readonly (string | null)[]])[]
  readonly runMs?: number
  /** The number of records that each run finds, or `null` for a run that fails. Later runs find nothing. */
  readonly finds?: readonly (number | null)[]
  /** The pause that the rate limit requires, in milliseconds. */
  readonly pauseMs?: number
  readonly everyMs?: number
}

/**
 * Simulates two minutes of `--every 60s`. Returns when and why each run started, and the start times of the regular
 * runs.
 */
async function play({ events, runMs = 100, finds = [], pauseMs = 0, everyMs = 60_000 }: Played) {
  const stop = new AbortController()
  const wakes = new Wakes()
  const runs: string[] = []
  const regular: number[] = []
  const reported: number[] = []
  const copy = { cursorMs: 0, close: async () => undefined } as Copy
  const ended = runRepeatedly({
    ...{ everyMs, standby: false, wakes, now: Date.now, signal: stop.signal, hold: async () => copy },
    run: async () => {
      const cause = wakes.begin()
      const found = finds[runs.length]
      if (cause.isRegular) regular.push(Date.now())
      runs.push(`${Date.now()} ${cause.why}${cause.why === 'time' ? '' : ` ${cause.events}`}`)
      await new Promise((resolve) => setTimeout(resolve, runMs))
      if (found === null) throw new Failure('NETWORK_ERROR', 'the connection dropped')
      wakes.succeed(found ?? 0, pauseMs)
    },
    report: async (_, waitMs) => void reported.push(waitMs),
  }).catch(() => undefined)
  for (const [atMs, ...subjects] of events) setTimeout(() => wakes.add(subjects.map((subject) => ({ subject }))), atMs)
  await vi.advanceTimersByTimeAsync(120_000)
  stop.abort(new Error('enough'))
  await vi.advanceTimersByTimeAsync(runMs)
  await ended
  return { runs, regular, reported }
}

test('without events, runs start only at the regular interval', async () => {
  expect((await play({ events: [] })).runs).toEqual(['0 time', '60100 time'])
})

test('an event starts a run without postponing the next regular run', async () => {
  const { runs } = await play({ events: [[10_000, 'A']], finds: [5, 1] })
  expect(runs).toEqual(['0 time', '10200 events 1', '60100 time'])
})

test('a run started by an event counts as regular only if a regular run is also due', async () => {
  const { runs, regular } = await play({
    events: [
      [10_000, 'A'],
      [60_000, 'B'],
    ],
    finds: [0, 1, 1],
  })
  expect(runs).toEqual(['0 time', '10200 events 1', '60100 events 1'])
  expect(regular).toEqual([0, 60_100])
})

test('several events in quick succession cause a single run', async () => {
  const { runs } = await play({
    events: [
      [10_000, 'A', 'B'],
      [10_100, 'C'],
      [10_199, 'A'],
    ],
    finds: [0, 3],
  })
  expect(runs).toEqual(['0 time', '10200 events 4', '60100 time'])
})

test('events that arrive during a run trigger only one follow-up run', async () => {
  const events = [
    [10_000, 'A'],
    [10_300, 'B'],
    [11_000, 'C'],
    [12_000, 'D'],
  ] as const
  const { runs } = await play({ events, runMs: 2000, finds: [0, 1, 3] })
  expect(runs).toEqual(['0 time', '10200 events 1', '12700 events 3', '62000 time'])
})

test('an event that arrives during the first run is not lost', async () => {
  const { runs } = await play({ events: [[1000, 'A']], runMs: 5000, finds: [9, 1] })
  expect(runs).toEqual(['0 time', '5500 events 1', '65000 time'])
})

test('a stream of events starts runs with the shortest allowed pause between them', async () => {
  const events = Array.from({ length: 100 }, (_, n) => [10_000 + n * 100, `${n}`] as const)
  const { runs } = await play({ events, finds: Array(100).fill(100) })
  // Each run takes 100 ms and is followed by a pause of 500 ms.
  expect(runs.slice(1, 4)).toEqual(['10200 events 3', '10800 events 6', '11400 events 6'])
  expect(runs.filter((run) => run.includes('events'))).toHaveLength(18)
})

test('the pause between runs is at least as long as the rate limit requires', async () => {
  const events = [
    [10_000, 'A'],
    [20_000, 'B'],
    [30_300, 'C'],
  ] as const
  const { runs } = await play({ events, finds: [0, 2, 1], pauseMs: 30_000 })
  expect(runs).toEqual(['0 time', '30100 events 2', '60200 events 1'])
})

test('if a run finds fewer changes than its events announced, another run starts two seconds later', async () => {
  expect((await play({ events: [[10_000, 'A', 'B']], finds: [0, 1, 1] })).runs).toEqual([
    ...['0 time', '10200 events 2', '12300 again 2', '60100 time'],
  ])
  expect((await play({ events: [[10_000, 'A', 'A', null]], finds: [0, 1] })).runs).toHaveLength(3)
  expect((await play({ events: [[10_000, 'A']], finds: [0, 0, 0] })).runs.map((run) => run.split(' ')[1])).toEqual([
    ...['time', 'events', 'again', 'time'],
  ])
})

test('if a run finds only the change that an earlier event announced, another run follows for the later event', async () => {
  const events = [
    [10_000, 'A'],
    [11_000, 'B'],
  ] as const
  const { runs } = await play({ events, finds: [0, 0, 1, 1] })
  expect(runs).toEqual(['0 time', '10200 events 1', '11200 events 1', '13300 again 1', '60100 time'])
})

test('if a run started by events fails, another run follows after a wait that grows with each failure', async () => {
  const { runs, reported } = await play({ events: [[10_000, 'A']], finds: [0, null, null, null, 1] })
  expect(runs).toEqual([
    ...['0 time', '10200 events 1', '15300 events 1', '25400 events 1', '45500 events 1', '105600 time'],
  ])
  expect(reported).toEqual([5000, 10_000, 20_000])
})

test('while the service fails, events do not shorten the growing wait between runs', async () => {
  const events = Array.from({ length: 600 }, (_, n) => [10_000 + n * 100, `${n}`] as const)
  const { runs } = await play({ events, finds: [0, ...Array(20).fill(null)] })
  expect(runs.map((run) => Number(run.split(' ')[0]))).toEqual([0, 10_200, 15_300, 25_400, 45_500, 85_600])
})

test('events do not lengthen the wait after a failure', async () => {
  const { runs, reported } = await play({ events: [[500, 'A']], finds: [null, 1], everyMs: 2000 })
  expect(runs.slice(0, 2)).toEqual(['0 time', '2100 events 1'])
  expect(reported).toEqual([2000])
})
