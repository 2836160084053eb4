import { expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { freePort } from '../../support/raw-server.ts'
import { runInTerminal, runLineInTerminal, shellLine, TERMINAL } from '../../support/terminal.ts'
import { words } from '../../support/words.ts'

/** Returns the environment variables for a service that is down. */
const unreachableService = async () => ({
  ...freshHome(),
  PARTNER_BASE_URL: `http://127.0.0.1:${await freePort()}`,
  PARTNER_API_KEY: 'a-key-of-this-test',
  PARTNER_TIMEZONE: 'Australia/Sydney',
})

test('doctor prints one line per row, the next step below a failed row, and totals on stderr', async () => {
  const { code, stdout, stderr } = await runPartner(['doctor'], { env: await unreachableService() })
  expect(code).toBe(1)
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/^ok {4}node {11}Node\.js v/)
  const at = lines.findIndex((line) => line.startsWith('fail  tcp            nothing is listening at 127.0.0.1:'))
  expect(lines[at + 1]).toBe('      next: partner config')
  expect(lines[at + 2]).toBe(
    'skip  tls, service, clock, rate limit, key, venue, statuses, webhooks, signing: not checked: tcp failed',
  )
  expect(stderr).toMatch(/^\d+ ok, 1 failed, \d+ skipped; start with tcp\n$/)
})

test('doctor wraps rows at 80 columns, but prints a next step on one line', async (context) => {
  skipWithout(context, TERMINAL)
  const env = freshHome()
  const long = 'x'.repeat(90)
  const line = `stty cols 80; ${shellLine(['doctor', '--base-url', `http://127.0.0.1:9/${long}`])}`
  const { standing, isPainted } = await runLineInTerminal(line, [], { ...env, PARTNER_API_KEY: 'a-key' })
  expect(standing.find((row) => row.includes('next: partner config'))).toBe(
    `      next: partner config --base-url http://127.0.0.1:9/${long}`,
  )
  expect(standing.filter((row) => !/next:|http:/.test(row)).filter((row) => row.length > 80)).toEqual([])
  expect(isPainted).toBe(true)
})

test('doctor prints its rows at a terminal and leaves no progress line behind', async (context) => {
  skipWithout(context, TERMINAL)
  const { code, standing } = await runInTerminal(words('doctor --profile sandbox'), [], freshHome())
  expect(code).toBe(0)
  expect(standing.filter((row) => /checking|waiting/.test(row))).toEqual([])
  expect(standing.filter((row) => row.startsWith('ok '))).toHaveLength(14)
})

test('doctor prints its rows in every format and prints nothing else with --quiet', async () => {
  const env = freshHome()
  const run = (line: string) => runPartner(words(`doctor --profile sandbox --quiet ${line}`), { env })
  const ndjson = await run('-o ndjson')
  expect(ndjson).toMatchObject({ code: 0, stderr: '' })
  const rows = parseNdjson(ndjson.stdout)
  expect(rows).toHaveLength(24)
  expect(Object.keys(rows[0])).toEqual(['name', 'status', 'message', 'next'])
  expect((await run('-o csv')).stdout).toMatch(/^name,status,message,next\nnode,ok,/)
  expect((await run('--columns name,status')).stdout).toMatch(/^name +status\nnode +ok\n/i)
  expect((await run('--query rows[].status -r')).stdout).toMatch(/^ok\n(?:ok|skip)\n/)
})

test('doctor exits with code 2 for an invalid command line without checking anything', async () => {
  const env = await unreachableService()
  for (const line of ['doctor till', 'doctor --sync x.xls', 'doctor --timeout soon', 'doctor --retries 3'])
    expect(await runPartner(words(line), { env })).toMatchObject({ code: 2, stdout: '' })
})

test('partner suggests doctor for words such as diagnose and troubleshoot', async () => {
  for (const word of ['diagnose', 'troubleshoot', 'doctr'])
    expect((await runPartner([word])).stderr).toContain('did you mean "partner doctor"?')
})
