import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Environment,
  freshDirectory,
  freshHome,
  NODE,
  PARTNER,
  runPartner,
  runShell,
} from '../../support/partner.ts'
import { sendRaw } from '../../support/raw-client.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, refused, reportedError } from '../../support/refusal.ts'
import { sendSignalsTogether, startPartner } from '../../support/running.ts'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { until } from '../../support/until.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'

async function serving(args: readonly string[], env: Environment = {}) {
  const sandbox = await startSandboxProcess(args, env)
  onTestFinished(async () => void (await sandbox.stop()))
  return sandbox
}

describe('sandbox start', () => {
  test('sandbox start --rate-limit rejects requests beyond the limit with the documented message', async () => {
    const sandbox = await serving(['--data', ':memory:', '--rate-limit', '2/60000'])
    const env = { ...freshHome(), ...sandbox.env }
    const get = () => runPartner(['giftcards', 'get', CARD, '--json', '--retries', '0'], { env })
    expect([(await get()).code, (await get()).code]).toEqual([0, 0])
    const message = 'You may only perform this action 2 times every 60000 milliseconds'
    expect(reportedError(await get())).toMatchObject({ exitCode: 7, message })
  })

  test('sandbox start accepts other host names only with --allow-host', async () => {
    const sandbox = await serving(['--data', ':memory:', '--allow-host', 'pos.test', '--allow-host', 'till'])
    const { port } = new URL(sandbox.baseUrl)
    const at = async (host: string) => {
      const line = `GET /Bookings HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`
      return Number((await sendRaw(Number(port), line)).split(' ')[1])
    }
    const expected = [401, 401, 401, 421]
    expect([await at('pos.test'), await at('till'), await at('localhost'), await at('other')]).toEqual(expected)
    for (const name of ['pos.test:80', 'http://pos.test', '', '*'])
      expectRefusal(await runPartner(['sandbox', 'start', '--allow-host', name], { env: freshHome() }), {
        code: 2,
        says: '--allow-host must be a host name without a port',
      })
  })

  test('sandbox start warns once about webhooks to a link-local address', async () => {
    const started = startPartner(['sandbox', 'start', '--data', ':memory:', '--json'], { isService: true })
    onTestFinished(() => void started.process.kill('SIGTERM'))
    await until(() => started.said.stdout.includes('\n'))
    const { baseUrl, apiKey } = JSON.parse(started.said.stdout)
    const env = { ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey }
    for (const [event, url] of [
      ['BOOKING_UPDATED', 'http://169.254.169.254:9/latest'],
      ['GIFTCARDS_REDEEMED', 'http://[fe80::1]:9/'],
    ] as const)
      expect(await runPartner(['webhooks', 'create', event, url], { env })).toMatchObject({ code: 0 })
    for (const people of ['2', '3']) await runPartner(['bookings', 'update-pax', 'BK-1001', people], { env })
    await runPartner(['giftcards', 'redeem', CARD, '--amount', '1', '--yes'], { env })
    await until(() => /GIFTCARDS_REDEEMED go to \[fe80::1\]/.test(started.said.stderr))
    const warning = /warning: webhooks for BOOKING_UPDATED go to 169\.254\.169\.254, a link-local/g
    expect(started.said.stderr.match(warning)).toHaveLength(1)
  })

  test('sandbox start prints the URL of its web page and serves no page with --no-page', async () => {
    const started = startPartner(['sandbox', 'start', '--data', ':memory:'], { isService: true })
    onTestFinished(() => void started.process.kill('SIGTERM'))
    await until(() => started.said.stderr.includes('serving'))
    expect(started.said.stdout).toMatch(/^(export PARTNER_\w+=\S+\n)+$/)
    const [, shown = ''] = /^page: (\S+)$/m.exec(started.said.stderr) ?? []
    const answer = await fetch(shown)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Harbour &amp; Vine')])
    const { pageUrl = '' } = (await serving(['--data', ':memory:'])) as { readonly pageUrl?: string }
    expect((await fetch(pageUrl)).status).toBe(200)
    expect((await fetch(pageUrl.replace(/token=.{5}/, 'token=00000'))).status).toBe(403)
    for (const args of [['--no-page'], ['--host', '0.0.0.0']]) {
      const without = await serving(['--data', ':memory:', ...args])
      expect(without).not.toHaveProperty('pageUrl')
      expect((await fetch(`${without.baseUrl}/_sandbox/page`)).status).toBe(404)
    }
  })

  test('sandbox start stops promptly while its web page is open', async () => {
    const sandbox = await serving(['--data', ':memory:'])
    const { pageUrl = '' } = sandbox as { readonly pageUrl?: string }
    const changes = await fetch(pageUrl.replace('?', '/changes?'))
    expect(await sandbox.stop()).toBe(0)
    expect(await changes.text()).toContain('retry: 1000')
  })

  test('sandbox start has no rate limit by default', async () => {
    const sandbox = await serving(['--data', ':memory:'])
    const read = () => fetch(`${sandbox.baseUrl}/GiftCards/${CARD}`, { headers: { 'x-api-key': sandbox.apiKey } })
    const replies = await Promise.all(Array.from({ length: 300 }, read))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('sandbox start --clock sets the clock, --clock-frozen freezes it, and later starts warn that it is frozen', async () => {
    const home = freshHome()
    const held = await serving(['--clock', '2027-01-15T07:00:00Z', '--clock-frozen'], home)
    const dateOf = async (baseUrl: string) => (await fetch(baseUrl)).headers.get('date')
    expect(await dateOf(held.baseUrl)).toBe('Fri, 15 Jan 2027 07:00:00 GMT')
    await held.stop()
    expect(held.said.stderr).toBe('')
    const again = await serving([], home)
    await until(() => again.said.stderr !== '')
    const frozen = /this venue's clock is frozen at 2027-01-15T07:00:00.000Z; .*sandbox clock reset/
    expect(again.said.stderr).toMatch(frozen)
    await again.stop()
    const running = await serving(['--clock', '2027-01-15 18:00', '--data', ':memory:'])
    expect(await dateOf(running.baseUrl)).toMatch(/^Fri, 15 Jan 2027 07:0\d:/)
  })

  test('sandbox start warns that --seed does not apply to an existing venue', async () => {
    const home = freshHome()
    await (await serving(['--seed', '7'], home)).stop()
    const other = await serving(['--seed', '8'], home)
    await until(() => other.said.stderr !== '')
    expect(other.said.stderr).toContain('was created with seed 7; to use seed 8, reset the venue first')
  })

  test('sandbox start listens on non-loopback addresses only with --host, and then prints a warning', async () => {
    const sandbox = await serving(['--data', ':memory:', '--host', '0.0.0.0'])
    await until(() => sandbox.said.stderr !== '')
    expect(sandbox.said.stderr).toMatch(/warning: anyone who can reach 0\.0\.0\.0 on port \d+ can use this sandbox/)
    expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await runPartner(['bookings', 'statuses', '--json'], { env: sandbox.env })).code).toBe(0)
    const faults = await runPartner(['sandbox', 'faults', 'list', '--base-url', sandbox.baseUrl])
    expectRefusal(faults, { code: 2, says: 'you have no sandbox running at' })
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)
    if (!outside) return
    const quiet = await serving(['--data', ':memory:'])
    await expect(fetch(`http://${outside.address}:${new URL(quiet.baseUrl).port}/`)).rejects.toThrow()
  })

  test('sandbox start prints its address and keys in a single write, in the requested format', async () => {
    const started = async (...args: string[]) => {
      const sandbox = startPartner(['sandbox', 'start', '--data', ':memory:', ...args])
      await until(() => sandbox.said.stdout !== '')
      const first = sandbox.said.stdout
      sandbox.process.kill('SIGINT')
      expect(await sandbox.ended).toMatchObject({ code: 0, stdout: first })
      return first
    }
    const [json, csv, query] = await Promise.all([
      started('-o', 'ndjson'),
      started('-o', 'csv', '--columns', 'baseUrl,keys.unknownApp'),
      started('--query', 'keys'),
    ])
    expect(schemaViolations('sandbox start', json)).toEqual([])
    expect(Object.keys(JSON.parse(json)).slice(0, 7)).toEqual(
      words('baseUrl apiKey keys partnerName signatureHeader signingSecret locationId'),
    )
    expect(csv).toMatch(/^baseUrl,keys\.unknownApp\nhttp:\/\/127\.0\.0\.1:\d+,sandbox_key_unknown_app\n$/)
    expect(Object.keys(JSON.parse(query))).toEqual(['unknownApp', 'unlinkedVenue'])
  })

  test('sandbox start exits with code 0 if SIGINT and SIGTERM arrive at the same time, as they do under npm', async () => {
    const sandbox = await startSandboxProcess()
    const ended = once(sandbox.process, 'exit')
    sendSignalsTogether(sandbox, 'SIGINT', 'SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('sandbox start creates private directories and files', async () => {
    const data = freshDirectory()
    await (await serving(['--data', join(data, 'deep', 'venue')])).stop()
    expect(statSync(join(data, 'deep', 'venue')).mode & 0o777).toBe(0o700)
    expect(statSync(join(data, 'deep', 'venue', 'sandbox.db')).mode & 0o777).toBe(0o600)
  })

  test('sandbox start warns once about damaged bookings and continues to serve undamaged records', async () => {
    const data = freshDirectory()
    await runPartner(['sandbox', 'seed', '--bookings', '2000', '--data', data])
    const path = join(data, 'sandbox.db')
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xfb, Math.floor(bytes.length * 0.3)))
    const sandbox = await serving(['--data', data, '--clock', '+3d'])
    await until(() => sandbox.said.stderr.includes('is damaged'))
    expect((await runPartner(['giftcards', 'get', CARD, '--json'], { env: sandbox.env })).code).toBe(0)
    const list = ['bookings', 'list', '--from', '-40d', '--to', '+40d', '--json', '--retries', '0']
    const message = expect.stringContaining("the sandbox's data is damaged")
    expect(reportedError(await runPartner(list, { env: sandbox.env }))).toMatchObject({ exitCode: 8, message })
    expect(await sandbox.stop()).toBe(0)
    const said = sandbox.said.stderr.match(
      /the sandbox's data is damaged: \S+sandbox\.db \(the file was not changed\)/g,
    )
    expect(said).toHaveLength(1)
  })

  test('sandbox start reports all invalid flags together', async () => {
    const start = (...args: string[]) => runPartner(['sandbox', 'start', ...args], { env: freshHome() })
    const flags = words('--port 99999 --seed -1 --clock lala --rate-limit 0/1 --data')
    const wrong = await start(...flags, '', '--host', 'http://x')
    const says = /6 problems:\n {2}--port [\s\S]*--seed [\s\S]*--clock[\s\S]*--rate-limit [\s\S]*--data [\s\S]*--host /
    expectRefusal(wrong, { code: 2, says })
    await refused(start('--rate-limit', '10'), 2, 'COUNT/MS', '10/1000')
    await refused(start('foo'), 2, 'unexpected argument "foo"')
    await refused(start('--prot', '1'), 2, 'did you mean --port?')
    expect(reportedError(await start('--host', '203.0.113.1', '--json'))).toMatchObject({ exitCode: 8 })
    await refused(start('--data', '/proc/nowhere/venue'), 1, '/proc/nowhere', '--data :memory:')
    await refused(start('--data', PARTNER), 1, 'cannot open', '--data :memory:')
  })
})

describe('sandbox exec', () => {
  function exec(script: string, ...flags: string[]) {
    const inner = `partner() { "${NODE}" "${PARTNER}" "$@"; }; ${script}`
    return runPartner(['sandbox', 'exec', ...flags, '--', 'bash', '-c', inner], { env: { TMPDIR: freshDirectory() } })
  }

  test('sandbox commands inside sandbox exec use the sandbox that sandbox exec started', async () => {
    const run = await exec(`
      partner sandbox faults add --endpoint "GET /GiftCards/{cardNumber}" --status 404 --next 1 > /dev/null 2>&1
      partner giftcards get ${CARD} > /dev/null 2>&1; echo "first: $?"
      partner giftcards get ${CARD} > /dev/null 2>&1; echo "second: $?"
      partner sandbox journal -o csv --columns status,note
      partner sandbox seed --bookings 30 --from 2024-05-01 --to 2024-05-02 > /dev/null
      partner bookings list --from 2024-05-01 --to 2024-05-02 -o ndjson | wc -l | tr -d ' '
      partner sandbox clock set 2027-01-15T07:00:00Z --frozen --json
      partner sandbox deliveries --json`)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout.split(/\r?\n/)).toEqual([
      'first: 3',
      'second: 0',
      'status,note',
      '404,fault: status',
      '200,',
      '30',
      '{"now":"2027-01-15T07:00:00.000Z","frozen":true,"shifted":true}',
      '[]',
      '',
    ])
  })

  test('sandbox exec applies --clock, --clock-frozen and --rate-limit', async () => {
    const run = await exec(
      `partner sandbox clock --json; for i in 1 2; do partner bookings statuses --json --retries 0 > /dev/null 2>&1; echo $?; done`,
      ...words('--clock 2027-01-15T07:00:00Z --clock-frozen --rate-limit 1/60000 --seed 3'),
    )
    expect(run.stdout).toBe('{"now":"2027-01-15T07:00:00.000Z","frozen":true,"shifted":true}\n0\n7\n')
  })

  test('sandbox exec delivers webhooks while the command runs', async () => {
    const receiver = await startRawServer([answers(200)])
    const run = await exec(`
      partner webhooks create GIFTCARDS_REDEEMED ${receiver.baseUrl}/hook --yes > /dev/null
      partner giftcards redeem ${CARD} --amount 1 > /dev/null
      until partner sandbox deliveries -o csv --columns state | grep -q delivered; do sleep 0.1; done`)
    expect(run.code).toBe(0)
    expect(receiver.requests).toMatchObject([{ method: 'POST', target: '/hook' }])
  })

  test('sandbox exec leaves no files behind, even after an operation whose outcome is unknown', async () => {
    const [home, temporary] = [freshDirectory(), freshDirectory()]
    const env = { HOME: home, TMPDIR: temporary }
    const inner = `"${NODE}" "${PARTNER}" sandbox faults add --endpoint "POST /GiftCards/redeem" --reset
      "${NODE}" "${PARTNER}" giftcards redeem ${CARD} --amount 1; echo "ended with $?"`
    const run = await runPartner(['sandbox', 'exec', '--', 'sh', '-c', inner], { env })
    expect(run.stdout).toContain('ended with 9')
    const files = [home, temporary].flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }))
    expect(files.filter((file) => !file.startsWith('.cache'))).toEqual([])
  })

  test('sandbox exec accepts its command with or without --', async () => {
    const plain = await runPartner(['sandbox', 'exec', '--seed', '4', 'sh', '-c', 'echo "$1"', 'sh', '--json'])
    expect(plain).toMatchObject({ code: 0, stdout: '--json\n', stderr: '' })
    await refused(runPartner(['sandbox', 'exec']), 2, 'no command was given')
    await refused(runPartner(['sandbox', 'exec', '--']), 2, 'no command was given')
    await refused(runPartner(['sandbox', 'exec', '--data', 'x', '--', 'true']), 2, 'unknown flag --data')
    await refused(runPartner(['sandbox', 'exec', '--rate-limit', 'x', '--']), 2, '2 problems')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'sandbox exec forwards %s to its command and exits when the command exits',
    async (signal) => {
      const script = 'trap "echo told; exit 5" TERM INT; echo ready; while :; do sleep 0.05; done'
      const running = startPartner(['sandbox', 'exec', '--', 'bash', '-c', script])
      await until(() => running.said.stdout === 'ready\n')
      running.process.kill(signal)
      expect(await running.ended).toMatchObject({ code: 5, stdout: 'ready\ntold\n' })
    },
  )
})

test("two sandboxes that use the same directory immediately see each other's changes", async () => {
  const home = freshHome()
  const [one, other] = await Promise.all([serving([], home), serving([], home)])
  const redeem = ['giftcards', 'redeem', CARD, '--amount', '30', '--json']
  expect((await runPartner(redeem, { env: { ...home, ...one.env } })).code).toBe(0)
  const get = ['giftcards', 'get', CARD, '--json', '--columns', 'remainingAmount']
  expect((await runPartner(get, { env: { ...home, ...other.env } })).stdout).toBe('{"remainingAmount":70}\n')
  const script = `partner sandbox faults add --endpoint "GET /GiftCards/{cardNumber}" --status 404 > /dev/null 2>&1`
  await runShell(script, { env: home })
  for (const { env } of [one, other])
    expect((await runPartner([...get, '--retries', '0'], { env: { ...home, ...env } })).code).toBe(3)
})
