import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { eventBody } from '../../../src/contract/events.ts'
import { examine } from '../../../src/features/support/doctor/doctor.ts'
import { DOCTOR_ROWS } from '../../../src/monitor/file/doctor-rows.ts'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { answers, freePort, startRawServer } from '../../support/raw-server.ts'
import { isRunning } from '../../support/running.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { startAlteringProxy } from '../../support/spoiled-answers.ts'
import { until } from '../../support/until.ts'
import { booking, startDesk } from '../../sync/service.ts'
import { type FreshMonitor, freshMonitor, MINUTE } from './fresh-monitor.ts'

const sandbox = await startSharedSandbox()

/** Creates a monitor that writes alerts to a file. Its only check is named `it`. */
const monitorOf = (check: string, env?: Record<string, string>) =>
  freshMonitor(`alerts: [{ file: alerts.ndjson }]\nchecks:\n  - { name: it, ${check} }\n`, env)

/** Expects the last alert to report a new fault and returns the alert. */
function expectBegan(monitor: FreshMonitor, message: string | RegExp) {
  const last = monitor.alerts().at(-1)
  expect(last).toMatchObject({ change: 'began', message: expect.stringMatching(message) })
  return last
}

const expectEnded = (monitor: FreshMonitor) => expect(monitor.told()).toEqual(['it began', 'it ended'])

const ok = async (run: Promise<{ code: number | null; stderr: string }>) => {
  const done = await run
  expect(done, done.stderr).toMatchObject({ code: 0 })
  return done
}

describe('doctor checks in partner monitor', () => {
  test('a doctor check reports when the service fails and when it recovers', async () => {
    const monitor = monitorOf('doctor: [service, key]')
    await ok(monitor.once())
    await ok(
      monitor.run(
        'sandbox',
        'faults',
        'add',
        '--endpoint',
        'GET /Resources/booking-statuses',
        '--status',
        '503',
        '--next',
        '9',
      ),
    )
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(expectBegan(monitor, /^service: 503/)?.next).toBe('partner profiles check -v')
    await ok(monitor.run('sandbox', 'faults', 'clear'))
    await ok(monitor.once())
    expectEnded(monitor)
  })

  test('a check of a skipped doctor row reports the message of the failed row that caused the skip', async () => {
    const env = { PARTNER_BASE_URL: `http://127.0.0.1:${await freePort()}`, PARTNER_API_KEY: 'key-1' }
    const monitor = monitorOf('doctor: [statuses, venue]', env)
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(expectBegan(monitor, /^tcp: nothing is listening at 127/)?.profile).toBeNull()
  })

  test('a doctor check reports a wrong key without printing the key', async () => {
    const monitor = monitorOf('doctor: [service, key, statuses]', {
      PARTNER_BASE_URL: sandbox.baseUrl,
      PARTNER_API_KEY: 'wrong-key-0000',
    })
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expectBegan(monitor, /^key: .*401[^;]*/)
    expect(JSON.stringify(monitor.alerts())).not.toContain('wrong-key-0000')
  })

  test('a doctor check ignores warnings unless the checks file sets warnings: true', async () => {
    const monitor = monitorOf('doctor: [webhooks]')
    await ok(monitor.once())
    monitor.write('alerts: [{ file: alerts.ndjson }]\nchecks: [{ name: it, doctor: all, warnings: true }]')
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expectBegan(monitor, /^webhooks: no event has a subscription/)
  })

  test('a doctor check keeps its own time limit if a check with a shorter limit shares its doctor run', async () => {
    const service = await startRawServer(() => (socket, request) => {
      void until(() => monitor.told().includes('fast began')).then(() => answers(200, [])(socket, request))
    })
    const monitor = freshMonitor(
      `alerts: [{ file: alerts.ndjson }]
checks: [{ name: fast, doctor: [service], timeout: 1s }, { name: slow, doctor: [key] }]`,
      service.env,
    )
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(await monitor.status()).toMatchObject([
      { name: 'fast', state: 'unknown', message: 'cannot be checked: it did not finish within 1s' },
      { name: 'slow', state: 'ok' },
    ])
    expect(monitor.told()).toEqual(['fast began'])
  })

  test('a doctor check can select any doctor row', async () => {
    const rows = new Set<string>()
    const around = { env: {}, version: '0', sandbox: null, now: Date.now, signal: new AbortController().signal }
    const quiet = { notify: () => {}, waitsFor: () => () => {}, hide: () => {}, hidden: () => [] }
    for await (const { name } of examine({ around: { ...around, ...quiet }, timeoutMs: 1000, syncTargets: [] }))
      rows.add(name)
    // Doctor prints the ledger row only if a ledger is configured.
    expect([...rows, 'ledger'].sort()).toEqual([...DOCTOR_ROWS].sort())
  })
})

describe('copy checks in partner monitor', () => {
  test('a copy check reports when the copy becomes too old and when it is up to date again', async () => {
    const monitor = monitorOf('copy: venue.db, older-than: 10m')
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expectBegan(monitor, 'no sync has finished yet')
    const copy = join(monitor.directory, 'venue.db')
    await ok(monitor.run('bookings', 'sync', '--to', copy))
    await ok(monitor.once())
    expectEnded(monitor)
    expect(await monitor.onceAt(11 * MINUTE)).toMatchObject({ code: 11 })
    expect(expectBegan(monitor, /^the copy is 11m( \d+s)? behind$/)?.next).toBe(
      `partner bookings sync status --to ${copy} --profile sandbox`,
    )
  })

  test.each(['venue.db', 'b.ndjson'])(
    "a copy check reports that no sync to %s has run, even if the service's clock was ahead during the last sync or the one before",
    async (name) => {
      const monitor = monitorOf(`copy: ${name}, older-than: 10m`)
      const sync = () => ok(monitor.run('bookings', 'sync', '--to', name))
      await ok(monitor.run('sandbox', 'clock', 'advance', '30d'))
      await sync()
      for (const correct of [() => Promise.resolve(), () => monitor.run('sandbox', 'clock', 'reset').then(sync)]) {
        await correct()
        await ok(monitor.once())
        expect(await monitor.onceAt(11 * MINUTE)).toMatchObject({ code: 11 })
        expectBegan(monitor, /^the copy is 11m( \d+s)? behind$/)
      }
    },
  )

  test.each(['venue.db', 'b.ndjson'])(
    'a copy check reports that the last sync to %s failed, until a sync succeeds',
    async (name) => {
      const monitor = monitorOf(`copy: ${name}, older-than: 10m`)
      const sync = () => monitor.run('bookings', 'sync', '--to', name, '--retries', '0')
      await ok(sync())
      await ok(monitor.once())
      await ok(monitor.run('sandbox', 'faults', 'add', '--endpoint', 'GET /Bookings', '--status', '503', '--next', '9'))
      expect(await sync()).toMatchObject({ code: 8 })
      expect(await monitor.once()).toMatchObject({ code: 11 })
      expectBegan(monitor, /^the last run failed at \d{4}-.*Z: .*503|^the last run failed at .*Z: \S/)
      await ok(monitor.run('sandbox', 'faults', 'clear'))
      await ok(sync())
      await ok(monitor.once())
      expectEnded(monitor)
    },
  )

  test('a copy check with resource: sales examines the sales in the copy', async () => {
    const monitor = monitorOf('copy: venue.db, resource: sales, older-than: 1h')
    await ok(monitor.run('bookings', 'sync', '--to', 'venue.db'))
    expect(await monitor.once()).toMatchObject({ code: 11 })
    await ok(monitor.run('sales', 'sync', '--to', 'venue.db'))
    await ok(monitor.once())
    expectEnded(monitor)
  })
})

test('an operations check reports a write whose outcome has been unknown for too long, without the card number', async () => {
  const monitor = monitorOf('operations: { open-longer-than: 15m }')
  await ok(monitor.once())
  const add = ['sandbox', 'faults', 'add', '--endpoint']
  await ok(monitor.run(...add, 'POST /GiftCards/redeem', '--close', '--phase', 'before', '--next', '1'))
  const lost = await monitor.run('giftcards', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '10.25', '--retries', '0')
  expect(lost).toMatchObject({ code: 9 })
  await ok(monitor.once())
  expect(await monitor.onceAt(16 * MINUTE)).toMatchObject({ code: 11 })
  const alert = expectBegan(monitor, /^the outcome of giftcards redeem of 10\.25 \(op_\w+\) has been unknown for 16m/)
  expect(JSON.stringify(alert)).not.toContain('GIFT2')
  await ok(monitor.run(...(alert?.next ?? '').split(' ').slice(1), '--as', 'applied', '--yes'))
  await ok(monitor.onceAt(17 * MINUTE))
  expectEnded(monitor)
})

describe('events checks in partner monitor', () => {
  const delivery = (timeMs: number, size = 10) =>
    deliveryLine({ timeMs, headers: {}, body: Buffer.alloc(size, 'x'), verdict: 'new' })

  test('an events check reports when events stop arriving and when they arrive again', async () => {
    const monitor = monitorOf('events: { journal: hooks.ndjson, silent-for: 2h }')
    const journal = join(monitor.directory, 'hooks.ndjson')
    const now = Date.now()
    writeFileSync(journal, delivery(now - 60 * MINUTE, 200_000))
    await ok(monitor.once())
    expect(await monitor.onceAt(90 * MINUTE)).toMatchObject({ code: 11 })
    expect(expectBegan(monitor, /^nothing has been delivered for 2h 30m$/)?.next).toBe(
      'partner webhooks list --profile sandbox',
    )
    // Write an incomplete last line. The check must ignore the delivery in it.
    writeFileSync(
      journal,
      delivery(now) + delivery(now + 60 * MINUTE, 100_000) + delivery(now + 80 * MINUTE).slice(0, 40),
    )
    await ok(monitor.onceAt(90 * MINUTE))
    expectEnded(monitor)
    expect(monitor.alerts()[1]?.message).toMatch(/^the last event was delivered 30m( \d+s)? ago$/)
  })

  test.each(['plain', 'compressed'])(
    'an events check measures silence across midnight, when a new journal file was started (%s)',
    async (how) => {
      const monitor = monitorOf('events: { journal: hooks.ndjson, silent-for: 2h }')
      const last = delivery(Date.now() - 90 * MINUTE)
      if (how === 'plain') writeFileSync(join(monitor.directory, 'hooks.ndjson.2026-11-27'), last)
      else writeFileSync(join(monitor.directory, 'hooks.ndjson.2026-11-27.gz'), gzipSync(last))
      monitor.put('hooks.ndjson', '')
      await ok(monitor.once())
      expect(await monitor.onceAt(60 * MINUTE)).toMatchObject({ code: 11 })
      expectBegan(monitor, /^nothing has been delivered for 2h 30m$/)
    },
  )

  test('an events check is unknown if the journal does not exist, and reports a journal that stays empty', async () => {
    const monitor = monitorOf('events: { journal: hooks.ndjson, silent-for: 2h }')
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expectBegan(monitor, /^cannot be checked: .*hooks\.ndjson cannot be read: no such file/)
    expect(await monitor.status()).toMatchObject([{ state: 'unknown' }])
    monitor.put('hooks.ndjson', '')
    await ok(monitor.once())
    expect(await monitor.status()).toMatchObject([{ state: 'ok', message: 'nothing has been delivered yet' }])
    expect(await monitor.onceAt(121 * MINUTE)).toMatchObject({ code: 11 })
    expectBegan(monitor, /^nothing has been delivered for 2h 1m$/)
  })
})

test('a gaps check reports when events are missing and when they have been delivered', async () => {
  const at = (clock: string) => `2026-11-20T${clock}:00.000Z`
  const changed = (id: string, clock: string) =>
    booking(id, at(clock), { bookedAt: '2026-11-19T10:00:00.000Z', locationId: 'venue-1' })
  const arrived = (subject: string, clock: string, times = 1) =>
    deliveryLine({
      ...{ timeMs: Date.parse(at(clock)) + 200, headers: {}, verdict: 'new' },
      body: Buffer.from(JSON.stringify(eventBody('BOOKING_UPDATED', subject, 'venue-1'))),
    }).repeat(times)
  const { desk } = await startDesk(at('20:00'), [changed('A', '08:00'), changed('M', '09:00')], 'b.ndjson')
  await ok(desk.sync('--source', 'city', '--since', '2026-11-01T00:00:00Z'))
  const monitor = monitorOf(`gaps: { journal: hooks.ndjson, copy: '${desk.path}', source: city }`, desk.env)
  // Write one event twice. The check must not report it as missing.
  monitor.put('hooks.ndjson', arrived('A', '08:00', 2) + arrived('M', '09:00'))
  await ok(monitor.once())
  monitor.put('hooks.ndjson', arrived('A', '08:00'))
  const run = await monitor.once()
  expect(run, run.stderr).toMatchObject({ code: 11 })
  expect(expectBegan(monitor, /^1 event is missing$/)?.next).toMatch(
    /^partner webhooks gaps --journal \S+hooks\.ndjson --copy \S+b\.ndjson --source city$/,
  )
  monitor.put('hooks.ndjson', arrived('A', '08:00') + arrived('M', '09:00'))
  await ok(monitor.once())
  expectEnded(monitor)
})

test('a drift check reports when the service contradicts the contract and when it conforms again', async () => {
  let isSpoiled = false
  const proxy = await startAlteringProxy(sandbox.baseUrl, {
    answer: ({ target }, body) => (isSpoiled && target.includes('booking-statuses') ? [{ ...body[0], name: 5 }] : body),
  })
  const monitor = monitorOf('drift: documented', { PARTNER_BASE_URL: proxy.baseUrl, PARTNER_API_KEY: sandbox.apiKey })
  await ok(monitor.once())
  isSpoiled = true
  expect(await monitor.once()).toMatchObject({ code: 11 })
  expectBegan(monitor, /^the service contradicts the contract in \d+ documented members?$/)
  isSpoiled = false
  await ok(monitor.once())
  expectEnded(monitor)
})

test('a books check reports when a sale is missing and when the books agree again', async () => {
  const columns =
    '{ saleId: saleDetail.transactionId, total: saleDetail.total, closed: saleDetail.transactionDateTime }'
  const monitor = monitorOf(`books: { sales: till.csv, date: yesterday, map: ${columns} }`)
  const till = (await ok(
    monitor.run('sales', 'list', '--from', 'yesterday', '--to', 'yesterday', '-o', 'csv'),
  )) as unknown as { stdout: string }
  monitor.put('till.csv', till.stdout)
  const good = await monitor.once()
  expect(good, good.stderr).toMatchObject({ code: 0 })
  const lines = till.stdout.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(2)
  monitor.put('till.csv', `${lines.slice(0, -1).join('\n')}\n`)
  expect(await monitor.once()).toMatchObject({ code: 11 })
  expect(expectBegan(monitor, /./)?.next).toMatch(/^partner sales reconcile \S+till\.csv --date yesterday --map /)
  monitor.put('till.csv', till.stdout)
  await ok(monitor.once())
  expectEnded(monitor)
})

test('a disk check reports when too little disk space is free', async () => {
  const monitor = monitorOf('disk: { path: ., free-below: 1KB }')
  await ok(monitor.once())
  monitor.write('alerts: [{ file: alerts.ndjson }]\nchecks: [{ name: it, disk: { path: ., free-below: 9999TB } }]')
  expect(await monitor.once()).toMatchObject({ code: 11 })
  expect(expectBegan(monitor, /^only .* free on the disk that contains /)?.next).toMatch(/^df -h /)
  monitor.write('alerts: [{ file: alerts.ndjson }]\nchecks: [{ name: it, disk: { path: none, free-below: 1KB } }]')
  expect(await monitor.once()).toMatchObject({ code: 11 })
  expect(await monitor.status()).toMatchObject([{ state: 'unknown', message: expect.stringContaining('no such file') }])
})

describe('command checks in partner monitor', () => {
  test('a command check reports the exit code and the last line of output, and runs in the directory of the checks file', async () => {
    const monitor = monitorOf('command: ./check.sh')
    monitor.put('check.sh', '#!/bin/sh\necho first; printf "disk\\033[31m is\\nfull\\tup\\n\\n" >&2; exit 4\n', 0o700)
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(expectBegan(monitor, /^exit code 4: full up$/)?.next).toBe('./check.sh')
    monitor.put('check.sh', '#!/bin/sh\nexit 0\n', 0o700)
    await ok(monitor.once())
    expectEnded(monitor)
  })

  test('a command check gets the profile, but no secrets and no input', async () => {
    const monitor = freshMonitor(
      "alerts: [{ webhook: 'http://127.0.0.1:1/', headers: { X-Token: env:ALERT_TOKEN } }]\nchecks: [{ name: it, command: 'env > env.txt; cat > input.txt' }]",
      { PARTNER_PROFILE: 'sandbox', PARTNER_SIGNING_SECRET: 'signing-secret-1', ALERT_TOKEN: 'alert-token-1' },
    )
    await ok(monitor.once())
    const seen = readFileSync(join(monitor.directory, 'env.txt'), 'utf8')
    expect(readFileSync(join(monitor.directory, 'input.txt'), 'utf8')).toBe('')
    expect(seen).toContain('PARTNER_PROFILE=sandbox\n')
    expect(seen).not.toMatch(/signing-secret-1|alert-token-1/)
  })

  test('a command check that ignores SIGTERM is killed when the monitor exits', async () => {
    const monitor = monitorOf(`command: 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done', timeout: 1s`)
    expect(await monitor.once()).toMatchObject({ code: 11 })
    const pid = Number(readFileSync(join(monitor.directory, 'pid'), 'utf8'))
    await until(() => !isRunning(pid))
  })

  test('a command check that exceeds its time limit is stopped and reported as unknown', async () => {
    const monitor = monitorOf("command: 'sleep 600 & wait', timeout: 1s")
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expectBegan(monitor, /^cannot be checked: it did not finish within 1s$/)
    expect(await monitor.status()).toMatchObject([{ state: 'unknown' }])
  })
})
