import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unitName, unitsOf } from '../../../src/sync/scheduling/units.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory, runProgram } from '../../support/partner.ts'

const SCHEDULED = {
  name: 'partner-bookings-city',
  description: 'Copy of the bookings of city, 100 % of them',
  words: ['/bin/echo', 'bookings', '--to', '/srv/my copies/50%.db', "it's $HOME", 'a"b\\c', 'tab\there'],
  environment: { PARTNER_CONFIG_DIR: '/etc/my partner', PGPASSFILE: '/etc/partner/pgpass' },
  secretsFile: null,
  user: 'root',
  everyMs: 300_000,
}

const HAS_SYSTEMD = {
  isMet: spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0,
  lack: 'systemd-analyze is not installed',
}

test('systemd-analyze accepts the service and timer units without warnings', async (context) => {
  skipWithout(context, HAS_SYSTEMD)
  const directory = freshDirectory()
  const service = join(directory, `${SCHEDULED.name}.service`)
  const timer = join(directory, `${SCHEDULED.name}.timer`)
  writeFileSync(service, unitsOf(SCHEDULED).service)
  writeFileSync(timer, unitsOf(SCHEDULED).timer)
  const run = await runProgram('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', service, timer])
  expect(`${run.stdout}${run.stderr}`.split('\n').filter((line) => line.includes(SCHEDULED.name))).toEqual([])
})

describe('quoting in ExecStart', () => {
  test.each([
    ['/srv/a.db', '/srv/a.db'],
    ['/srv/50%.db', '/srv/50%%.db'],
    ['my copy.db', '"my copy.db"'],
    ['$HOME', '"$$HOME"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
  ])('ExecStart quotes the word %s as %s', (word, written) => {
    expect(unitsOf({ ...SCHEDULED, words: ['/bin/echo', word] }).service).toContain(
      `\nExecStart=/bin/echo ${written}\n`,
    )
  })
})

describe('crontab lines for scheduled syncs', () => {
  test.each([
    [60_000, '* * * * *'],
    [300_000, '*/5 * * * *'],
    [3_600_000, '0 * * * *'],
    [21_600_000, '0 */6 * * *'],
    [86_400_000, '0 4 * * *'],
  ])('the crontab line for an interval of %i ms starts with %s', (everyMs, when) => {
    expect(unitsOf({ ...SCHEDULED, everyMs }).crontab?.startsWith(`${when} PARTNER_CONFIG_DIR=`)).toBe(true)
  })

  test.each([30_000, 90_000, 420_000, 5_400_000, 18_000_000, 172_800_000])(
    'unitsOf returns no crontab line for an interval of %i ms',
    (everyMs) => {
      expect(unitsOf({ ...SCHEDULED, everyMs }).crontab).toBeNull()
    },
  )

  test('the shell receives the words of a crontab line unchanged', async () => {
    const line = unitsOf({ ...SCHEDULED, words: ['printf', '%s|', ...SCHEDULED.words] }).crontab ?? ''
    // Cron removes the backslash before each percent sign and passes the rest of the line to the shell.
    const command = line.replace(/^(?:\S+ ){5}/, '').replaceAll('\\%', '%')
    expect(line.replaceAll('\\%', '')).not.toContain('%')
    expect((await runProgram('sh', ['-c', command])).stdout).toBe(SCHEDULED.words.map((word) => `${word}|`).join(''))
  })

  test('a crontab line reads secrets from the given file', async () => {
    const secretsFile = join(freshDirectory(), 'a secret.env')
    writeFileSync(secretsFile, 'CITY_KEY=k-1\n')
    const line = unitsOf({ ...SCHEDULED, secretsFile, words: ['sh', '-c', 'echo $CITY_KEY $PGPASSFILE'] }).crontab ?? ''
    expect((await runProgram('sh', ['-c', line.replace(/^(?:\S+ ){5}/, '')])).stdout).toBe('k-1 /etc/partner/pgpass\n')
  })
})

test.each([
  ['a path', { words: ['/bin/echo', '--to', '/srv/a\n* * * * * curl example.com.db'] }],
  ['a variable', { environment: { PGPASSFILE: '/etc/a\rb' } }],
  ['the name of the source', { description: 'Copy of the bookings of city\nExecStart=/bin/false' }],
  ['the user', { user: 'root\0' }],
  ['the secrets file', { secretsFile: '/etc/a\u000bb' }],
])('unitsOf rejects a control character in %s', (_, wrong) => {
  expect(() => unitsOf({ ...SCHEDULED, ...wrong })).toThrow(/has a control character, such as a line break/)
})

test.each([
  [['partner', 'bookings', 'City Venue'], 'partner-bookings-city-venue'],
  [['partner', 'bookings', '../../x; rm'], 'partner-bookings-x-rm'],
  [['partner', 'bookings', '日本'], 'partner-bookings'],
])('unitName turns %j into %s', (parts, name) => {
  expect(unitName(parts)).toBe(name)
})
