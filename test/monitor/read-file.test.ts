import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readMonitorFile } from '../../src/monitor/file/read-file.ts'
import { freshDirectory } from '../support/partner.ts'

const { signal } = new AbortController()

function fileOf(text: string, name = 'checks.yaml'): string {
  const path = join(freshDirectory(), name)
  writeFileSync(path, text)
  return path
}

/** Returns the mistakes in a monitor file, without the path of the file. */
async function mistakesIn(text: string): Promise<readonly string[]> {
  const path = fileOf(text)
  return readMonitorFile(path, signal).then(
    () => [],
    (error: Error & { lines: readonly string[]; words: string; code: string }) => {
      expect(error.code).toBe('USAGE')
      return (error.lines.length > 0 ? error.lines : [error.words]).map((line) => line.replace(`${path}:`, ''))
    },
  )
}

const check = (members: string) => `checks:\n  - { name: a, ${members} }\n`

test('readMonitorFile reads every member of a complete file', async () => {
  const path = fileOf(`
every: 60s                      # default for all checks
alerts:
  - exec: ./tell.sh             # the alert on stdin, as one line of JSON
  - webhook: https://alerts.example/in
    headers: { Authorization: env:ALERT_TOKEN }
  - file: alerts.ndjson
  - stderr: true
checks:
  - { name: copy, copy: venue.db, older-than: 10m, for: 2m, repeat: 24h }
  - { name: service, doctor: [service, key] }
  - { name: open, operations: { open-longer-than: 15m } }
  - { name: silent, events: { journal: deliveries.ndjson, silent-for: 2h } }
  - { name: mine, command: ./check.sh, every: 5m, timeout: 30s }
  - { name: gaps, gaps: { journal: postgres://hooks@db.example/venue, copy: venue.db, since: -24h } }
  - { name: drift, drift: assumed }
  - { name: books, books: { sales: till.csv, date: yesterday, map: { saleId: Receipt, total: Sum } } }
  - { name: disk, disk: { path: /var, free-below: 1GB } }
`)
  const { checks, alerts, directory } = await readMonitorFile(path, signal)
  const inDirectory = (name: string) => join(directory, name)
  expect(alerts).toEqual([
    { kind: 'exec', command: './tell.sh' },
    {
      ...{ kind: 'webhook', url: { text: 'https://alerts.example/in' } },
      headers: { authorization: { secret: { env: 'ALERT_TOKEN' } } },
    },
    { kind: 'file', path: inDirectory('alerts.ndjson') },
    { kind: 'stderr' },
  ])
  expect(checks.map(({ place: _, ...one }) => one)).toEqual(
    [
      {
        ...{ name: 'copy', forMs: 120_000, repeatMs: 86_400_000 },
        what: { kind: 'copy', copy: inDirectory('venue.db'), olderThanMs: 600_000, resource: 'bookings', source: null },
      },
      { name: 'service', what: { kind: 'doctor', rows: ['service', 'key'], warnings: false } },
      { name: 'open', what: { kind: 'operations', openLongerThanMs: 900_000 } },
      { name: 'silent', what: { kind: 'events', journal: inDirectory('deliveries.ndjson'), silentForMs: 7_200_000 } },
      { name: 'mine', everyMs: 300_000, timeoutMs: 30_000, what: { kind: 'command', command: './check.sh' } },
      {
        name: 'gaps',
        what: {
          ...{ kind: 'gaps', journal: 'postgres://hooks@db.example/venue', copy: inDirectory('venue.db') },
          ...{ source: null, since: '-24h' },
        },
      },
      { name: 'drift', what: { kind: 'drift', failOn: 'assumed' } },
      {
        name: 'books',
        what: {
          ...{ kind: 'books', sales: inDirectory('till.csv'), date: 'yesterday' },
          ...{ map: ['saleId=Receipt', 'total=Sum'], copy: null, source: null },
        },
      },
      { name: 'disk', what: { kind: 'disk', path: '/var', freeBelowBytes: 1e9 } },
    ].map((one) => ({ everyMs: 60_000, forMs: 0, repeatMs: null, timeoutMs: 300_000, ...one })),
  )
})

test('a monitor file can be JSON, and its paths are relative to its directory after symbolic links are resolved', async () => {
  const directory = freshDirectory()
  mkdirSync(join(directory, 'real'))
  writeFileSync(join(directory, 'real', 'c.json'), '{"checks":[{"name":"a","copy":"venue.db"}]}')
  symlinkSync(join('real', 'c.json'), join(directory, 'link.json'))
  const { path, checks } = await readMonitorFile(join(directory, 'link.json'), signal)
  expect(path).toBe(realpathSync(join(directory, 'real', 'c.json')))
  expect(checks[0]?.what).toMatchObject({ copy: join(realpathSync(directory), 'real', 'venue.db') })
})

test('the "every" and "timeout" durations are limited to the longest possible timer delay', async () => {
  const { checks } = await readMonitorFile(fileOf(check("command: 'true', every: 30d, timeout: 30d")), signal)
  expect(checks).toMatchObject([{ everyMs: 2 ** 31 - 1, timeoutMs: 2 ** 31 - 1 }])
})

describe('a mistake is reported with its line and column', () => {
  test.each([
    ['', '1:1: the file is empty'],
    ['- a', '1:1: expected checks, and optionally every and alerts'],
    ['every: 60s', '1:1: checks is missing: expected a list'],
    ['checks: []', '1:9: checks must be a list'],
    ['checks:\n\t- a', '2:1: invalid YAML: the line is indented with a tab'],
    [`chekcs: []\n${check('drift: assumed')}`, '1:1: unknown member "chekcs"; did you mean checks?'],
    [`every: 60\n${check('drift: assumed')}`, '1:8: every must be a duration of at least 1s, such as 90s or 2h'],
    [`every: 500ms\n${check('drift: assumed')}`, '1:8: every must be a duration of at least 1s'],
    ['checks:\n  - drift: assumed\n', '2:5: name is missing: expected text, such as copy'],
    ['checks:\n  - { name: 5, drift: assumed }\n', '2:13: name must be text'],
    ['checks:\n  - { name: monitor, drift: assumed }\n', '2:13: the name monitor is reserved'],
    [`${check('drift: assumed')}  - { name: a, drift: assumed }\n`, '3:13: the name "a" is already used on line 2'],
    [
      'checks:\n  - { name: a }\n',
      '2:5: expected one of doctor, copy, operations, events, gaps, drift, books, disk, command',
    ],
    [check('drift: assumed, command: x'), '2:5: expected only one of drift, command'],
    [check('comand: x'), '2:16: unknown member "comand"; did you mean command?'],
    [check('drift: assumed, older-than: 5m'), '2:32: unknown member "older-than"'],
    [check('drift: assume'), '2:23: drift must be documented or assumed; did you mean assumed?'],
    [check('drift: assumed, for: soon'), '2:37: for must be a duration, such as 500ms or 2h'],
    [check('drift: assumed, repeat: 0s'), '2:40: repeat must be a duration of at least 1s'],
    [check('drift: assumed, drift: assumed'), '2:32: invalid YAML: drift is repeated'],
    [check('doctor: [service, kee]'), '2:34: the doctor has no row "kee"; did you mean key?'],
    [check('doctor: []'), '2:24: doctor must be a list of rows'],
    [check('doctor: key, warnings: maybe'), '2:39: warnings must be true or false'],
    [check('copy: venue'), '2:16: copy must be a copy that sync created'],
    [check('copy: venue.db, resource: booking'), '2:42: resource must be bookings or customers or giftcards or sales'],
    [check('operations: 15m'), '2:28: operations must be members, such as { open-longer-than: 15m }'],
    [check('operations: {}'), '2:28: open-longer-than is missing: expected a duration, such as 15m'],
    [check('events: { journal: d.ndjson }'), '2:24: silent-for is missing: expected a duration, such as 2h'],
    [check('events: { inbox: d.ndjson, silent-for: 2h }'), '2:26: inbox must be postgres://'],
    [check('gaps: { journal: d.ndjson }'), '2:22: copy is missing: expected text, such as venue.db'],
    [check('gaps: { journal: d.ndjson, copy: b.csv }'), '2:43: copy must be a copy that sync created'],
    [check('gaps: { journal: d.ndjson, copy: b.db, since: noon }'), '2:55: since must be a time'],
    [check('books: { date: yesterday }'), '2:23: sales is missing: expected text, such as till.csv'],
    [check('books: { sales: t.csv, date: now }'), '2:39: date must be a day'],
    [check('books: { sales: t.csv, map: 5 }'), '2:39: map must be text, such as saleId=Receipt,total=Sum'],
    [check('disk: { path: / }'), '2:22: free-below is missing: expected a size, such as 1GB or 500MB'],
    [check('disk: { path: /, free-below: 1 }'), '2:33: free-below must be a size'],
    [check('command: ""'), '2:25: command must be text, such as ./check.sh'],
    [`alerts: [{ exe: a }]\n${check('drift: assumed')}`, '1:12: unknown member "exe"; did you mean exec?'],
    [`alerts: [{ exec: a, file: b }]\n${check('drift: assumed')}`, '1:10: expected only one of exec, file'],
    [
      `alerts: [{ file: b }, { file: b }]\n${check('drift: assumed')}`,
      '1:23: line 1 already contains this destination',
    ],
    [`alerts: [{ stderr: yes }]\n${check('drift: assumed')}`, '1:12: stderr must be true'],
    [
      `alerts: [{ webhook: http://alerts.example/in }]\n${check('drift: assumed')}`,
      '1:21: webhook must be an https URL: plain http is allowed only for',
    ],
    [
      `alerts: [{ webhook: "https://a:b@alerts.example/in" }]\n${check('drift: assumed')}`,
      '1:21: webhook must not contain a user name or password',
    ],
    [
      `alerts: [{ webhook: "https://a.example", headers: { Authorization: Bearer abc } }]\n${check('drift: assumed')}`,
      '1:68: Authorization must be env:VARIABLE, file:PATH or command:CMD, not the secret itself',
    ],
    [
      `alerts: [{ webhook: "https://a.example", headers: { Idempotency-Key: abc } }]\n${check('drift: assumed')}`,
      '1:53: the header Idempotency-Key is reserved and cannot be set',
    ],
    [`alerts: [{ file: a, headers: {} }]\n${check('drift: assumed')}`, '1:21: unknown member "headers"'],
  ])('readMonitorFile rejects %j', async (text, words) => {
    const mistakes = await mistakesIn(text)
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain(words)
  })
})

test('aliases are rejected, and a misspelled member is reported as both unknown and missing', async () => {
  const [alias] = await mistakesIn('checks: [&a {name: a, drift: assumed}, *a]')
  expect(alias).toContain('1:13: anchors (&) and aliases (*) are not supported')
  expect(await mistakesIn(check('operations: { open-longr-than: 15m }'))).toEqual([
    '2:28: open-longer-than is missing: expected a duration, such as 15m',
    '2:30: unknown member "open-longr-than"; did you mean open-longer-than?',
  ])
})

test('all mistakes are reported at once, in file order', async () => {
  const mistakes = await mistakesIn(`every: never
alerts:
  - webhook: ftp://alerts.example
checks:
  - { name: a, drift: assumed, for: 1 }
  - { name: a, doctor: [services] }
  - { copy: venue.db }
`)
  expect(mistakes.map((line) => /^\d+:\d+/.exec(line)?.[0])).toEqual(['1:8', '3:14', '5:37', '6:13', '6:25', '7:5'])
})

test('messages never quote a value that might be a secret', async () => {
  const secret = 'tok-5f1e77aa02'
  const texts = [
    `alerts: [{ webhook: "http://x.example/${secret}" }]\n${check('drift: assumed')}`,
    `alerts: [{ webhook: "https://x.example/", headers: { X-Api-Key: ${secret} } }]\n${check('drift: assumed')}`,
    `alerts: [{ webhook: "https://x.example/", headers: { "Authorization:${secret}": a } }]\n${check('drift: assumed')}`,
    `alerts:\n  - webhook: "https://x.example/${secret}\n${check('drift: assumed')}`,
    `alerts:\n  - "webhook:${secret}": a\n${check('drift: assumed')}`,
  ]
  for (const text of texts) {
    const mistakes = await mistakesIn(text)
    expect(mistakes).not.toEqual([])
    expect(mistakes.join('\n')).not.toContain(secret)
  }
})

test.each([
  ['a file that does not exist', (path: string) => join(path, 'none.yaml'), 'no such file'],
  ['a directory', (path: string) => path, 'directory'],
  [
    'a file that is not text',
    (path: string) => {
      writeFileSync(join(path, 'x'), Buffer.from([0xff, 0xfe, 0x00]))
      return join(path, 'x')
    },
    'it is not UTF-8 text',
  ],
  [
    'a file that is too long',
    (path: string) => {
      writeFileSync(join(path, 'x'), '#'.repeat(1024 * 1024 + 1))
      return join(path, 'x')
    },
    'it is longer than 1048576 bytes',
  ],
])('readMonitorFile rejects %s', async (_, pathIn, words) => {
  await expect(readMonitorFile(pathIn(freshDirectory()), signal)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(words),
  })
})
