import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runShell } from '../../support/partner.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { freshMonitor } from './fresh-monitor.ts'

const WELL = "checks: [{ name: mine, command: 'true' }]\n"

test.each([
  [['monitor'], 2, 'missing argument FILE'],
  [['monitor', 'none.yaml', '--once'], 2, 'cannot read "none.yaml": no such file'],
  [['monitor', '-', '--once'], 2, 'cannot read "-"'],
  [['monitor', '.', '--once'], 2, 'cannot read "."'],
  [['monitor', 'checks.yaml', 'more.yaml', '--once'], 2, 'unexpected argument "more.yaml"'],
  [['monitor', 'checks.yaml', '--onse'], 2, 'unknown flag --onse; did you mean --once?'],
  [['monitor', 'checks.yaml', '--once', '--jobs', '0'], 2, '--jobs must be a whole number from 1 to 100'],
  [['monitor', 'checks.yaml', '--once', '--prom', 'checks.txt'], 2, '--prom must name a file that ends in .prom'],
  [['monitor', 'checks.yaml', '--once', '--prom', 'no/such/checks.prom'], 2, '--prom: checks.prom cannot be written'],
  [['monitor', 'checks.yaml', '--once', '--state', 'no/such/state.db'], 2, '--state: state.db cannot be written'],
  [['monitor', 'checks.yaml', '--once', '--state', 'checks.yaml'], 2, 'checks.yaml is not a state file of partner'],
  [['monitor', 'checks.yaml', '--once', '--state', 'link.db'], 2, 'link.db is a symbolic link'],
  [['monitor', 'checks.yaml', '--once', '--profile', 'nobody'], 4, 'there is no profile "nobody"'],
  [['monitor', 'checks.yaml', '--once', '--profiles', 'a,,b'], 2, '--profiles must not contain an empty name'],
  [['monitor', 'checks.yaml', '--once', '--profiles', 'nobody'], 4, 'there is no profile "nobody"'],
  [
    ['monitor', 'checks.yaml', '--once', '--profiles', 'sandbox', '-p', 'sandbox'],
    2,
    '--profile and --profiles cannot be used together',
  ],
  [['monitor', 'status'], 2, 'missing argument FILE'],
  [['monitor', 'status', 'none.yaml'], 2, 'cannot read "none.yaml"'],
  [['monitor', 'status', 'wrong.yaml'], 2, 'wrong.yaml:1:11: name is missing'],
  [['monitor', 'status', 'checks.yaml', '--once'], 2, 'unknown flag --once'],
  [['monitor', 'status', 'checks.yaml', '--state', 'checks.yaml'], 2, 'checks.yaml is not a state file of partner'],
  [['monitor', 'status', 'checks.yaml', '-p', 'nobody'], 4, 'there is no profile "nobody"'],
  [['monitor', 'test'], 2, 'missing argument FILE'],
  [['monitor', 'test', 'none.yaml'], 2, 'cannot read "none.yaml"'],
  [['monitor', 'test', 'wrong.yaml'], 2, 'wrong.yaml:1:11: name is missing'],
  [['monitor', 'test', 'checks.yaml'], 2, 'checks.yaml has no alert destinations'],
  [['monitor', 'test', 'checks.yaml', '--state', 'x.db'], 2, 'unknown flag --state'],
])('partner %j exits with code %i', async (args, code, says) => {
  const monitor = freshMonitor(WELL)
  monitor.put('wrong.yaml', 'checks: [ {} ]')
  symlinkSync('elsewhere.db', join(monitor.directory, 'link.db'))
  expectRefusal(await monitor.run(...args), { code, says })
})

test('partner monitor does not accept a pipe as its checks file', async () => {
  const { env, directory } = freshMonitor(WELL)
  const run = await runShell('partner monitor <(cat checks.yaml) --once', { env, cwd: directory })
  expectRefusal(run, { code: 2, says: 'it is a pipe', next: 'pass a file that contains checks' })
})

test('partner monitor reports all mistakes in the checks file together, with line and column, before it runs any check', async () => {
  const monitor = freshMonitor(`every: soon
checks:
  - { name: a, doctor: [servic] }
  - { name: a, command: touch ran }
`)
  const run = await monitor.run('monitor', 'checks.yaml', '--once')
  expectRefusal(run, { code: 2, says: 'error: 3 problems:\n', next: 'partner help monitor' })
  expect(run.stderr).toContain('  checks.yaml:1:8: every must be a duration of at least 1s, such as 90s or 2h\n')
  expect(run.stderr).toContain('  checks.yaml:3:25: the doctor has no row "servic"; did you mean service?\n')
  expect(run.stderr).toContain('  checks.yaml:4:13: the name "a" is already used on line 3\n')
  const error = reportedError(await monitor.run('monitor', 'checks.yaml', '--once', '--json'))
  expect(error).toMatchObject({
    code: 'USAGE',
    details: { problems: expect.arrayContaining([expect.stringContaining(':4:13: ')]) },
  })
  expect(await monitor.status().catch(() => null)).toBeNull()
})

test('partner monitor accepts a checks file named test or status if it is given as a path', async () => {
  const monitor = freshMonitor(WELL)
  for (const name of ['test', 'status']) {
    monitor.put(name, WELL)
    expect(await monitor.run('monitor', `./${name}`, '--once')).toMatchObject({ code: 0 })
  }
})

test('monitor status and monitor test accept every format, and their JSON matches the schemas', async () => {
  const monitor = freshMonitor(`alerts: [{ file: alerts.ndjson }]\n${WELL}`)
  for (const command of ['status', 'test']) {
    const run = await monitor.run('monitor', command, 'checks.yaml', '--json')
    expect(schemaViolations(`monitor ${command}`, run.stdout)).toEqual([])
    for (const format of ['table', 'ndjson', 'csv', 'tsv'])
      expect(await monitor.run('monitor', command, 'checks.yaml', '-o', format)).toMatchObject({ code: 0 })
  }
  expect(await monitor.once()).toMatchObject({ code: 0 })
  const run = await monitor.run('monitor', 'status', 'checks.yaml', '--json')
  expect(schemaViolations('monitor status', run.stdout)).toEqual([])
})
