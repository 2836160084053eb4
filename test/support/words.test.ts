import { expect, test } from 'vitest'
import { runProgram } from './partner.ts'
import { readPlainLine } from './words.ts'

test.each([
  'partner bookings list --from -30d --to +3d -o csv',
  `partner giftcards list --query "[?status=='Active'].remainingAmount | sum(@)"`,
  `PARTNER_RETRIES=1 PARTNER_NOTE="two words" partner api GET '/Bookings/%24' --param k='a b'c"d e"`,
  "partner sales create --notes '' --set a.b=1",
])('a plain line is read as the shell reads it: %s', async (line) => {
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
])('a line in which the shell has more to do is left to it: %s', (line) => expect(readPlainLine(line)).toBeNull())
