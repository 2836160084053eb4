import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshMonitor, MINUTE } from './fresh-monitor.ts'

/** Returns the text of a checks file. Its only check passes while a file named `well` exists. */
const OWN = (members = '') => `
alerts: [{ file: alerts.ndjson }]
checks:
  - { name: mine, command: 'test -e well || { echo it is gone; exit 3; }'${members} }
`

describe('partner monitor --once', () => {
  test('partner monitor --once exits with code 0 and prints nothing if all checks pass', async () => {
    const monitor = freshMonitor(OWN())
    monitor.put('well', '')
    expect(await monitor.once()).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(monitor.alerts()).toEqual([])
    expect(await monitor.status()).toMatchObject([{ name: 'mine', profile: 'sandbox', state: 'ok' }])
  })

  test('partner monitor --once sends one alert when a fault begins and one when it ends, no matter how often it runs', async () => {
    const monitor = freshMonitor(OWN())
    for (const _ of [1, 2, 3]) {
      const run = await monitor.once()
      expect(run).toMatchObject({ code: 11, stdout: '' })
      expect(run.stderr).toMatch(/^1 of 1 check not ok: mine$/m)
    }
    const [began] = monitor.alerts()
    expect(began).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      check: 'mine',
      change: 'began',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      at: began?.since,
      profile: 'sandbox',
      message: 'exit code 3: it is gone',
      next: 'test -e well || { echo it is gone; exit 3; }',
    })
    expect(await monitor.status()).toMatchObject([
      { state: 'wrong', since: began?.since, message: 'exit code 3: it is gone' },
    ])
    monitor.put('well', '')
    for (const _ of [1, 2]) expect(await monitor.once()).toMatchObject({ code: 0 })
    expect(monitor.told()).toEqual(['mine began', 'mine ended'])
    expect(monitor.alerts()[1]).toMatchObject({ since: began?.since, message: 'exit code 0' })
    expect(monitor.alerts()[1]?.id).not.toBe(began?.id)
  })

  test('partner monitor --once prints one line for each change and nothing with --quiet', async () => {
    const monitor = freshMonitor(OWN())
    expect((await monitor.once()).stderr).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ mine is wrong: exit code 3: it is gone; next: test -e well/,
    )
    expect(await monitor.once('--quiet')).toEqual({ code: 11, stdout: '', stderr: '' })
    monitor.put('well', '')
    expect((await monitor.once()).stderr).toMatch(/Z mine recovered after \d+m?s: exit code 0\n$/)
  })

  test('a check with for: 10m stays ok across runs until its fault has lasted for ten minutes', async () => {
    const monitor = freshMonitor(OWN(', for: 10m'))
    expect(await monitor.once()).toMatchObject({ code: 0, stderr: '' })
    const [pending] = await monitor.status()
    expect(pending).toMatchObject({ state: 'ok', pendingSince: expect.any(String), message: 'exit code 3: it is gone' })
    expect(await monitor.onceAt(9 * MINUTE)).toMatchObject({ code: 0 })
    expect(monitor.alerts()).toEqual([])
    expect(await monitor.onceAt(11 * MINUTE)).toMatchObject({ code: 11 })
    expect(monitor.alerts()).toMatchObject([{ change: 'began', since: pending?.pendingSince }])
    expect(await monitor.status()).toMatchObject([{ state: 'wrong', since: pending?.pendingSince, pendingSince: null }])
  })

  test('a persistent fault causes at most one reminder per repeat interval', async () => {
    const monitor = freshMonitor(OWN(', repeat: 1h'))
    for (const at of [0, 30, 61, 90, 119, 122]) expect(await monitor.onceAt(at * MINUTE)).toMatchObject({ code: 11 })
    expect(monitor.told()).toEqual(['mine began', 'mine reminder', 'mine reminder'])
    const alerts = monitor.alerts()
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(3)
    expect(new Set(alerts.map(({ since }) => since)).size).toBe(1)
  })

  test('removing a check from the file clears its fault', async () => {
    const monitor = freshMonitor(OWN())
    expect(await monitor.once()).toMatchObject({ code: 11 })
    monitor.write("alerts: [{ file: alerts.ndjson }]\nchecks:\n  - { name: other, command: 'true' }\n")
    expect(await monitor.once()).toMatchObject({ code: 0 })
    expect(monitor.told()).toEqual(['mine began', 'mine ended'])
    expect(monitor.alerts()[1]?.message).toBe('the check was removed from the file')
  })

  test('a checks file is identified by its real path, so renaming the file discards its state', async () => {
    const monitor = freshMonitor(OWN())
    expect(await monitor.once()).toMatchObject({ code: 11 })
    const relative = await monitor.run('monitor', 'checks.yaml', '--once')
    expect(relative).toMatchObject({ code: 11 })
    expect(monitor.told()).toEqual(['mine began'])
    renameSync(monitor.file, join(monitor.directory, 'other.yaml'))
    expect(await monitor.run('monitor', 'other.yaml', '--once')).toMatchObject({ code: 11 })
    expect(monitor.told()).toEqual(['mine began', 'mine began'])
  })

  test('partner monitor --state stores the state in the given file', async () => {
    const monitor = freshMonitor(OWN())
    const state = ['--state', join(monitor.directory, 'state.db')]
    expect(await monitor.once(...state)).toMatchObject({ code: 11 })
    expect(await monitor.status(...state)).toMatchObject([{ state: 'wrong' }])
    expect(await monitor.status()).toMatchObject([{ state: 'unknown', since: null, message: 'not checked yet' }])
  })

  test('partner monitor --prom writes a gauge for each check', async () => {
    const monitor = freshMonitor(`${OWN()}  - { name: 'a "b"', command: 'true' }\n`)
    const prom = join(monitor.directory, 'checks.prom')
    expect(await monitor.once('--prom', prom)).toMatchObject({ code: 11 })
    const text = readFileSync(prom, 'utf8')
    expect(text).toContain('# TYPE partner_check_ok gauge\n')
    expect(text).toContain('partner_check_ok{check="mine",profile="sandbox"} 0\n')
    expect(text).toContain('partner_check_ok{check="a \\"b\\"",profile="sandbox"} 1\n')
    const since = /^partner_check_since_seconds\{check="mine",profile="sandbox"\} ([\d.]+)$/m.exec(text)?.[1]
    expect(Number(since) * 1000).toBe(Date.parse((await monitor.status())[0]?.since ?? ''))
  })
})
