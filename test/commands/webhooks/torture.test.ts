import { describe, expect, test } from 'vitest'
import { freshHome, NODE, PARTNER, runPartner, startProgram } from '../../support/partner.ts'
import { answers, freePort, hangs, startRawServer } from '../../support/raw-server.ts'
import { startNodeReceiver, WEBHOOK_KEY } from '../../support/receivers.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { until } from '../../support/until.ts'
import { startListening } from '../../webhooks/listener/listening.ts'

const env = () => ({ ...freshHome(), HOOK: WEBHOOK_KEY })

function torture(to: URL | string, ...args: readonly string[]) {
  return runPartner(['webhooks', 'torture', '--to', String(to), ...args], { env: env() })
}

const KEY = ['--security-key', 'env:HOOK']

/** Starts a receiver that accepts everything, even invalid JSON. */
const lenient = () => startRawServer([answers(200)])

describe('webhooks torture with a correct receiver', () => {
  test('a correct receiver passes all checks of webhooks torture', async () => {
    const { url } = await startNodeReceiver()
    const run = await torture(url, ...KEY)
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).toMatch(/^all events are samples \(test data\) about bookings BK-1001 to BK-1030 .*\n$/)
    const rows = run.stdout.trimEnd().split('\n')
    expect(rows[0]).toMatch(/^CHECK +RESULT +A CORRECT RECEIVER ANSWERS +YOURS$/)
    expect(rows).toHaveLength(13)
    expect(rows.slice(1).filter((row) => !/^[a-z-]+ +ok /.test(row))).toEqual([])
    expect(run.stdout + run.stderr).not.toContain(WEBHOOK_KEY)
    expect((await torture(url, ...KEY, '--only', 'plain', '--quiet')).stderr).toBe('')
  })
})

test('webhooks listen passes every check in webhooks torture', async () => {
  const env = { HOOK: WEBHOOK_KEY }
  const listener = await startListening(['--require-header', 'X-Security-Key=env:HOOK'], { env })
  const run = await torture(listener.url, ...KEY)
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 })
})

describe('webhooks torture with failed checks', () => {
  const ONLY = ['--only', 'bad-json', '--only', 'unknown-event']

  test('webhooks torture exits with code 11 if a check fails, and says how a correct receiver would respond', async () => {
    const run = await torture((await lenient()).baseUrl, ...ONLY)
    expect(run.code).toBe(11)
    const rows = ['CHECK RESULT', 'unknown-event ok', 'bad-json fail', '']
    expect(run.stdout.split('\n').map((row) => row.split(/ +/, 2).join(' '))).toEqual(rows)
    expect(run.stderr).toContain('error: 1 of 2 checks failed: bad-json\n')
    const found = '  bad-json: answered 200; a correct receiver answers 4xx to a body that is not a JSON object\n'
    expect(run.stderr).toContain(found)
    expect(run.stderr).toMatch(/\nnext: .*docs\/receivers/)
  })

  test('webhooks torture reports a failed check in every output format', async () => {
    const { baseUrl } = await lenient()
    const failed = { check: 'bad-json', result: 'fail', yours: 'answered 200', ms: expect.any(Number) }
    const json = await torture(baseUrl, ...ONLY, '-o', 'json', '--quiet')
    expect(JSON.parse(json.stdout)).toMatchObject([{ check: 'unknown-event', result: 'ok' }, failed])
    expect(reportedError(json)).toMatchObject({ code: 'PARTIAL_FAILURE', details: { failed: ['bad-json'], of: 2 } })
    const ndjson = await torture(baseUrl, ...ONLY, '-o', 'ndjson')
    expect(JSON.parse(ndjson.stdout.split('\n')[1] ?? '')).toMatchObject(failed)
    const csv = await torture(baseUrl, ...ONLY, '-o', 'csv')
    const table = /^check,result,good,yours,ms\nunknown-event,ok,[\s\S]*\nbad-json,fail,[^\n]*answered 200,\d+\n$/
    expect(csv.stdout).toMatch(table)
    const tap = await torture(baseUrl, ...ONLY, '-o', 'tap')
    const points = /^TAP version 14\nok 1 - unknown-event\n[\s\S]*\nnot ok 2 - bad-json\n[\s\S]*\n1\.\.2\n$/
    expect(tap.stdout).toMatch(points)
    const junit = await torture(baseUrl, ...ONLY, '-o', 'junit')
    expect(junit.stdout).toMatch(/<testsuite name="webhooks torture" tests="2" failures="1" errors="0" skipped="0"/)
    for (const { code } of [json, ndjson, csv, tap, junit]) expect(code).toBe(11)
    const found = await torture(baseUrl, ...ONLY, '--query', "[?result=='fail'].check", '-r')
    expect(found).toMatchObject({ code: 11, stdout: 'bad-json\n' })
  })
})

test('webhooks torture stops after the first check if the receiver requires a key and no key is given', async () => {
  const { url } = await startNodeReceiver()
  const run = await torture(url, '--only', 'burst', '-o', 'tap')
  expect(run.code).toBe(11)
  expect(run.stdout).toMatch(/^TAP version 14\nnot ok 1 - plain\n[\s\S]*ok 2 - burst # SKIP not tried[^\n]*\n1\.\.2\n$/)
  expect(run.stderr).toMatch(/\nnext: .*--security-key/)
})

test.each(['table', 'json', 'junit', 'tap'])(
  'webhooks torture exits with code 8 and prints no %s output if the receiver is unreachable',
  async (format) => {
    const run = await torture(`http://127.0.0.1:${await freePort()}/`, '-o', format)
    expect(run).toMatchObject({ code: 8, stdout: '' })
    if (format === 'json') expect(reportedError(run).message).toMatch(/cannot be reached: nothing is listening/)
    else expectRefusal(run, { code: 8, says: 'cannot be reached: nothing is listening', next: /nothing was sent/ })
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(format === 'json' ? 1 : 2)
  },
)

describe('webhooks torture without requests', () => {
  test('webhooks torture refuses unknown checks and suggests similar names', async () => {
    const server = await lenient()
    const run = await torture(server.baseUrl, '--only', 'duplicates', '--only', 'x')
    const unknown = {
      code: 2,
      says: /"duplicates"; did you mean duplicate\?[\s\S]*no check named "x"/,
      next: /plain, dup/,
    }
    expectRefusal(run, unknown)
    expect(server.connections).toBe(0)
  })

  test('webhooks torture refuses to send credentials over plain http to another machine', async () => {
    const run = await torture('http://till.example/', ...KEY)
    expectRefusal(run, { code: 2, says: '--to must use https', next: /127\.0\.0\.1/ })
  })

  test('webhooks torture --dry-run lists the checks without sending anything', async () => {
    const server = await lenient()
    const run = await torture(server.baseUrl, '--dry-run', '--json', '--only', 'late', '--only', 'plain')
    expect(JSON.parse(run.stdout)).toEqual([
      { check: 'plain', good: '2xx to each documented event' },
      { check: 'late', good: '2xx to a day-old event for a card that has since been cancelled' },
    ])
    expectRefusal(await torture(server.baseUrl, '--dry-run', '-o', 'tap'), {
      code: 2,
      says: '--dry-run and -o tap cannot be used together',
    })
    expect(server.connections).toBe(0)
  })

  test('webhooks torture refuses --columns, --query and --json with a test report', async () => {
    const { baseUrl } = await lenient()
    for (const [flag, value] of [
      ['--query', '[]'],
      ['--columns', 'check'],
    ] as const)
      expectRefusal(await torture(baseUrl, '-o', 'junit', flag, value), { code: 2, says: `together with ${flag}` })
    expectRefusal(await torture(baseUrl, '-o', 'junit', '--json'), { code: 2, says: '--json' })
  })
})

test('webhooks list does not accept the output formats of test reports', async () => {
  const run = await runPartner(['webhooks', 'list', '-o', 'tap'], { env: env() })
  expectRefusal(run, { code: 2, says: '--output must be one of table, json, ndjson, csv, tsv, not "tap"' })
})

test('webhooks torture stops immediately on Ctrl-C', async () => {
  const server = await startRawServer([hangs])
  const running = startProgram(NODE, [PARTNER, 'webhooks', 'torture', '--to', server.baseUrl], { env: env() })
  await until(() => server.requests.length > 0)
  running.process.kill('SIGINT')
  const run = await running.ended
  expect(run).toMatchObject({ code: 130, stdout: '' })
  expect(run.stderr).toMatch(/^error: stopped by SIGINT/)
})
