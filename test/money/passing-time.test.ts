import { describe, expect, test } from 'vitest'
import type { Phase } from './commit-server.ts'
import { History } from './history.ts'
import type { MoneyCommand, Write } from './till.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A write of which nobody knows whether the service did it. */
async function inDoubt(command: MoneyCommand, more: Partial<Write>, phase: Phase) {
  const history = await History.begin(1)
  const intent = history.want(command, more)
  history.faults(intent, { kind: 'lost', loss: 'reset', phase })
  expect(await history.attempt(intent)).toMatchObject({ said: 'unknown', exitCode: 9 })
  return { history, intent }
}

describe('a sale in doubt', () => {
  test('is looked for where it was sent, also when it is run again weeks later', async () => {
    const { history, intent: sale } = await inDoubt('sales create', { bookingId: 'BK-1' }, 'late')
    history.pass(20 * DAY_MS)
    expect(await history.attempt(sale)).toMatchObject({ said: 'applied', how: 'it was done' })
    expect(history.server.writesOn(sale.write.target)).toBe(1)
  })

  test('is not sent again when the machine was off for longer than its clock knows', async () => {
    const { history, intent: sale } = await inDoubt('sales create', { bookingId: null }, 'after')
    history.restart(30 * MINUTE_MS, false)
    const again = await history.attempt(sale)
    expect(again).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(again.how).toContain('this machine was restarted after it was first sent')
    expect(history.server.writesOn(sale.write.target)).toBe(1)
  })

  test('is not sent again when it had to wait for its turn until the service may have forgotten it', async () => {
    const { history, intent: sale } = await inDoubt('sales create', { bookingId: null }, 'after')
    history.pass(9.5 * MINUTE_MS)
    history.retries = 1
    history.faults(sale, { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '50' } })
    expect(await history.attempt(sale)).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(history.server.writesOn(sale.write.target)).toBe(2)
  })
})

test('what is known of other writes on a card is kept while one of them is in doubt, however long', async () => {
  const { history, intent } = await inDoubt('giftcards redeem', { cents: 2_500n }, 'before')
  const done = history.want('inbound redeem', { cents: 2_500n })
  expect((await history.attempt(done)).said).toBe('applied')
  history.pass(100 * DAY_MS)
  // What is old is forgotten when something new comes.
  const other = history.want('giftcards redeem', { target: 'OTHER-00000001-CARD' })
  expect((await history.attempt(other)).said).toBe('applied')
  expect(await history.resolve(intent)).toMatchObject({ said: 'not-applied' })
})

test('a balance that was read before the service did it is no proof because it took long to come', async () => {
  const history = await History.begin(1)
  const redeem = history.want('giftcards redeem')
  history.lateMs = 40_000
  history.faults(redeem, { kind: 'lost', loss: 'reset', phase: 'late' })
  expect((await history.attempt(redeem)).said).toBe('unknown')
  history.pass(20_000)
  history.attemptMs = 120_000
  history.server.faults('read', redeem.write.target, [{ kind: 'slow', meanwhile: () => history.pass(50_000) }])
  expect((await history.resolve(redeem))?.said).toBe('unknown')
  expect((await history.resolve(redeem))?.said).toBe('applied')
})

test('another redeem that ends while the balance is on its way may or may not be in it', async () => {
  const history = await History.begin(1)
  const { server } = history
  const redeem = history.want('giftcards redeem', { cents: 2_500n })
  const { target } = redeem.write
  const other = history.want('inbound redeem', { cents: 2_500n })
  // The other one reads the card while this one is on its way, and is done when this one has read the card again.
  const arrived = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  let otherEnds: Promise<unknown> = Promise.resolve()
  server.meanwhile('write', target, [
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
  server.faults('write', target, [{ kind: 'lost', loss: 'documented-500', phase: 'after' }])
  server.faults('read', target, [null, null, { kind: 'slow', meanwhile: untilTheOtherEnds }])
  expect((await history.attempt(redeem)).said).toBe('unknown')
  expect([history.committed(redeem), history.committed(other)]).toEqual([1, 1])
})
