import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory, runProgram, tryWithoutShell } from './partner.ts'
import { readCalls, readPlainLine } from './words.ts'

test.each([
  'partner bookings list --from -30d --to +3d -o csv',
  `partner giftcards list --query "[?status=='Active'].remainingAmount | sum(@)"`,
  `PARTNER_RETRIES=1 PARTNER_NOTE="two words" partner api GET '/Bookings/%24' --param k='a b'c"d e"`,
  "partner sales create --notes '' --set a.b=1",
])('readPlainLine parses a line as the shell does: %s', async (line) => {
  const { env, args } = readPlainLine(line) ?? { env: {}, args: [] }
  const script = `partner() { printf '%s\\0' "$PARTNER_RETRIES" "$PARTNER_NOTE" "$@"; }\n${line}`
  const { stdout } = await runProgram('bash', ['-c', script])
  expect([env['PARTNER_RETRIES'] ?? '', env['PARTNER_NOTE'] ?? '', ...args]).toEqual(stdout.split('\0').slice(0, -1))
})

test.each([
  'partner bookings list | head -1',
  'partner bookings get "$ID"',
  'partner bookings get $ID',
  'partner bookings get BK-1001 > out.json',
  'partner a && partner b',
  'partner api GET /Bookings/*',
  'partner sales import ~/sales.ndjson',
  'partner a; partner b',
  'partner bookings get "`id`"',
  "partner bookings get 'BK",
  'echo partner',
  'partner a\npartner b',
])('readPlainLine returns null if a line does more than call the tool: %s', (line) =>
  expect(readPlainLine(line)).toBeNull(),
)

test('readCalls parses calls joined by &&, including text from echo and redirected output', () => {
  expect(readCalls(`echo -n 'a | b' | partner x - && A=1 partner y --set 'p && q' > "my file"`)).toEqual([
    { env: {}, args: ['x', '-'], input: 'a | b' },
    { env: { A: '1' }, args: ['y', '--set', 'p && q'], file: 'my file' },
  ])
})

test.each([
  'partner a | partner b',
  'partner a 2> errors',
  'partner a > x 2>&1',
  'partner a >> x',
  'partner a && echo done',
  'partner a && export A=1',
  'partner a || partner b',
  'echo $X | partner a -',
  'partner a > $HOME/x',
  'partner a &',
])('readCalls returns null if a line does more than join calls: %s', (line) => expect(readCalls(line)).toBeNull())

test('tryWithoutShell stops after the first call that fails and redirects only standard output', async () => {
  const cwd = freshDirectory()
  const line = 'partner --version > v && partner bookings list --form x > e && partner --help'
  const run = await tryWithoutShell(line, { cwd })
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--form') })
  const [version, empty] = ['v', 'e'].map((name) => readFileSync(join(cwd, name), 'utf8'))
  expect([version?.slice(0, 8), empty]).toEqual(['partner/', ''])
})
