import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fullPipe } from '../../support/full-pipe.ts'
import { needs } from '../../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { answers, hangs } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'
import { configureVenues } from '../../support/venues.ts'
import { openTestInbox } from '../../webhooks/inbox/inboxes.ts'
import { startAlertReceiver } from './alert-receiver.ts'
import { type FreshMonitor, freshMonitor, MINUTE } from './fresh-monitor.ts'

const sandbox = await startSharedSandbox()

const OWN = `
every: 1s
alerts: [{ file: alerts.ndjson }]
checks: [{ name: mine, command: test -e well }]
`

/** Waits for `count` alerts and returns them as each check's name and change. */
async function toldAfter(monitor: FreshMonitor, count: number) {
  await until(() => monitor.told().length >= count)
  return monitor.told()
}

describe('partner monitor without --once', () => {
  test('a running monitor reports changes, prints a line for each, and exits with code 0 on SIGTERM', async () => {
    const monitor = freshMonitor(OWN)
    const running = monitor.start()
    expect(await toldAfter(monitor, 1)).toEqual(['mine began'])
    monitor.put('well', '')
    expect(await toldAfter(monitor, 2)).toEqual(['mine began', 'mine ended'])
    rmSync(join(monitor.directory, 'well'))
    expect(await toldAfter(monitor, 3)).toEqual(['mine began', 'mine ended', 'mine began'])
    running.process.kill('SIGTERM')
    const run = await running.ended
    expect(run).toMatchObject({ code: 0, stdout: '' })
    const lines = run.stderr.trimEnd().split('\n')
    expect(lines[0]).toBe('watching 1 check; Ctrl-C to stop')
    expect(lines.slice(1, 4).map((line) => line.replace(/^\S+ /, '').replace(/after [^:]+/, 'after N'))).toEqual([
      'mine is wrong: exit code 1; next: test -e well',
      'mine recovered after N: exit code 0',
      'mine is wrong: exit code 1; next: test -e well',
    ])
  })

  test('a restarted monitor neither repeats nor loses an alert', async () => {
    const monitor = freshMonitor(OWN)
    const first = monitor.start('--quiet')
    await toldAfter(monitor, 1)
    first.process.kill('SIGINT')
    expect(await first.ended).toMatchObject({ code: 0 })
    const second = monitor.start('--quiet')
    const checkedAt = (await monitor.status())[0]?.checkedAt
    await until(async () => (await monitor.status())[0]?.checkedAt !== checkedAt)
    monitor.put('well', '')
    expect(await toldAfter(monitor, 2)).toEqual(['mine began', 'mine ended'])
    second.process.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 0 })
  })

  test('a running monitor blocks a second monitor for the same file, but not monitor status or monitor test', async () => {
    const monitor = freshMonitor(OWN)
    const running = monitor.start()
    await toldAfter(monitor, 1)
    for (const run of [await monitor.once(), await monitor.run('monitor', 'checks.yaml', '--once')])
      expectRefusal(run, {
        code: 12,
        says: /checks\.yaml is locked: process \d+ \(monitor, since /,
        next: 'or stop it',
      })
    expect(await monitor.status()).toMatchObject([{ name: 'mine', state: 'wrong' }])
    expect(await monitor.run('monitor', 'test', monitor.file)).toMatchObject({ code: 0 })
    expect(await monitor.once('--state', join(monitor.directory, 'other.db'))).toMatchObject({ code: 11 })
    running.process.kill('SIGKILL')
    await running.ended
    expect(await monitor.once()).toMatchObject({ code: 11 })
  })

  test('a running monitor continues with the other checks and destinations if one of them hangs', async () => {
    const receiver = await startAlertReceiver()
    receiver.respond = () => hangs
    const monitor = freshMonitor(`
every: 1s
alerts: [{ webhook: '${receiver.url}' }, { file: alerts.ndjson }]
checks:
  - { name: stuck, command: sleep 600 }
  - { name: mine, command: test -e well }
`)
    const running = monitor.start()
    expect(await toldAfter(monitor, 1)).toEqual(['mine began'])
    monitor.put('well', '')
    expect(await toldAfter(monitor, 2)).toEqual(['mine began', 'mine ended'])
    running.process.kill('SIGTERM')
    // On SIGTERM, the monitor finishes the delivery attempt, but not the check.
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  /** Starts a monitor with so many faults that its messages about them fill the buffer of a pipe that nothing reads. */
  async function startUnread() {
    const faults = Array.from(
      { length: 200 },
      (_, at) => `  - { name: d${at}, disk: { path: /${'x'.repeat(240)}, free-below: 1B } }\n`,
    )
    const monitor = freshMonitor(
      `every: 1s\nalerts: [{ file: alerts.ndjson }]\nchecks:\n${faults.join('')}  - { name: mine, command: test -e well }\n`,
    )
    const pipe = fullPipe()
    const { env, file } = monitor
    const running = startPartner(['monitor', file], { env, isService: true, stderr: pipe.descriptor })
    await toldAfter(monitor, faults.length + 1)
    return { monitor, pipe, running }
  }

  test('a running monitor continues to check and to deliver alerts if nothing reads its stderr', async () => {
    const { monitor, pipe, running } = await startUnread()
    const toldOfMine = () => monitor.told().filter((line) => line.startsWith('mine'))
    monitor.put('well', '')
    await until(() => toldOfMine().length === 2)
    rmSync(join(monitor.directory, 'well'))
    await until(() => toldOfMine().length === 3)
    let said = pipe.read()
    monitor.put('well', '')
    await until(() => {
      said += pipe.read()
      return said.includes('mine recovered')
    })
    expect(said).toMatch(/\n\(\d+ messages? (?:is|are) missing here, because nothing read stderr\)\n.* mine recovered /)
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  test('SIGTERM stops a running monitor even if nothing reads its stderr', async () => {
    const { running } = await startUnread()
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  test('a running monitor retries a receiver that is down, and delivers the waiting alerts in order', async () => {
    const receiver = await startAlertReceiver()
    receiver.respond = () => answers(503)
    const monitor = freshMonitor(OWN.replace('{ file: alerts.ndjson }', `{ webhook: '${receiver.url}' }`))
    const running = monitor.start()
    const stateIs = (state: string) => until(async () => (await monitor.status())[0]?.state === state)
    await stateIs('wrong')
    monitor.put('well', '')
    await stateIs('ok')
    await until(() => receiver.server.requests.length >= 2)
    receiver.respond = () => undefined
    await until(() => receiver.taken.length === 2)
    expect(receiver.taken.map(({ change }) => change)).toEqual(['began', 'ended'])
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0 })
  })

  test('a running monitor keeps the .prom file up to date', async () => {
    const monitor = freshMonitor(OWN)
    const prom = join(monitor.directory, 'checks.prom')
    const running = monitor.start('--prom', prom)
    const isWell = (value: number) => {
      try {
        return readFileSync(prom, 'utf8').includes(`partner_check_ok{check="mine",profile="sandbox"} ${value}\n`)
      } catch {
        return false
      }
    }
    await until(() => isWell(0))
    monitor.put('well', '')
    await until(() => isWell(1))
    running.process.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0 })
  })
})

describe('partner monitor on a full disk', () => {
  needs(SMALL_DISK)

  test('a monitor on a full disk still records and reports changes', async () => {
    const disk = mountSmallDisk(4096)
    const monitor = freshMonitor(OWN)
    const state = ['--state', join(disk, 'state.db')]
    monitor.put('well', '')
    expect(await monitor.once(...state)).toMatchObject({ code: 0 })
    expect(await monitor.run('doctor')).toMatchObject({ code: 0 })
    mkdirSync(join(disk, 'filler'))
    for (const size of [65_536, 4096, 1])
      for (;;)
        try {
          appendFileSync(join(disk, 'filler', 'bytes'), Buffer.alloc(size))
        } catch {
          break
        }
    for (let fault = 0; fault < 3; fault++) {
      rmSync(join(monitor.directory, 'well'))
      const wrong = await monitor.once(...state)
      expect(wrong, wrong.stderr).toMatchObject({ code: 11 })
      monitor.put('well', '')
      expect(await monitor.once(...state)).toMatchObject({ code: 0 })
    }
    expect(monitor.told()).toEqual(Array.from({ length: 3 }, () => ['mine began', 'mine ended']).flat())
  })
})

describe('partner monitor for many venues', () => {
  const venuesWith = () => {
    const good = { baseUrl: sandbox.baseUrl, key: sandbox.apiKey }
    return configureVenues([
      { name: 'city', ...good, tags: ['south'] },
      { name: 'harbour', ...good, key: 'wrong-key-000', tags: ['south'] },
      { name: 'hill', ...good },
    ])
  }

  test('a monitor for many venues runs each check for each venue, and names the venue wherever it reports a check', async () => {
    const text = `
alerts: [{ file: alerts.ndjson }]
checks:
  - { name: key, doctor: [key] }
  - { name: mine, command: 'echo $PARTNER_PROFILE; test $PARTNER_PROFILE = city' }
`
    const monitor = freshMonitor(text, venuesWith().env)
    const prom = join(monitor.directory, 'checks.prom')
    const run = await monitor.once('--profiles', 'all', '--prom', prom)
    expect(run).toMatchObject({ code: 11 })
    expect(run.stderr).toMatch(/Z harbour: key is wrong: key: /)
    expect(run.stderr).toMatch(/^3 of 6 checks not ok: harbour: key, harbour: mine, hill: mine$/m)
    const began = monitor.alerts().map(({ check, profile, message }) => `${check} ${profile} ${message.slice(0, 18)}`)
    expect(began.sort()).toEqual([
      'key harbour key: Unauthorized ',
      'mine harbour exit code 1: harbo',
      'mine hill exit code 1: hill',
    ])
    const rows = (await monitor.status()).map(({ name, profile, state }) => `${name} ${profile} ${state}`)
    expect(rows).toEqual([
      'key city ok',
      'key harbour wrong',
      'key hill ok',
      'mine city ok',
      'mine harbour wrong',
      'mine hill wrong',
    ])
    const south = await monitor.status('--profiles', 'tag:south')
    expect(south.map(({ profile }) => profile)).toEqual(['city', 'harbour', 'city', 'harbour'])
    expect(await monitor.status('--profile', 'hill')).toMatchObject([{ profile: 'hill' }, { profile: 'hill' }])
    expect(readFileSync(prom, 'utf8')).toContain('partner_check_ok{check="key",profile="harbour"} 0\n')
  })

  test('a monitor for many venues replaces {profile} in file names and rejects a single-venue file without {profile}', async () => {
    const monitor = freshMonitor(
      'alerts: [{ file: alerts.ndjson }]\nchecks:\n  - { name: copy, copy: "{profile}.ndjson" }\n',
      venuesWith().env,
    )
    for (const name of ['city', 'hill'])
      expect(await monitor.run('bookings', 'sync', '--to', `${name}.ndjson`, '--profile', name)).toMatchObject({
        code: 0,
      })
    expect(await monitor.once('--profiles', 'city,hill')).toMatchObject({ code: 0 })
    expect(await monitor.once('--profiles', 'all')).toMatchObject({ code: 11 })
    expect(monitor.alerts()).toMatchObject([{ profile: 'harbour', message: 'no sync has finished yet' }])
    monitor.write('checks:\n  - { name: copy, copy: b.ndjson }\n')
    expectRefusal(await monitor.once('--profiles', 'city,hill'), {
      ...{ code: 2, says: /checks\.yaml:2:5: .*b\.ndjson can belong to only one venue/, next: 'partner help monitor' },
    })
    expect(await monitor.once('--profiles', 'city')).toMatchObject({ code: 11 })
  })

  test('a copy check of a shared database reports on each venue separately', async () => {
    const monitor = freshMonitor('checks:\n  - { name: copy, copy: venues.db }\n', venuesWith().env)
    const sync = await monitor.run('bookings', 'sync', '--to', 'venues.db', '--profiles', 'city,harbour,hill')
    expect(sync).toMatchObject({ code: 11 })
    expect(await monitor.once('--profiles', 'all')).toMatchObject({ code: 11 })
    const rows = (await monitor.status()).map(
      ({ profile, state, message }) => `${profile} ${state} ${message.slice(0, 20)}`,
    )
    expect(rows).toEqual([
      expect.stringMatching(/^city ok the copy is/),
      'harbour wrong the last run failed ',
      expect.stringMatching(/^hill ok the copy is/),
    ])
  })

  test('removing a profile clears its faults', async () => {
    const venues = venuesWith()
    const monitor = freshMonitor(
      'alerts: [{ file: alerts.ndjson }]\nchecks:\n  - { name: key, doctor: [key] }\n',
      venues.env,
    )
    expect(await monitor.once('--profiles', 'all')).toMatchObject({ code: 11 })
    expect(await monitor.run('profiles', 'remove', 'harbour', '--yes')).toMatchObject({ code: 0 })
    expect(await monitor.once('--profiles', 'all')).toMatchObject({ code: 0 })
    expect(monitor.alerts().at(-1)).toMatchObject({ change: 'ended', message: 'the profile harbour no longer exists' })
  })
})

describe('partner monitor with an inbox', () => {
  needs(OWN_POSTGRES)
  const server = postgresServer()

  test('an events check of an inbox reports when an event is dead and when no events arrive', async () => {
    const url = await server.database()
    const { event } = await openTestInbox(url)
    const monitor = freshMonitor(
      `alerts: [{ file: alerts.ndjson }]\nchecks:\n  - { name: it, events: { inbox: '${url}', silent-for: 2h } }\n`,
    )
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(monitor.alerts().at(-1)?.message).toBe('nothing has been delivered yet')
    await event('BOOKING_UPDATED', 'BK-1')
    expect(await monitor.once()).toMatchObject({ code: 0 })
    await server.query(url, "UPDATE inbox SET state = 'dead'")
    expect(await monitor.once()).toMatchObject({ code: 11 })
    expect(monitor.alerts().at(-1)).toMatchObject({
      message: '1 event is dead',
      next: expect.stringMatching(/^partner webhooks inbox --from 'postgres:\S+' --state dead$/),
    })
    await server.query(url, "UPDATE inbox SET state = 'done'")
    expect(await monitor.once()).toMatchObject({ code: 0 })
    expect(await monitor.onceAt(121 * MINUTE)).toMatchObject({ code: 11 })
    expect(monitor.alerts().at(-1)?.message).toMatch(/^nothing has been delivered for 2h 1m$/)
  })
})
