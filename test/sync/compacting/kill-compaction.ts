import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freshDirectory, runPartner } from '../../support/partner.ts'
import { startPartner } from '../../support/running.ts'
import { booking, startDesk } from '../service.ts'

/**
 * A preloaded script that counts partner's operations on files in a directory, and kills partner before or after one of
 * them.
 */
const KILLER = `
const fs = require('node:fs')
const { KILL_IN: home, KILL_AT: at, KILL_HOW: how, KILL_COUNT: count } = process.env
let steps = 0
const own = new Set()
const isOurs = (what) => own.has(what) || String(what).startsWith(home)
for (const name of ['openSync', 'renameSync', 'rmSync', 'writeFileSync', 'writeSync', 'fsyncSync', 'truncateSync', 'ftruncateSync']) {
  const real = fs[name]
  fs[name] = (...args) => {
    if (!isOurs(args[0])) return real(...args)
    const isIt = ++steps === Number(at)
    if (isIt && how === 'before') process.kill(process.pid, 'SIGKILL')
    const result = real(...args)
    if (name === 'openSync') own.add(result)
    if (isIt) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
const { closeSync } = fs
fs.closeSync = (descriptor) => {
  own.delete(descriptor)
  return closeSync(descriptor)
}
process.on('exit', () => fs.appendFileSync(count, String(steps)))
`

const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']

/**
 * Compacts a log, and kills the process before or after a step; 0 means never. Checks that the log is whole, that a sync
 * continues it, and that a second compaction leaves nothing behind. Returns the number of steps, and which log was
 * found.
 */
export async function killCompaction(at: number, how: 'before' | 'after') {
  const { service, desk } = await startDesk(NOON)
  for (const time of ['12:00', '12:04', '12:09']) {
    service.records = ['A', 'B', 'C'].map((id) => booking(`${id}-1`, `2026-11-20T${time}:00.000Z`, { people: time }))
    service.nowMs += 300_000
    expect((await desk.sync(...SINCE)).code).toBe(0)
  }
  const old = readFileSync(desk.path, 'utf8')
  const fresh = `${desk.lines().slice(-3).join('\n')}\n`
  const count = join(freshDirectory(), 'count')
  const env = { ...desk.env, KILL_IN: desk.directory, KILL_AT: `${at}`, KILL_HOW: how, KILL_COUNT: count }
  const args = ['bookings', 'sync', 'compact', desk.path]
  const { code } = await startPartner(args, { env, preload: KILLER }).ended
  const isWhere = `step ${at}, ${how}`
  expect(code, isWhere).toBe(at === 0 ? 0 : null)
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
  const steps = existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0
  return { steps, outcome: found === old ? 'old' : 'new' }
}
