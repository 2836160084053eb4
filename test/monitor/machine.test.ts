import { describe, expect, test } from 'vitest'
import {
  type Change,
  type CheckState,
  type Finding,
  type Rule,
  step,
  type Verdict,
} from '../../src/monitor/state/machine.ts'

const MINUTE = 60_000
const AT_ONCE: Rule = { forMs: 0, repeatMs: null }

const finding = (verdict: Verdict, message: string = verdict): Finding => ({ verdict, message, next: null })

type Moment = readonly [atMinute: number, verdict: Verdict]

/**
 * Feeds the state machine a finding at each of the given minutes. Returns the final state and each change with its
 * minute.
 */
function play(rule: Rule, moments: readonly Moment[]) {
  let state: CheckState | null = null
  const told: string[] = []
  const keys: string[] = []
  for (const [minute, verdict] of moments) {
    const next: { after: CheckState; change: Change | null } = step(state, finding(verdict), rule, minute * MINUTE)
    state = next.after
    if (next.change === null) continue
    told.push(`${minute} ${next.change.change} since ${next.change.sinceMs / MINUTE}`)
    keys.push(next.change.key)
  }
  return { state, told, keys }
}

describe('reports of state changes', () => {
  test('a check that is ok from the start is never reported', () => {
    const { state, told } = play(AT_ONCE, [
      [0, 'ok'],
      [1, 'ok'],
    ])
    expect(told).toEqual([])
    expect(state).toMatchObject({ state: 'ok', sinceMs: 0, checkedMs: MINUTE })
  })

  test('the beginning and the end of a fault are each reported once', () => {
    const { state, told } = play(AT_ONCE, [
      [0, 'ok'],
      [1, 'wrong'],
      [2, 'wrong'],
      [5, 'ok'],
      [6, 'ok'],
    ])
    expect(told).toEqual(['1 began since 1', '5 ended since 1'])
    expect(state).toMatchObject({ state: 'ok', sinceMs: 5 * MINUTE })
  })

  test('a check that is wrong at its first evaluation is reported immediately', () =>
    expect(play(AT_ONCE, [[3, 'wrong']]).told).toEqual(['3 began since 3']))

  test('the unknown state counts as a fault, and changes between unknown and wrong are not reported', () => {
    const { state, told } = play(AT_ONCE, [
      [0, 'unknown'],
      [1, 'wrong'],
      [2, 'unknown'],
      [3, 'ok'],
    ])
    expect(told).toEqual(['0 began since 0', '3 ended since 0'])
    expect(state).toMatchObject({ state: 'ok' })
    expect(
      play(AT_ONCE, [
        [0, 'wrong'],
        [1, 'unknown'],
      ]).state,
    ).toMatchObject({ state: 'unknown', sinceMs: 0 })
  })
})

describe('the "for" duration', () => {
  const rule: Rule = { forMs: 2 * MINUTE, repeatMs: null }

  test('a fault that clears before the "for" duration has passed is not reported', () => {
    const { state, told } = play(rule, [
      [0, 'ok'],
      [1, 'wrong'],
      [2, 'wrong'],
      [2.5, 'ok'],
      [3, 'wrong'],
      [4, 'unknown'],
    ])
    expect(told).toEqual([])
    expect(state).toMatchObject({ state: 'ok', sinceMs: 0, pendingSinceMs: 3 * MINUTE })
  })

  test('a fault is reported after the "for" duration, with its start time', () => {
    const { state, told } = play(rule, [
      [0, 'ok'],
      [1, 'wrong'],
      [2, 'wrong'],
      [3, 'wrong'],
      [9, 'ok'],
    ])
    expect(told).toEqual(['3 began since 1', '9 ended since 1'])
    expect(state).toMatchObject({ pendingSinceMs: null })
  })

  test('the "for" duration starts again if the clock is set back', () => {
    expect(
      play(rule, [
        [100, 'wrong'],
        [10, 'wrong'],
        [11, 'wrong'],
        [12, 'wrong'],
      ]).told,
    ).toEqual(['12 began since 10'])
  })
})

describe('the repeat interval', () => {
  const rule: Rule = { forMs: 0, repeatMs: 60 * MINUTE }

  test('a reminder of a persistent fault is sent at each repeat interval', () => {
    const { told, keys } = play(rule, [
      [0, 'wrong'],
      [59, 'wrong'],
      [61, 'wrong'],
      [120, 'wrong'],
      [121, 'wrong'],
      [122, 'ok'],
    ])
    expect(told).toEqual(['0 began since 0', '61 reminder since 0', '121 reminder since 0', '122 ended since 0'])
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('reminders continue even if the clock is set back by a year', () => {
    const year = 365 * 24 * 60
    expect(
      play(rule, [
        [year, 'wrong'],
        [0, 'wrong'],
        [61, 'wrong'],
      ]).told,
    ).toEqual([`${year} began since ${year}`, `61 reminder since ${year}`])
  })
})

test('a fault never starts twice or ends without having started, and every change has its own key', () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  for (let run = 0; run < 300; run++) {
    const rule = { forMs: random(3) * MINUTE, repeatMs: random(2) === 0 ? null : (1 + random(5)) * MINUTE }
    let minute = 0
    const moments = Array.from({ length: 60 }, (): Moment => {
      minute += random(20) === 0 ? -random(30) : random(3)
      return [minute, (['ok', 'wrong', 'unknown'] as const)[random(3)] ?? 'ok']
    })
    const { told, keys, state } = play(rule, moments)
    expect(new Set(keys).size).toBe(keys.length)
    let isOpen = false
    for (const line of told) {
      const change = line.split(' ')[1]
      expect(change === 'began').toBe(!isOpen)
      isOpen = change !== 'ended'
    }
    expect(state?.state !== 'ok').toBe(isOpen)
  }
})
