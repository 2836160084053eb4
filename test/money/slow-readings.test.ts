import { expect, test } from 'vitest'
import { History } from './history.ts'

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
  history.end()
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
  history.end()
})
