import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Alert } from '../../../src/monitor/alerts/alert.ts'
import { needs } from '../../support/needs.ts'
import { runShell } from '../../support/partner.ts'
import { answers, closes, freePort, hangs, redirectsTo, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { FULL_DEVICE } from '../../support/small-disk.ts'
import { startAlertReceiver } from './alert-receiver.ts'
import { freshMonitor, MINUTE } from './fresh-monitor.ts'

const SECRET = 'Bearer alert-token-5f1e77'

/** Creates a monitor with the given alert destinations. Its only check passes while a file named `well` exists. */
const monitorOf = (...alerts: readonly string[]) =>
  freshMonitor(
    `alerts:\n${alerts.map((one) => `  - ${one}\n`).join('')}checks: [{ name: mine, command: test -e well }]\n`,
    {
      PARTNER_PROFILE: 'sandbox',
      ALERT_TOKEN: SECRET,
    },
  )

const told = (alerts: readonly Alert[]) => alerts.map(({ change }) => change)

describe('alerts to a webhook', () => {
  test('a webhook receives the alert as JSON, with its ID, the configured headers and the referenced credentials', async () => {
    const receiver = await startAlertReceiver()
    const monitor = monitorOf(
      `{ webhook: '${receiver.url}', headers: { Authorization: env:ALERT_TOKEN, X-Priority: high } }`,
    )
    expect(await monitor.once()).toMatchObject({ code: 11 })
    const [request] = receiver.server.requests
    expect(request).toMatchObject({ method: 'POST', target: '/in' })
    expect(request?.headers).toMatchObject({
      authorization: SECRET,
      'x-priority': 'high',
      'content-type': 'application/json',
    })
    const alert = JSON.parse(request?.body ?? '') as Alert
    expect(Object.keys(alert)).toEqual(['id', 'check', 'change', 'since', 'at', 'profile', 'message', 'next'])
    expect(request?.headers['idempotency-key']).toBe(alert.id)
  })

  test('an alert to a webhook is retried with the same ID and increasing delays until the webhook accepts it', async () => {
    const receiver = await startAlertReceiver()
    const attempts: { readonly id: string; readonly ms: number }[] = []
    receiver.respond = ({ headers }) => {
      attempts.push({ id: headers['idempotency-key'] ?? '', ms: performance.now() })
      return [answers(500), closes][attempts.length - 1]
    }
    const monitor = monitorOf(`webhook: '${receiver.url}'`)
    const run = await monitor.once()
    expect(run).toMatchObject({ code: 11 })
    expect(run.stderr).toContain(
      `warning: webhook ${receiver.server.baseUrl} did not accept the alert about mine: it answered 500; retrying\n`,
    )
    expect(run.stderr).toContain(`webhook ${receiver.server.baseUrl} accepted the alert about mine on attempt 3\n`)
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1)
    const [first = 0, second = 0, third = 0] = attempts.map(({ ms }) => ms)
    expect(second - first).toBeGreaterThan(950)
    expect(third - second).toBeGreaterThan(1950)
    expect(told(receiver.taken)).toEqual(['began'])
  })

  test('a webhook that was down receives every alert after it recovers, in order and without duplicates', async () => {
    const receiver = await startAlertReceiver()
    const monitor = monitorOf(`webhook: '${receiver.url}'`)
    // The monitor retries after a 400, as after any other non-2xx response.
    receiver.respond = () => answers(400)
    const down = await monitor.once()
    expect(down.stderr).toMatch(
      /warning: 1 alert waits for webhook http:\/\/127\.0\.0\.1:\d+: it answered 400; the next run tries again/,
    )
    monitor.put('well', '')
    expect(await monitor.onceAt(10 * MINUTE)).toMatchObject({ code: 0 })
    rmSync(join(monitor.directory, 'well'))
    expect(await monitor.onceAt(20 * MINUTE)).toMatchObject({ code: 11 })
    const ids = new Set(
      receiver.server.requests
        .filter(({ body }) => body.includes('"mine"'))
        .map(({ headers }) => headers['idempotency-key']),
    )
    expect(ids.size).toBe(1)
    receiver.respond = () => undefined
    const up = await monitor.onceAt(40 * MINUTE)
    expect(up.stderr).not.toContain('warning')
    // Ignore the alert in which the monitor reports that it could not deliver alerts.
    const own = receiver.taken.filter(({ check }) => check === 'mine')
    expect(told(own)).toEqual(['began', 'ended', 'began'])
    expect(own.map(({ at }) => at)).toEqual(own.map(({ at }) => at).sort())
  }, 240_000)

  test.each([
    [
      'redirects',
      redirectsTo('https://elsewhere.example/in'),
      /it answered 307, which redirects to https:\/\/elsewhere\.example and is not followed/,
    ],
    ['hangs', hangs, /no complete response within 10s/],
  ])('an alert counts as not accepted if the webhook %s', async (_, act, problem) => {
    const receiver = await startAlertReceiver()
    receiver.respond = () => act
    const monitor = monitorOf(`webhook: '${receiver.url}'`, 'file: alerts.ndjson')
    const run = await monitor.once()
    expect(run).toMatchObject({ code: 11 })
    expect(run.stderr).toMatch(problem)
    expect(monitor.told()).toEqual(['mine began'])
  })

  test('an alert that a webhook accepts is sent only once, even if another alert is rejected at the same time', async () => {
    const receiver = await startAlertReceiver()
    const retried = Promise.withResolvers<void>()
    const count = (check: string) => receiver.server.requests.filter(({ body }) => body.includes(`"${check}"`)).length
    receiver.respond = (_, { check }) => {
      if (check === 'slow') return (socket, request) => void retried.promise.then(() => answers(204)(socket, request))
      if (count('bad') === 0) return answers(500)
      retried.resolve()
      return undefined
    }
    const monitor = freshMonitor(`
alerts: [{ webhook: '${receiver.url}' }]
checks: [{ name: slow, command: 'false' }, { name: bad, command: 'false' }]
`)
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect([count('slow'), count('bad')]).toEqual([1, 2])
  })

  test('alerts to a webhook use the proxy from the environment', async () => {
    const proxy = await startRawServer([answers(204)])
    const monitor = freshMonitor(
      "alerts: [{ webhook: 'https://alerts.example/in' }]\nchecks: [{ name: mine, command: 'false' }]",
      {
        PARTNER_PROFILE: 'sandbox',
        HTTPS_PROXY: proxy.baseUrl,
      },
    )
    expect(await monitor.run('monitor', 'test', monitor.file)).toMatchObject({ code: 11 })
    expect(proxy.requests[0]).toMatchObject({ method: 'CONNECT', target: 'alerts.example:443' })
  })

  test('monitor messages show only the origin of a webhook URL, and no secret appears in output, state or alerts', async () => {
    const receiver = await startAlertReceiver()
    receiver.respond = () => answers(403, `no ${SECRET}`)
    const token = '/services/T5f1e77/B5f1e77'
    const text = `
alerts:
  - { webhook: env:ALERT_URL, headers: { Authorization: env:ALERT_TOKEN } }
  - file: alerts.ndjson
checks: [{ name: mine, command: 'cat leak.txt; false' }]
`
    const secrets = { ALERT_URL: `${receiver.server.baseUrl}${token}`, ALERT_TOKEN: SECRET }
    const monitor = freshMonitor(text, { PARTNER_PROFILE: 'sandbox', ...secrets })
    monitor.put('leak.txt', `sent ${SECRET} to ${secrets.ALERT_URL}`)
    const state = join(monitor.directory, 'state.db')
    const run = await monitor.once('--state', state, '-v')
    expect(run.code).toBe(11)
    expect(receiver.server.requests[0]?.target).toBe(token)
    expect(run.stderr).toContain(`webhook ${receiver.server.baseUrl} did not accept`)
    const written = [state, join(monitor.directory, 'alerts.ndjson')].map((path) => readFileSync(path, 'latin1'))
    const everything = [run.stdout, run.stderr, ...written].join('')
    expect(everything).toContain('exit code 1: sent ')
    expect(everything).not.toContain('T5f1e77')
    expect(everything).not.toContain(SECRET)
  })

  test('the monitor exits with code 4 at startup if the secret for a webhook cannot be read', async () => {
    const monitor = monitorOf("{ webhook: 'http://127.0.0.1:1/', headers: { Authorization: env:NO_SUCH_TOKEN } }")
    expectRefusal(await monitor.once(), {
      code: 4,
      says: 'the variable NO_SUCH_TOKEN, which is not set',
      next: 'export NO_SUCH_TOKEN',
    })
    expectRefusal(await monitor.run('monitor', 'test', monitor.file), { code: 4, says: 'NO_SUCH_TOKEN' })
  })

  test('the monitor picks up a replaced webhook secret without a restart', async () => {
    const receiver = await startAlertReceiver()
    const monitor = monitorOf(`{ webhook: '${receiver.url}', headers: { Authorization: file:token.txt } }`)
    monitor.put('token.txt', 'old-token-111')
    receiver.respond = ({ headers }) => {
      if (headers['authorization'] === 'new-token-222') return undefined
      monitor.put('token.txt', 'new-token-222')
      return answers(401)
    }
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(told(receiver.taken)).toEqual(['began'])
  })
})

describe('alerts to a command', () => {
  test('an alert command runs in the directory of the checks file and gets the alert as a line of JSON but no secrets', async () => {
    const monitor = monitorOf(
      'exec: "cat >> told.ndjson; env > env.txt"',
      "{ webhook: 'http://127.0.0.1:1/', headers: { A-Token: env:ALERT_TOKEN } }",
    )
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(monitor.told('told.ndjson')).toEqual(['mine began'])
    expect(readFileSync(join(monitor.directory, 'env.txt'), 'utf8')).not.toContain(SECRET)
  })

  test('an alert command that fails is retried', async () => {
    const monitor = monitorOf('exec: "cat >> told.ndjson; test -e retried || { touch retried; exit 3; }"')
    const run = await monitor.once()
    expect(run.stderr).toContain('did not accept the alert about mine: exit code 3; retrying')
    expect(new Set(monitor.alerts('told.ndjson').map(({ id }) => id)).size).toBe(1)
    expect(monitor.alerts('told.ndjson')).toHaveLength(2)
  })
})

test('an alert to stderr is one line of JSON, even with --quiet', async () => {
  const monitor = monitorOf('stderr: true')
  const run = await monitor.once('--quiet')
  expect(JSON.parse(run.stderr)).toMatchObject({ check: 'mine', change: 'began' })
})

describe('alerts to stderr if stderr is not writable', () => {
  needs(FULL_DEVICE)

  test('an alert to stderr is kept until stderr is writable', async () => {
    const monitor = monitorOf('stderr: true')
    const full = await runShell('partner monitor checks.yaml --once --quiet 2>/dev/full', {
      env: monitor.env,
      cwd: monitor.directory,
    })
    expect(full).toMatchObject({ code: 11 })
    const run = await monitor.onceAt(MINUTE, '--quiet')
    expect(JSON.parse(run.stderr)).toMatchObject({ check: 'mine', change: 'began' })
  })

  test('partner monitor test reports that stderr is not writable', async () => {
    const monitor = monitorOf('stderr: true')
    const run = await runShell('partner monitor test checks.yaml --json --columns delivered,problem 2>/dev/full', {
      env: monitor.env,
      cwd: monitor.directory,
    })
    expect(run).toMatchObject({ code: 11 })
    expect(JSON.parse(run.stdout)).toEqual([{ delivered: false, problem: 'no space left on device (ENOSPC)' }])
  })
})

test('an alert to a file starts on a new line if the last line of the file is incomplete', async () => {
  const monitor = monitorOf('file: alerts.ndjson')
  monitor.put('alerts.ndjson', '{"id":"cut o')
  expect(await monitor.once()).toMatchObject({ code: 11 })
  const lines = readFileSync(join(monitor.directory, 'alerts.ndjson'), 'utf8').split('\n')
  expect(lines).toHaveLength(3)
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ change: 'began' })
})

test('an alert to a pipe is delivered once', async () => {
  const monitor = monitorOf('file: /dev/stdout')
  const options = { env: monitor.env, cwd: monitor.directory }
  const run = await runShell('partner monitor checks.yaml --once | cat', options)
  expect(JSON.parse(run.stdout)).toMatchObject({ check: 'mine', change: 'began' })
  expect(run.stderr).not.toContain('did not accept')
  const test = await runShell('set -o pipefail; partner monitor test checks.yaml | cat', options)
  expect(test).toMatchObject({ code: 0 })
  expect(test.stdout).toContain('"change":"test"')
  expect(test.stdout).toMatch(/^yes /m)
})

test('partner monitor test reports a pipe that no program reads', async () => {
  const monitor = monitorOf('file: pipe')
  execFileSync('mkfifo', [join(monitor.directory, 'pipe')])
  const run = await monitor.run('monitor', 'test', monitor.file, '--json', '--columns', 'delivered,problem')
  expect(run).toMatchObject({ code: 11 })
  expect(JSON.parse(run.stdout)).toEqual([
    { delivered: false, problem: 'it is a socket, or a pipe that no program reads (ENXIO)' },
  ])
})

test('alerts that could not be delivered to a wrong address are sent to the corrected address', async () => {
  const receiver = await startAlertReceiver()
  const monitor = monitorOf(`webhook: 'http://127.0.0.1:${await freePort()}/in'`)
  const down = await monitor.once()
  expect(down.stderr).toContain('warning: 1 alert waits for')
  monitor.write(readFileSync(monitor.file, 'utf8').replace(/http:[^']+/, receiver.url))
  expect(await monitor.once()).toMatchObject({ code: 11 })
  expect(told(receiver.taken)).toEqual(['began'])
})

test('if a destination cannot be reached for more than five minutes, the monitor alerts the other destinations', async () => {
  const monitor = monitorOf(`webhook: 'http://127.0.0.1:${await freePort()}/in'`, 'file: alerts.ndjson')
  expect(await monitor.once()).toMatchObject({ code: 11 })
  expect(await monitor.onceAt(6 * MINUTE)).toMatchObject({ code: 11 })
  expect(monitor.told()).toEqual(['mine began', 'monitor began'])
  expect(monitor.alerts()[1]).toMatchObject({
    message: expect.stringMatching(
      /^1 alert waits for webhook http:\/\/127\.0\.0\.1:\d+: nothing is listening at \S+ \(for 6m/,
    ),
    next: `partner monitor status ${monitor.file}`,
  })
  expect(await monitor.status()).toMatchObject([{ name: 'mine' }, { name: 'monitor', state: 'wrong' }])
  monitor.write(readFileSync(monitor.file, 'utf8').replace(/ {2}- webhook.*\n/, ''))
  const dropped = await monitor.onceAt(7 * MINUTE)
  expect(dropped.stderr).toContain('for a destination that is no longer in the file')
  expect(monitor.told()).toEqual(['mine began', 'monitor began', 'monitor ended'])
})

describe('partner monitor test', () => {
  test('partner monitor test sends a test alert to each destination without changing any state', async () => {
    const receiver = await startAlertReceiver()
    const monitor = monitorOf(
      'exec: cat >> told.ndjson',
      `webhook: '${receiver.url}'`,
      'file: alerts.ndjson',
      'stderr: true',
    )
    const run = await monitor.run('monitor', 'test', monitor.file, '--json')
    expect(run).toMatchObject({ code: 0 })
    expect(JSON.parse(run.stdout)).toEqual([
      { kind: 'exec', destination: 'exec cat >> told.ndjson', delivered: true, problem: null },
      { kind: 'webhook', destination: `webhook ${receiver.server.baseUrl}`, delivered: true, problem: null },
      { kind: 'file', destination: `file ${join(monitor.directory, 'alerts.ndjson')}`, delivered: true, problem: null },
      { kind: 'stderr', destination: 'stderr', delivered: true, problem: null },
    ])
    const all = [
      ...monitor.alerts(),
      ...monitor.alerts('told.ndjson'),
      ...receiver.taken,
      JSON.parse(run.stderr) as Alert,
    ]
    for (const alert of all)
      expect(alert).toMatchObject({
        check: 'test',
        change: 'test',
        profile: 'sandbox',
        message: expect.stringContaining('nothing is wrong'),
      })
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await monitor.status()).toMatchObject([{ state: 'unknown', message: 'not checked yet' }])
    await monitor.run('monitor', 'test', monitor.file)
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(2)
  })

  test('partner monitor test names each destination that did not accept the alert, and exits with code 11', async () => {
    const monitor = monitorOf(
      `webhook: 'http://127.0.0.1:${await freePort()}/in'`,
      'file: no/such/alerts.ndjson',
      'exec: exit 7',
      'stderr: true',
    )
    const run = await monitor.run('monitor', 'test', monitor.file)
    expect(run).toMatchObject({ code: 11 })
    expect(run.stdout.match(/^no /gm)).toHaveLength(3)
    for (const problem of ['nothing is listening', 'no such file', 'exit code 7']) expect(run.stdout).toContain(problem)
    expect(run.stderr).toContain('error: 3 of 4 destinations did not accept the alert\n')
  })
})
