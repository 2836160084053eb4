import { describe, expect, test } from 'vitest'
import type { Phase } from './commit-server.ts'
import { History } from './history.ts'
import type { MoneyCommand, Write } from './till.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Starts a simulation with a write whose outcome is unknown. */
async function inDoubt(command: MoneyCommand, more: Partial<Write>, phase: Phase) {
  const history = await History.begin(1)
  const intent = history.addIntent(command, more)
  history.faults(intent, { kind: 'lost', loss: 'reset', phase })
  expect(await history.attempt(intent)).toMatchObject({ said: 'unknown', exitCode: 9 })
  return { history, intent }
}

describe('sales with an unknown outcome', () => {
  test('a sale is looked up around the time when it was first sent, even if it is retried weeks later', async () => {
    const { history, intent: sale } = await inDoubt('sales create', { bookingId: 'BK-1' }, 'late')
    history.passTime(20 * DAY_MS)
    expect(await history.attempt(sale)).toMatchObject({ said: 'applied', how: 'it was done' })
    expect(history.server.writesOn(sale.write.target)).toBe(1)
  })

  test('a sale is not resent if the machine was off for longer than its clock indicates', async () => {
    const { history, intent: sale } = await inDoubt('sales create', { bookingId: null }, 'after')
    history.restart(30 * MINUTE_MS, false)
    const again = await history.attempt(sale)
    expect(again).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(again.how).toContain('this machine was restarted after the sale was first sent')
    expect(history.server.writesOn(sale.write.target)).toBe(1)
  })

  test('a sale is not resent if a 429 delays it until the service might have forgotten its ID', async () => {
    const { history, intent: sale } = await inDoubt('sales create', { bookingId: null }, 'after')
    history.passTime(9.5 * MINUTE_MS)
    history.retries = 1
    history.faults(sale, { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '50' } })
    expect(await history.attempt(sale)).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(history.server.writesOn(sale.write.target)).toBe(2)
  })
})

test('partner keeps its records of all writes to a card as long as one of them has an unknown outcome', async () => {
  const { history, intent } = await inDoubt('giftcards redeem', { cents: 2_500n }, 'before')
  const done = history.addIntent('inbound redeem', { cents: 2_500n })
  expect((await history.attempt(done)).said).toBe('applied')
  history.passTime(100 * DAY_MS)
  // Record another write, because partner removes old records only when it adds one.
  const other = history.addIntent('giftcards redeem', { target: 'OTHER-00000001-CARD' })
  expect((await history.attempt(other)).said).toBe('applied')
  expect(await history.resolve(intent)).toMatchObject({ said: 'not-applied' })
})

test('an old balance in a slow response does not prove that a redemption did not take effect', async () => {
  const history = await History.begin(1)
  const redeem = history.addIntent('giftcards redeem')
  history.lateMs = 40_000
  history.faults(redeem, { kind: 'lost', loss: 'reset', phase: 'late' })
  expect((await history.attempt(redeem)).said).toBe('unknown')
  history.passTime(20_000)
  history.attemptMs = 120_000
  history.server.setFaults('read', redeem.write.target, [{ kind: 'slow', meanwhile: () => history.passTime(50_000) }])
  expect((await history.resolve(redeem))?.said).toBe('unknown')
  expect((await history.resolve(redeem))?.said).toBe('applied')
})

test('a redemption has an unknown outcome if another redemption for the same amount completes while the balance is being read', async () => {
  const history = await History.begin(1)
  const { server } = history
  const redeem = history.addIntent('giftcards redeem', { cents: 2_500n })
  const { target } = redeem.write
  const other = history.addIntent('inbound redeem', { cents: 2_500n })
  // The other redemption reads the balance while the first one is in flight. It completes only after the first one has
  // read the balance again.
  const arrived = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  let otherEnds: Promise<unknown> = Promise.resolve()
  server.setCallbacks('write', target, [
    () => {
      otherEnds = history.run().write(other.write)
      return arrived.promise
    },
    () => {
      arrived.resolve()
      return goesOn.promise
    },
  ])
  const untilTheOtherEnds = async () => {
    goesOn.resolve()
    await otherEnds
  }
  server.setFaults('write', target, [{ kind: 'lost', loss: 'documented-500', phase: 'after' }])
  server.setFaults('read', target, [null, null, { kind: 'slow', meanwhile: untilTheOtherEnds }])
  expect((await history.attempt(redeem)).said).toBe('unknown')
  expect([history.committed(redeem), history.committed(other)]).toEqual([1, 1])
})
