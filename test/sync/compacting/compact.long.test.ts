import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runPartnerCold } from '../../support/partner.ts'
import { HOWS, NO_BLOW } from '../../support/step-killer.ts'
import { booking, startDesk } from '../service.ts'
import { killCompaction } from './kill-compaction.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 60)

test('after a compaction is killed at any step, the log is either unchanged or completely compacted', {
  timeout: 120_000 + KILLS * 10_000,
}, async () => {
  const { steps } = await killCompaction(NO_BLOW)
  const outcomes = new Set<string>()
  for (let kill = 0; kill < KILLS; kill++) {
    const blow = { at: 1 + Math.floor((steps * kill) / KILLS), how: HOWS[kill % HOWS.length] ?? 'after' }
    outcomes.add((await killCompaction(blow)).outcome)
  }
  expect(outcomes).toEqual(new Set(['old', 'new']))
})

test('bookings sync compact needs little memory even for a long log', { timeout: 600_000 }, async () => {
  const { service, desk } = await startDesk('2026-11-20T00:00:00.000Z')
  const notes = 'x'.repeat(2000)
  for (let round = 0; round < 20; round++) {
    const time = new Date(service.nowMs).toISOString()
    service.records = Array.from({ length: 4000 }, (_, at) => booking(`B-${at}`, time, { notes }))
    service.nowMs += 1000
    expect((await desk.sync('--since', '2026-11-19T00:00:00Z')).code).toBe(0)
    service.nowMs += 600_000
  }
  expect(statSync(desk.path).size).toBeGreaterThan(150_000_000)
  const env = { ...desk.env, NODE_OPTIONS: '--max-old-space-size=48' }
  const done = await runPartnerCold(['bookings', 'sync', 'compact', desk.path], { env })
  expect(done.stderr).toMatch(/^bookings: 4000 kept, 76000 older versions dropped/)
  expect(done.code).toBe(0)
})
