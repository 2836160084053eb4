import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startPartner } from '../../support/running.ts'
import { startAlertReceiver } from './alert-receiver.ts'
import { freshMonitor } from './fresh-monitor.ts'

/**
 * Returns a script that kills its process with SIGKILL at step `at`, or writes the number of steps to a file if the
 * process exits earlier. A step is a moment before or after a call that accesses a database, file or socket, or that
 * starts a process.
 */
function killAt(at: number, countFile: string): string {
  return `
    let steps = 0
    const step = () => { if (++steps === ${at}) process.kill(process.pid, 'SIGKILL') }
    const around = (object, ...names) => {
      for (const name of names) {
        const inner = object[name]
        object[name] = function (...args) {
          step()
          const result = inner.apply(this, args)
          step()
          return result
        }
      }
    }
    const fs = require('node:fs')
    const { writeFileSync } = fs
    const { DatabaseSync, StatementSync } = require('node:sqlite')
    around(DatabaseSync.prototype, 'exec', 'close')
    around(StatementSync.prototype, 'run', 'all', 'get')
    around(fs, 'openSync', 'writeSync', 'fsyncSync', 'rmSync')
    around(require('node:net').Socket.prototype, 'write', 'push')
    around(require('node:child_process'), 'spawn')
    process.on('exit', () => writeFileSync(${JSON.stringify(countFile)}, String(steps)))
  `
}

/**
 * Runs one round per kill. In each round, a check changes, one run of the monitor is killed at some step, and the next
 * run completes. The receiver, which deduplicates alerts by ID, must then have exactly one more alert.
 */
export async function playKills(kills: number): Promise<{ readonly steps: number; readonly resent: number }> {
  const receiver = await startAlertReceiver()
  const monitor = freshMonitor(`
every: 1s
alerts: [{ webhook: '${receiver.url}' }, { file: alerts.ndjson }]
checks: [{ name: mine, command: test -e well }]
`)
  const countFile = join(monitor.directory, 'steps')
  const well = join(monitor.directory, 'well')
  const settle = async () => {
    const run = await monitor.once()
    expect(run, run.stderr).toMatchObject({ code: existsSync(well) ? 0 : 11 })
    expect(run.stderr).not.toContain('warning')
  }
  const play = (at: number, isOnce: boolean) => {
    const options = { env: monitor.env, preload: killAt(at, countFile) }
    return startPartner(['monitor', monitor.file, ...(isOnce ? ['--once'] : [])], options).ended
  }
  monitor.put('well', '')
  await settle()
  // Count the steps of a run that reports a change and is not killed.
  rmSync(well)
  expect(await play(0, true)).toMatchObject({ code: 11 })
  const steps = Number(readFileSync(countFile, 'utf8'))
  for (let round = 1; round <= kills; round++) {
    if (existsSync(well)) rmSync(well)
    else monitor.put('well', '')
    const at = 1 + Math.floor(((round - 1) * steps) / kills)
    const killed = await play(at, round % 2 === 0)
    // A run with fewer than `at` steps is not killed.
    if (killed.code !== null) expect([0, 11]).toContain(killed.code)
    await settle()
    expect(receiver.taken.length, `the alerts accepted after a kill at step ${at} of ${steps}`).toBe(round + 1)
  }
  const changes = receiver.taken.map(({ change }) => change)
  expect(changes).toEqual(changes.map((_, index) => (index % 2 === 0 ? 'began' : 'ended')))
  expect(new Set(receiver.taken.map(({ at }) => at)).size).toBe(changes.length)
  // The file must contain every alert. It may contain an alert twice, because it is not deduplicated.
  expect(new Set(monitor.alerts().map(({ id }) => id))).toEqual(new Set(receiver.taken.map(({ id }) => id)))
  const bodies = new Map<string, string>()
  for (const { headers, body } of receiver.server.requests) {
    const id = headers['idempotency-key'] ?? ''
    expect(bodies.get(id) ?? body).toBe(body)
    bodies.set(id, body)
  }
  return { steps, resent: receiver.server.requests.length - receiver.taken.length }
}
