import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import { call } from '../../../src/client/calls/call.ts'
import type { Caller } from '../../../src/client/calls/caller.ts'
import { LONGEST_LEARNED_WINDOW_MS, Pace } from '../../../src/client/calls/pace.ts'
import { listBookings } from '../../../src/contract/bookings/booking.ts'
import { getGiftCard } from '../../../src/contract/giftcards.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import { freshDirectory } from '../../support/partner.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

/** Creates a rate-limit store with a single limit: one request every `windowMs` milliseconds. */
function learned(windowMs: number, at = Date.now()): Pace {
  const pace = new Pace(join(freshDirectory(), 'pace.db'), 'test')
  pace.learn(getGiftCard, { count: 1, windowMs }, at)
  return pace
}

/** Creates a caller with the real clock and a transport that always succeeds. */
function callerWith(pace: Pace, more: Partial<Caller> = {}): Caller & { readonly sent: number } {
  let sent = 0
  return {
    baseUrl: new URL('http://127.0.0.1:9'),
    transport: async () => {
      sent++
      return jsonReply(200, { cardNumber: 'x', status: 'Active' })
    },
    profile: null,
    retries: 0,
    attemptMs: 1000,
    longestWaitMs: 60_000,
    hooks: { now: Date.now },
    pace,
    ...more,
    get sent() {
      return sent
    },
  }
}

const read = (caller: Caller) => call(caller, getGiftCard, { path: { cardNumber: 'x' } })

describe('rate limits learned from the service', () => {
  const tooLong = [LONGEST_LEARNED_WINDOW_MS + 1, 3_600_000, 86_400_000]
  test.each(tooLong)('a rate limit with a window of %d ms applies for at most a minute', (windowMs) => {
    const pace = learned(windowMs, NOW)
    const limit = { waitMs: 60_000, count: 1, windowMs: 60_000, learnedAt: NOW }
    expect(pace.reserveSlot(getGiftCard, NOW)).toMatchObject(limit)
    expect(pace.reserveSlot(getGiftCard, NOW + 59_999)).toMatchObject({ waitMs: 1 })
    expect(pace.reserveSlot(getGiftCard, NOW + 60_000)).toBeNull()
  })

  test('a rate limit applies for no longer than its window, even if the clock was set back', () =>
    expect(learned(10_000, NOW).reserveSlot(getGiftCard, NOW - 9_000)?.waitMs).toBeLessThanOrEqual(10_000))

  test("an endpoint's limit is remembered for a day and does not apply to other endpoints", () => {
    const pace = learned(3_600_000, NOW)
    expect(pace.limitOf(getGiftCard, NOW)).toMatchObject({ count: 1, windowMs: LONGEST_LEARNED_WINDOW_MS })
    expect(pace.limitOf(listBookings, NOW)).toBeNull()
    expect(pace.limitOf(getGiftCard, NOW + 25 * 3_600_000)).toBeNull()
    expect(new Pace(join(freshDirectory(), 'pace.db'), 'test').limitOf(getGiftCard, NOW)).toBeNull()
  })

  test('a request that ignores a rate limit is sent immediately but still counts towards the limit', () => {
    const pace = learned(10_000, NOW)
    expect(pace.reserveSlot(getGiftCard, NOW + 9_000, 'ignore')).toBeNull()
    expect(pace.reserveSlot(getGiftCard, NOW + 10_000)).toMatchObject({ waitMs: 9_000 })
  })

  test('a call that has to wait for a rate limit reports the wait and then proceeds', async () => {
    const told: number[] = []
    const before = performance.now()
    await read(callerWith(learned(200), { hooks: { now: Date.now, onPace: ({ waitMs }) => void told.push(waitMs) } }))
    expect(performance.now() - before).toBeGreaterThanOrEqual(180)
    // There may be several notifications, because a call waits again if its timer fires a millisecond early.
    expect(told.length).toBeGreaterThan(0)
  })

  test('a call fails with a hint if a rate limit would delay it beyond its maximum wait', async () => {
    const caller = callerWith(learned(30_000), { longestWaitMs: 20_000 })
    const failed = await read(caller).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Failure)
    const { code, message, hint, outcome } = failed as Failure
    expect({ code, outcome }).toEqual({ code: 'RATE_LIMITED', outcome: 'none' })
    expect(message).toMatch(/used up: .*1 request every 30 s for GET \/GiftCards\/\{cardNumber\}, as reported \d s ago/)
    expect(hint).toMatch(/try again in \d\d seconds, or remove .*pace\.db to try immediately/)
    expect(caller.sent).toBe(0)
  })

  test("a call fails if the rate limit stays exhausted until the call's maximum wait has passed", async () => {
    const pace = learned(1000)
    const callers = Array.from({ length: 4 }, () => callerWith(pace, { longestWaitMs: 2500 }))
    const ended = await Promise.allSettled(callers.map(read))
    const codes = ended.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Failure).code] : []))
    expect(codes).toEqual(codes.map(() => 'RATE_LIMITED'))
    expect(codes.length).toBeGreaterThanOrEqual(1)
    expect(codes.length).toBeLessThan(4)
  })

  test('a call that ignores rate limits does not wait', async () => {
    const caller = callerWith(learned(50_000), { pacing: 'ignore', longestWaitMs: 1 })
    await read(caller)
    expect(caller.sent).toBe(1)
  })
})
