import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skipWithout } from '../../../support/needs.ts'
import { freshDirectory, freshHome, runPartner, runProgram } from '../../../support/partner.ts'
import { schemaErrors, startedBy, XMLLINT } from '../../../support/windows-task.ts'

/** Sets up partner with a `city` profile that has the given key. */
async function desk(key = 'env:CITY_KEY') {
  const home = freshHome()
  const cwd = freshDirectory()
  const env = { ...home, CITY_KEY: 'a-key-that-nobody-sees' }
  const run = (...line: readonly string[]) => runPartner(line, { env, cwd })
  const added = await run('profiles', 'add', 'city', '--base-url', 'https://service.example', '--api-key', key)
  expect(added.code, added.stderr).toBe(0)
  return { run, cwd, home }
}

const UNIT = ['bookings', 'sync', 'unit', '--profile', 'city']

test('bookings sync unit prints the complete command line without the key', async () => {
  const { run, cwd, home } = await desk()
  const done = await run(...UNIT, '--to', 'my copy.db', '--overlap', '10m', '--include-customer', '--every', '1h')
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).not.toContain('a-key-that-nobody-sees')
  expect(done.stdout).toContain('# /etc/systemd/system/partner-bookings-city.service')
  const words = `bookings sync --profile city --to "${resolve(cwd, 'my copy.db')}" --overlap 10m --include-customer --no-input`
  expect(done.stdout).toContain(words)
  expect(done.stdout).toContain(`Environment=PARTNER_CONFIG_DIR=${home.PARTNER_CONFIG_DIR}`)
  expect(done.stdout).toContain('OnUnitInactiveSec=3600s')
  expect(done.stdout).toMatch(/^0 \* \* \* \* /m)
  expect(done.stdout).toContain('put CITY_KEY=… into /etc/partner/partner-bookings-city.env')
})

test('bookings sync unit --query can print only the service unit', async () => {
  const { run } = await desk()
  expect((await run(...UNIT, '--to', 'b.db', '--json', '--query', 'service.text', '-r')).stdout).toMatch(/^\[Unit\]\n/)
})

test('the crontab line from bookings sync unit contains a working command', async () => {
  const { run } = await desk()
  const { crontab, timer } = JSON.parse(
    (await run('bookings', 'sync', 'unit', '--profile', 'sandbox', '--to', 'b.ndjson', '--json')).stdout,
  )
  expect(timer.name).toBe('partner-bookings-sandbox.timer')
  const sync = await runProgram('sh', ['-c', crontab.replace(/^(?:\S+ ){5}/, '')])
  expect(sync).toMatchObject({ code: 0, stderr: expect.stringContaining(' new, 0 changed') })
})

test('bookings sync unit says that cron cannot run a job every 90 seconds', async () => {
  const { run } = await desk()
  expect((await run(...UNIT, '--to', 'b.db', '--every', '90s')).stdout).toContain('Cron cannot run at this interval')
  expect(JSON.parse((await run(...UNIT, '--to', 'b.db', '--every', '90s', '--json')).stdout).crontab).toBeNull()
})

describe('bookings sync unit --format', () => {
  test('bookings sync unit --format systemd prints only the units, and --format cron prints only the crontab line', async () => {
    const { run } = await desk('file:/etc/partner/key')
    const both = await run(...UNIT, '--to', 'b.db')
    const systemd = await run(...UNIT, '--to', 'b.db', '--format', 'systemd')
    const cron = await run(...UNIT, '--to', 'b.db', '--format', 'cron')
    expect(cron.stdout).toMatch(/^\*\/5 \* \* \* \* .*\n$/)
    expect(both.stdout).toBe(`${systemd.stdout}\n# Or use cron instead of both units: crontab -e\n${cron.stdout}`)
  })

  test('bookings sync unit --format schtasks prints a valid task without the key, followed by the command that installs it', async (context) => {
    skipWithout(context, XMLLINT)
    const { run } = await desk()
    const done = await run(...UNIT, '--to', 'b.db', '--every', '1h', '--format', 'schtasks')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(await schemaErrors(done.stdout)).toBe('')
    expect(done.stdout).not.toContain('a-key-that-nobody-sees')
    expect(done.stdout).toContain('The profile reads its key from CITY_KEY')
    expect(done.stdout).toContain('schtasks /create /tn partner-bookings-city /xml partner-bookings-city.xml')
    expect(done.stdout).toContain('<Interval>PT1H</Interval>')
  })

  test('the command in a scheduled task works, even if the target name has characters that are special on Windows', async () => {
    const { run, cwd, home } = await desk()
    const flags = ['--to', '%TEMP% & "cöpy" 50%.ndjson', '--format', 'schtasks']
    const { stdout } = await run('bookings', 'sync', 'unit', '--profile', 'sandbox', ...flags)
    const { program, args, environment } = startedBy(stdout)
    expect(environment).toMatchObject(home)
    const sync = await runProgram(program, args, { env: environment })
    expect(sync).toMatchObject({ code: 0, stderr: expect.stringContaining(' new, 0 changed') })
    expect(readdirSync(cwd)).toContain('%TEMP% & "cöpy" 50%.ndjson')
  })

  test.each([
    ['systemd', ['service', 'timer']],
    ['cron', ['crontab']],
    ['schtasks', ['task']],
  ])('bookings sync unit --format %s sets the other members of the JSON output to null', async (format, members) => {
    const { run } = await desk()
    const { stdout } = await run(...UNIT, '--to', 'b.db', '--format', format, '--json')
    const shown = JSON.parse(stdout)
    expect(Object.keys(shown)).toEqual(['service', 'timer', 'crontab', 'task'])
    expect(Object.keys(shown).filter((name) => shown[name] !== null)).toEqual(members)
  })

  test('bookings sync unit --format schtasks prints the same task with and without --query task.text', async () => {
    const { run } = await desk()
    const line = [...UNIT, '--to', 'b.db', '--format', 'schtasks']
    const withoutStart = (text: string) => text.replace(/<StartBoundary>.*</, '')
    const plain = withoutStart((await run(...line)).stdout)
    expect(plain).toMatch(/^<\?xml version="1.0"\?>\n/)
    expect(withoutStart((await run(...line, '--json', '--query', 'task.text', '-r')).stdout).trimEnd()).toBe(
      plain.trimEnd(),
    )
    const install = await run(...line, '--json', '--query', 'task.install', '-r')
    expect(install.stdout).toBe('schtasks /create /tn partner-bookings-city /xml partner-bookings-city.xml\n')
  })
})

test.each([
  [['--to', '-'], 'nothing reads the stream'],
  [['--to', 'b.txt'], '--to must end in'],
  [['--to', 'b.db', '--every', '1s'], '--every'],
  [['--to', 'b.db', '--every', '59s', '--format', 'schtasks'], 'too short for Task Scheduler: the minimum is 1m'],
  [['--to', 'b.db', '--every', '90s', '--format', 'cron'], 'cron cannot run at this interval'],
  [['--to', 'b.db', '--format', 'launchd'], '--format'],
  [['--to', 'b.db', '--overlap', 'soon'], '--overlap'],
  // A timer must not contain flags that make every sync fail.
  [['--to', 'b.db', '--overlap', '400d'], '--overlap'],
  [['--to', 'b.db', '--lease', '2h'], '--lease'],
  [['--to', 'b.db', '--since', 'soonish'], '--since'],
  [['--to', 'b.db', '--since', '2040-01-01'], 'in the future'],
  // Cron would run the text after the line break as a separate command.
  [['--to', 'a\n* * * * * touch x\n.db'], '\\n* * * * * touch x\\n.db" has a control character'],
  [['--to', 'b.db', '--source', 'city\nUser=root'], 'has a control character'],
  [['--to', 'a\nb.db', '--format', 'schtasks'], '\\nb.db" has a control character'],
])('bookings sync unit refuses %j (exit code 2)', async (flags, words) => {
  expect(await (await desk()).run(...UNIT, ...flags)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
})

test("bookings sync unit requires a profile, because a timer does not inherit the shell's variables", async () => {
  const env = { ...freshHome(), PARTNER_BASE_URL: 'https://service.example', PARTNER_API_KEY: 'k' }
  const done = await runPartner(['bookings', 'sync', 'unit', '--to', 'b.ndjson'], { env, cwd: freshDirectory() })
  expect(done).toMatchObject({ code: 2, stderr: expect.stringContaining('a timer needs a profile') })
})
