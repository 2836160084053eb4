import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { type Blow, runUntilStep } from '../../support/step-killer.ts'
import { booking, startDesk } from '../service.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']

/**
 * Compacts a log and kills the process at a step, or lets it finish if the step is 0. Checks that the log is complete,
 * that a sync can continue it, and that a second compaction leaves no temporary files. Returns the number of steps and
 * whether the kill left the old or the new log.
 */
export async function killCompaction(blow: Blow) {
  const { service, desk } = await startDesk(NOON)
  for (const time of ['12:00', '12:04', '12:09']) {
    service.records = ['A', 'B', 'C'].map((id) => booking(`${id}-1`, `2026-11-20T${time}:00.000Z`, { people: time }))
    service.nowMs += 300_000
    expect((await desk.sync(...SINCE)).code).toBe(0)
  }
  const old = readFileSync(desk.path, 'utf8')
  const fresh = `${desk.lines().slice(-3).join('\n')}\n`
  const args = ['bookings', 'sync', 'compact', desk.path]
  const { code, steps } = await runUntilStep(args, desk.env, blow)
  const isWhere = `step ${blow.at}, ${blow.how}`
  expect(code, isWhere).toBe(blow.at === 0 ? 0 : null)
  const found = readFileSync(desk.path, 'utf8')
  expect([old, fresh], isWhere).toContain(found)
  service.records = [booking('D', '2026-11-20T12:14:00.000Z'), ...service.records]
  service.nowMs += 300_000
  const next = await desk.sync()
  expect(next.code, `${isWhere} ${next.stderr}`).toBe(0)
  expect(next.stderr, isWhere).toMatch(/1 new, 0 changed/)
  expect(new Set(desk.has().slice(-4)), isWhere).toEqual(
    new Set(['A-1@12:09:00', 'B-1@12:09:00', 'C-1@12:09:00', 'D@12:14:00']),
  )
  expect((await runPartner(args, { env: desk.env })).code, isWhere).toBe(0)
  expect(desk.lines(), isWhere).toHaveLength(4)
  const names = readdirSync(desk.directory).filter((name) => !name.endsWith('.lock') && !name.endsWith('.holder'))
  expect(names.sort(), isWhere).toEqual(['b.ndjson', 'b.ndjson.state'])
  return { steps, outcome: found === old ? 'old' : 'new' }
}
