import { describe, expect, test } from 'vitest'
import { toWireTime } from '../../../src/base/time/instant.ts'
import { resolveRange, resolveWindow, splitWindow, type WindowFlags } from '../../../src/base/time/window.ts'
import { failureOf } from '../../support/failure.ts'

const NOW = Date.parse('2026-11-20T07:30:00Z')
const SYDNEY = { now: NOW, timezone: 'Australia/Sydney' }
const UTC = { now: NOW, timezone: null }

function resolved(flags: WindowFlags, clock: { now: number; timezone: string | null } = UTC): string[] {
  const { kind, fromMs, toMs } = resolveWindow(flags, clock)
  return [kind, toWireTime(fromMs), toWireTime(toMs)]
}

describe('resolveWindow', () => {
  test.each<[WindowFlags, string[]]>([
    [{ updatedFrom: '-24h' }, ['updated', '2026-11-19T07:30:00.000Z', '2026-11-20T07:30:00.000Z']],
    [{ updatedFrom: '24h', updatedTo: '-1h' }, ['updated', '2026-11-19T07:30:00.000Z', '2026-11-20T06:30:00.000Z']],
    [{ from: '2026-11-21' }, ['booking', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z']],
    [{ from: '2026-11-21 18:00' }, ['booking', '2026-11-21T18:00:00.000Z', '2026-11-21T23:59:59.999Z']],
    [{ from: 'today', to: 'tomorrow' }, ['booking', '2026-11-20T00:00:00.000Z', '2026-11-21T23:59:59.999Z']],
    [{ from: '2026-11-21', to: '2026-11-21' }, ['booking', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z']],
    [{}, ['booking', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z']],
    [{ date: 'tomorrow' }, ['booking', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z']],
    [{ date: '-2d' }, ['booking', '2026-11-18T00:00:00.000Z', '2026-11-18T23:59:59.999Z']],
    [{ updatedFrom: 'now' }, ['updated', '2026-11-20T07:30:00.000Z', '2026-11-20T07:30:00.000Z']],
  ])('resolveWindow(%j) returns %j', (flags, window) => expect(resolved(flags)).toEqual(window))

  test('if --to is missing, resolveWindow ends the range at the end of the day in the zone', () =>
    expect(resolved({ from: '2026-11-20T20:00:00Z' }, SYDNEY).join(' ')).toBe(
      'booking 2026-11-20T20:00:00.000Z 2026-11-21T12:59:59.999Z',
    ))

  test.each<[string, WindowFlags, string]>([
    ['--date with --from', { date: 'today', from: 'today' }, '--date and --from cannot be used together'],
    [
      '--date with --updated-to',
      { date: 'today', updatedTo: 'now' },
      '--date and --updated-to cannot be used together',
    ],
    ['a time in --date', { date: 'today 18:00' }, '--date: "today 18:00" is a time, not a day'],
    ['--to without --from', { to: '2026-11-21' }, '--to needs --from'],
    ['--updated-to without --updated-from', { updatedTo: 'now' }, '--updated-to needs --updated-from'],
    [
      'both kinds of range',
      { from: 'today', to: 'today', updatedTo: 'now' },
      '--from --to and --updated-to cannot be used together',
    ],
    ['an end before its start', { from: 'tomorrow', to: 'today' }, '--from tomorrow is after --to today'],
    ['an --updated-from in the future', { updatedFrom: '+1h' }, '--updated-from +1h is after now'],
  ])('resolveWindow refuses %s', (_what, flags, message) => {
    const failure = failureOf(() => resolveWindow(flags, UTC))
    expect([failure.code, failure.message]).toEqual(['USAGE', message])
    expect(failure.hint).toBeTruthy()
  })

  test('resolveWindow reports all problems together', () => {
    expect(failureOf(() => resolveWindow({ updatedFrom: 'soon', updatedTo: '2026-02-30' }, UTC)).details).toEqual({
      problems: ['--updated-from: "soon" is not a time', '--updated-to: "2026-02-30" is not a day in the calendar'],
    })
    expect(failureOf(() => resolveWindow({ from: 'soon', updatedTo: '24h' }, UTC)).details).toEqual({
      problems: [
        '--from and --updated-to cannot be used together',
        '--from: "soon" is not a time',
        '--updated-to: "24h" could be in the past or the future',
      ],
    })
    const missing = failureOf(() => resolveWindow({ to: 'soon' }, UTC))
    expect(missing.details).toEqual({ problems: ['--to needs --from', '--to: "soon" is not a time'] })
  })

  test('resolveWindow reports an unknown time zone once, not for each flag', () => {
    const failure = failureOf(() =>
      resolveWindow({ from: 'today', to: 'today' }, { now: NOW, timezone: 'Mars/Olympus' }),
    )
    expect(failure.message).toBe('the time zone "Mars/Olympus" is unknown')
  })
})

test("resolveRange uses the rule's flag names in its error messages", () => {
  const rule = { fromFlag: '--issued-from', toFlag: '--issued-to', openEnd: 'now' } as const
  expect(resolveRange({ from: '-1h' }, rule, UTC)).toEqual({ fromMs: NOW - 3_600_000, toMs: NOW })
  expect(failureOf(() => resolveRange({ to: 'now' }, rule, UTC)).message).toBe('--issued-to needs --issued-from')
  expect(failureOf(() => resolveRange({}, rule, UTC)).message).toBe('--issued-from is required')
})

describe('splitWindow', () => {
  test.each([
    [0, 0, 10],
    [0, 9, 10],
    [0, 10, 10],
    [5, 104, 7],
    [5, 8, 1],
    [NOW, NOW + 999, 100_000],
  ])('splitWindow covers %i to %i with adjacent windows of at most %i ms', (fromMs, toMs, maxMs) => {
    const windows = [...splitWindow(fromMs, toMs, maxMs)]
    expect(windows).toHaveLength(Math.max(1, Math.ceil((toMs - fromMs) / maxMs)))
    expect([windows[0]?.fromMs, windows.at(-1)?.toMs]).toEqual([fromMs, toMs])
    windows.forEach((window, index) => {
      expect(window.toMs - window.fromMs).toBeLessThanOrEqual(maxMs)
      expect(window.fromMs).toBe(index === 0 ? fromMs : windows[index - 1]?.toMs)
    })
  })

  test('splitWindow creates windows lazily', () =>
    expect(splitWindow(0, 3e12, 1).next().value).toEqual({ fromMs: 0, toMs: 1 }))

  test('splitWindow rejects a window length below one millisecond', () => {
    for (const maxMs of [0, -1, Number.NaN]) expect(() => splitWindow(0, 10, maxMs).next()).toThrow(RangeError)
  })
})
