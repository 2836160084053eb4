import { describe, expect, test } from 'vitest'
import { History } from './history.ts'

const MINUTE_MS = 60_000

describe('a sale in doubt', () => {
  test('is not sent again when the machine was off for longer than its clock knows', async () => {
    const history = await History.begin(1)
    const sale = history.want('sales create', { bookingId: null })
    history.faults(sale, { kind: 'lost', loss: 'reset', phase: 'after' })
    expect((await history.attempt(sale)).said).toBe('unknown')
    history.restart(30 * MINUTE_MS, false)
    expect(await history.attempt(sale)).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(history.server.writesOn(sale.write.target)).toBe(1)
    history.end()
  })
})
