import { describe, expect, test } from 'vitest'
import { History } from './history.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

describe('a sale in doubt', () => {
  test('is looked for where it was sent, also when it is run again weeks later', async () => {
    const history = await History.begin(1)
    const sale = history.want('sales create', { bookingId: 'BK-1' })
    history.faults(sale, { kind: 'lost', loss: 'reset', phase: 'late' })
    expect(await history.attempt(sale)).toMatchObject({ said: 'unknown', exitCode: 9 })
    history.pass(20 * DAY_MS)
    expect(await history.attempt(sale)).toMatchObject({ said: 'applied', how: 'it was done' })
    expect(history.server.writesOn(sale.write.target)).toBe(1)
    history.end()
  })

  test('is not sent again when the machine was off for longer than its clock knows', async () => {
    const history = await History.begin(1)
    const sale = history.want('sales create', { bookingId: null })
    history.faults(sale, { kind: 'lost', loss: 'reset', phase: 'after' })
    expect((await history.attempt(sale)).said).toBe('unknown')
    history.restart(30 * MINUTE_MS, false)
    const again = await history.attempt(sale)
    expect(again).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(again.how).toContain('this machine was restarted since it was first sent')
    expect(history.server.writesOn(sale.write.target)).toBe(1)
    history.end()
  })

  test('is not sent again when it had to wait for its turn until the service may have forgotten it', async () => {
    const history = await History.begin(1)
    const sale = history.want('sales create', { bookingId: null })
    history.faults(sale, { kind: 'lost', loss: 'reset', phase: 'after' })
    expect((await history.attempt(sale)).said).toBe('unknown')
    history.pass(9.5 * MINUTE_MS)
    history.retries = 1
    history.faults(sale, { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '50' } })
    expect(await history.attempt(sale)).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(history.server.writesOn(sale.write.target)).toBe(2)
    history.end()
  })
})

test('what is known of other writes on a card is kept while one of them is in doubt, however long', async () => {
  const history = await History.begin(1)
  const inDoubt = history.want('giftcards redeem', { cents: 2_500n })
  history.faults(inDoubt, { kind: 'lost', loss: 'reset', phase: 'before' })
  expect((await history.attempt(inDoubt)).said).toBe('unknown')
  const done = history.want('inbound redeem', { cents: 2_500n })
  expect((await history.attempt(done)).said).toBe('applied')
  history.pass(100 * DAY_MS)
  // What is old is forgotten when something new comes.
  const other = history.want('giftcards redeem', { target: 'OTHER-00000001-CARD' })
  expect((await history.attempt(other)).said).toBe('applied')
  expect(await history.resolve(inDoubt)).toMatchObject({ said: 'not-applied' })
  history.end()
})
