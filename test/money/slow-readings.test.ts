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
