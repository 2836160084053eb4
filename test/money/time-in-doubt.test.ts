import { describe, expect, test } from 'vitest'
import { getCurrentOwner, type Owner } from '../../src/base/storage/owner.ts'
import { getCurrentMoment, leastElapsedMs, type Moment, mostElapsedMs } from '../../src/money/operations/moment.ts'
import { mayBeInProgress, quietMs, SETTLING_MS } from '../../src/money/operations/settling.ts'
import { skipWithout } from '../support/needs.ts'
import { startCommitServer } from './commit-server.ts'
import { openTills } from './till.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const START: Moment = { wallMs: 1_700_000_000_000, monotonicMs: DAY_MS, boot: 'b1' }
const later = (wallMs: number, monotonicMs: number, boot: string | null = 'b1'): Moment => ({
  wallMs: START.wallMs + wallMs,
  monotonicMs: START.monotonicMs + monotonicMs,
  boot,
})

describe('leastElapsedMs', () => {
  test('leastElapsedMs returns the elapsed time if the wall clock and the monotonic clock agree', () =>
    expect(leastElapsedMs(START, later(MINUTE_MS, MINUTE_MS))).toBe(MINUTE_MS))
  test('setting the clock forward does not increase leastElapsedMs', () =>
    expect(leastElapsedMs(START, later(DAY_MS, 1000))).toBe(1000))
  test('setting the clock back does not reduce leastElapsedMs', () =>
    expect(leastElapsedMs(START, later(-DAY_MS, MINUTE_MS))).toBe(MINUTE_MS))
  test('leastElapsedMs returns the time since the last reboot, regardless of the wall clock', () => {
    const restarted = (wallMs: number): Moment => ({ wallMs: START.wallMs + wallMs, monotonicMs: 5000, boot: 'b2' })
    expect(leastElapsedMs(START, restarted(DAY_MS))).toBe(5000)
    expect(leastElapsedMs(START, restarted(-DAY_MS))).toBe(5000)
  })
  test('leastElapsedMs treats a lower monotonic time as a reboot if no boot ID is known', () => {
    const unnamed = { ...START, boot: null }
    expect(leastElapsedMs(unnamed, { ...later(2000, 2000), boot: null })).toBe(2000)
    expect(leastElapsedMs(unnamed, { wallMs: START.wallMs + DAY_MS, monotonicMs: 7000, boot: null })).toBe(7000)
  })
})

describe('mostElapsedMs', () => {
  test("mostElapsedMs returns the longer of the two clocks' elapsed times", () => {
    expect(mostElapsedMs(START, later(DAY_MS, 1000))).toBe(DAY_MS)
    expect(mostElapsedMs(START, later(-DAY_MS, 1000))).toBe(1000)
  })
  test('mostElapsedMs returns Infinity after a reboot, because a clock without a battery might have stopped', () => {
    expect(mostElapsedMs(START, later(-DAY_MS, 0, 'b2'))).toBe(Number.POSITIVE_INFINITY)
    expect(mostElapsedMs(START, { ...START, monotonicMs: 9000, boot: 'b2' })).toBe(Number.POSITIVE_INFINITY)
    const unnamed = { ...START, boot: null }
    expect(mostElapsedMs(unnamed, { ...unnamed, monotonicMs: 9000 })).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('attempts that may still be in progress', () => {
  const here = getCurrentOwner()
  const gone: Owner = { ...here, pid: 2 ** 30 }
  const inContainer: Owner = { ...here, pidNamespace: 'pid:[1]' }
  const now = getCurrentMoment()
  const ago = (ms: number): Moment => ({ ...now, wallMs: now.wallMs - ms, monotonicMs: now.monotonicMs - ms })
  const attempt = (owner: Owner, sentMs: number, over: Moment | null = null) => {
    const times = { startedAt: ago(sentMs).wallMs, sent: ago(sentMs), attemptMs: 30_000, over }
    return { owner, phase: 'sending' as const, ...times }
  }

  test('quietMs counts from when the process was first found dead or from the deadline of the attempt', () => {
    expect(quietMs(attempt(gone, 1000), now)).toBe(0)
    expect(quietMs(attempt(gone, 1000, ago(500)), now)).toBe(500)
    expect(quietMs(attempt(gone, 40_000), now)).toBe(10_000)
  })
  test('an attempt by a running process always counts as possibly in progress', () => {
    const parent = { ...here, pid: process.ppid, born: null }
    expect(mayBeInProgress(attempt(parent, DAY_MS), now)).toBe(true)
    expect(quietMs(attempt(parent, DAY_MS), now)).toBe(0)
  })
  test('an attempt in another container counts as possibly in progress until its deadline', (context) => {
    skipWithout(context, { isMet: here.pidNamespace !== null, lack: 'this system has no process namespaces' })
    expect(mayBeInProgress(attempt(inContainer, 29_000), now)).toBe(true)
    expect(mayBeInProgress(attempt(inContainer, 31_000), now)).toBe(false)
    expect(quietMs(attempt(inContainer, 40_000), now)).toBe(10_000)
  })
})

describe('unchanged balance', () => {
  const target = 'CLOCK-00000001-CARD'

  async function tillInDoubt() {
    const server = await startCommitServer()
    server.cards.set(target, { cents: 10_000n, status: 'Active' })
    server.setFaults('write', target, [{ kind: 'lost', loss: 'reset', phase: 'before' }])
    const till = (await openTills(server))()
    expect((await till.write({ command: 'giftcards redeem', target, cents: 2500n })).outcome).toBe('unknown')
    const [operation] = till.store.list()
    if (!operation) throw new Error('there is no operation')
    return { till, operation }
  }

  test.each([
    ['forward', DAY_MS],
    ['back', -DAY_MS],
  ])('an unchanged balance proves nothing for a minute, even if the clock was set %s by a day', async (_way, setBy) => {
    const { till, operation } = await tillInDoubt()
    till.setBy = setBy
    expect(await till.resolve(operation)).toBe('unknown')
    till.passed = SETTLING_MS
    expect(await till.resolve(operation)).toBe('not-applied')
  })
})
