import { describe, expect, test, vi } from 'vitest'
import type { WriteKind } from '../../../src/contract/endpoint.ts'
import { NetworkError, type NetworkErrorKind } from '../../../src/http/client/errors.ts'
import { attemptUntilFinal, pause } from '../../../src/http/client/retry.ts'
import type { Reply } from '../../../src/http/client/send-once.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const LIMIT = '{"message":"You may only perform this action 10 times every 7000 milliseconds"}'

function answer(status: number, headers: Record<string, string> = {}, text = ''): Reply {
  return { status, headers, text, bytes: Buffer.from(text), body: null }
}

/**
 * Returns the delay before the second attempt in milliseconds, without waiting, or `null` if the client does not retry.
 */
async function waitAfter(
  first: Reply | NetworkError,
  { write = 'none' as WriteKind, retries = 3, longestWaitMs = 60_000 } = {},
): Promise<number | null> {
  const stop = new AbortController()
  let waited: number | null = null
  const hooks = {
    now: () => NOW,
    signal: stop.signal,
    onWait: (waitMs: number) => {
      waited = waitMs
      stop.abort(new Error('seen'))
    },
  }
  const attempt = async () => {
    if (first instanceof NetworkError) throw first
    return first
  }
  await attemptUntilFinal({ retries, write, longestWaitMs }, hooks, attempt).catch(() => {})
  return waited
}

const trouble = (kind: NetworkErrorKind, maybeSent: boolean) => new NetworkError(kind, kind, maybeSent)
const WRITES: readonly WriteKind[] = ['safe-to-repeat', 'once', 'money']

describe('the delay before a retry', () => {
  test('the client waits 500 ms, 1 s and 2 s between attempts, and up to 25% longer', async () => {
    const waits: number[] = []
    const { signal } = new AbortController()
    const { attempts } = await attemptUntilFinal(
      { retries: 3, write: 'none', longestWaitMs: 60_000 },
      { now: () => NOW, signal, onWait: (waitMs: number) => void waits.push(waitMs) },
      async () => answer(503),
    )
    expect(attempts).toBe(4)
    for (const [at, base] of [500, 1000, 2000].entries()) {
      expect(waits[at]).toBeGreaterThanOrEqual(base)
      expect(waits[at]).toBeLessThanOrEqual(base * 1.25)
    }
  })

  test('the client waits at least as long as Retry-After says, whether in seconds or as a date', async () => {
    expect(await waitAfter(answer(429, { 'retry-after': '9' }))).toBe(9000)
    expect(await waitAfter(answer(503, { 'retry-after': ' 9 ' }))).toBe(9000)
    expect(await waitAfter(answer(503, { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }))).toBe(30_000)
    expect(await waitAfter(answer(429, { 'retry-after': '0' }))).toBeGreaterThanOrEqual(500)
  })

  test('the client waits for the rate-limit window stated in a 429 response without a Retry-After header', async () => {
    expect(await waitAfter(answer(429, {}, LIMIT))).toBe(7000)
    expect(await waitAfter(answer(429, { 'retry-after': '2' }, LIMIT))).toBe(2000)
  })

  test.each(['soon', '-5', '1.5', '0x10', '1e9', 'Fri, 32 Nov 2026 12:00:30 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', ''])(
    'the client waits for the default time if Retry-After is invalid or past: %j',
    async (header) => {
      const waitMs = await waitAfter(answer(429, { 'retry-after': header }))
      expect(waitMs).toBeGreaterThanOrEqual(500)
      expect(waitMs).toBeLessThanOrEqual(625)
    },
  )

  test('the client does not retry if the service asks for too long a wait', async () => {
    expect(await waitAfter(answer(429, { 'retry-after': '61' }))).toBeNull()
    expect(await waitAfter(answer(429, { 'retry-after': '9'.repeat(40) }))).toBeNull()
    expect(await waitAfter(answer(429, { 'retry-after': '61' }), { longestWaitMs: 120_000 })).toBe(61_000)
  })

  test('the client does not wait if retries are turned off', async () => {
    expect(await waitAfter(answer(503), { retries: 0 })).toBeNull()
    expect(await waitAfter(trouble('refused', false), { retries: 0 })).toBeNull()
  })
})

describe('retryable responses', () => {
  test('the client retries reads after a lost connection and after 408, 429, 500, 502, 503 and 504', async () => {
    for (const status of [408, 429, 500, 502, 503, 504])
      expect(await waitAfter(answer(status)), String(status)).not.toBeNull()
    for (const status of [200, 304, 400, 401, 403, 404, 409, 501, 505])
      expect(await waitAfter(answer(status)), String(status)).toBeNull()
    for (const kind of ['name-lookup', 'refused', 'unreachable', 'timeout', 'broken-off'] as const)
      expect(await waitAfter(trouble(kind, true)), kind).not.toBeNull()
  })

  test.each(WRITES)(
    'the client retries "%s" writes only after a 429 or if they certainly never arrived',
    async (write) => {
      expect(await waitAfter(answer(429), { write })).not.toBeNull()
      for (const status of [200, 400, 408, 409, 500, 502, 503, 504])
        expect(await waitAfter(answer(status), { write }), String(status)).toBeNull()
      for (const kind of ['refused', 'name-lookup', 'unreachable'] as const)
        expect(await waitAfter(trouble(kind, false), { write }), kind).not.toBeNull()
      for (const kind of ['timeout', 'broken-off', 'unreachable'] as const)
        expect(await waitAfter(trouble(kind, true), { write }), kind).toBeNull()
    },
  )
})

test('an interruption ends the wait before a retry', async () => {
  const stop = new AbortController()
  const hooks = {
    now: Date.now,
    signal: stop.signal,
    onWait: () => void setTimeout(() => stop.abort(new Error('stopped')), 20),
  }
  const policy = { retries: 3, write: 'none', longestWaitMs: 60_000 } as const
  await expect(attemptUntilFinal(policy, hooks, async () => answer(429, { 'retry-after': '30' }))).rejects.toThrow(
    'stopped',
  )
})

test("a pause may be longer than Node's longest timer", async () => {
  vi.useFakeTimers()
  try {
    let hasEnded = false
    const paused = pause(31 * 86_400_000, { now: () => NOW }).then(() => {
      hasEnded = true
    })
    await vi.advanceTimersByTimeAsync(31 * 86_400_000 - 1)
    expect(hasEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await paused
  } finally {
    vi.useRealTimers()
  }
})
