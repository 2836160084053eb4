import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { parseNdjson } from '../../support/ndjson.ts'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { until } from '../../support/until.ts'
import { bodyOf, bookingEvent, journalLines, startListening, startTarget } from '../../webhooks/listener/listening.ts'

const DAY = 86_400_000

const run = (...args: readonly string[]) => runPartner(['webhooks', ...args], { env: freshHome() })

/** Returns the date of an earlier day and the time at noon UTC on that day. */
function daysAgo(days: number) {
  const day = new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
  return { timeMs: Date.parse(`${day}T12:00:00Z`), day }
}

/** Formats a journal line that a listener with `--keep` wrote on an earlier day. */
function oldLine(days: number, bookingId: string, isHandled: boolean): string {
  const body = Buffer.from(bookingEvent('BOOKING_CREATED', bookingId))
  const line = deliveryLine({ timeMs: daysAgo(days).timeMs, headers: {}, body, verdict: 'new' }, true)
  return isHandled ? line.replace('"handled":0}', '"handled":1}') : line
}

const unzipped = (path: string) => parseNdjson(gunzipSync(readFileSync(path)).toString())

describe('webhooks listen --keep', () => {
  test('webhooks listen --keep records whether each delivery was forwarded successfully', async () => {
    const target = await startTarget((socket, request) =>
      answers(request.body.includes('BK-2') ? 500 : 204)(socket, request),
    )
    const listener = await startListening(['--keep', '90d', '--forward-to', target.baseUrl])
    expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-1'))).toBe(204)
    expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-2'))).toBe(500)
    expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-3'))).toBe(204)
    expect((await listener.stop()).code).toBe(0)
    const lines = listener.lines() as unknown as { handled: number }[]
    expect(lines.map(({ handled }) => handled)).toEqual([1, 0, 1])
  })

  test('webhooks listen --keep records a delivery as not handled if the --exec command fails', async () => {
    const listener = await startListening(['--keep', '90d', '--exec', 'grep -q BK-1'])
    expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-1'))).toBe(200)
    expect(await listener.post(bookingEvent('BOOKING_UPDATED', 'BK-2'))).toBe(500)
    await listener.stop()
    const lines = listener.lines() as unknown as { handled: number }[]
    expect(lines.map(({ handled }) => handled)).toEqual([1, 0])
  })

  test('webhooks listen --keep compresses earlier days and deletes old handled deliveries without breaking webhooks replay', async () => {
    const journal = join(freshDirectory(), 'hooks.ndjson')
    const [two, five, nine] = [daysAgo(2), daysAgo(5), daysAgo(9)]
    writeFileSync(`${journal}.${nine.day}`, oldLine(9, 'BK-9', true) + oldLine(9, 'BK-8', true))
    writeFileSync(`${journal}.${five.day}`, oldLine(5, 'BK-5', true) + oldLine(5, 'BK-6', false))
    writeFileSync(journal, oldLine(2, 'BK-2', true))
    const listener = await startListening(['--keep', '3d'], { journal })
    expect(listener.said.stderr).toContain('with 5 deliveries;')
    await listener.says(
      `warning: 1 delivery in ${journal}.${five.day}.gz is older than 3d, but not known to be handled, so it stays there`,
    )
    await until(() => existsSync(`${journal}.${two.day}.gz`) && !existsSync(`${journal}.${two.day}`))
    expect(unzipped(`${journal}.${two.day}.gz`)).toHaveLength(1)
    expect(unzipped(`${journal}.${five.day}.gz`)).toMatchObject([{ handled: 0 }])
    expect(readdirSync(join(journal, '..')).filter((name) => name.includes(nine.day))).toEqual([])
    await listener.post(bookingEvent('BOOKING_CREATED', 'BK-2'))
    await listener.post(bookingEvent('BOOKING_CREATED', 'BK-1'))
    await until(() => listener.lines().length === 2)
    // BK-2 is a duplicate, because the compressed file of an earlier day contains it.
    expect(listener.lines().map(({ verdict }) => verdict)).toEqual(['duplicate', 'new'])
    const replay = await run('replay', journal, '--to', 'http://127.0.0.1:9/', '--dry-run', '-o', 'ndjson')
    expect(parseNdjson(replay.stdout)).toMatchObject([
      ...[
        { line: 1, subject: 'BK-6' },
        { line: 2, subject: 'BK-2' },
        { line: 3, subject: 'BK-2' },
      ],
      { line: 4, subject: 'BK-1' },
    ])
    const alone = await run(
      'replay',
      `${journal}.${two.day}.gz`,
      '--to',
      'http://127.0.0.1:9/',
      '--dry-run',
      '-o',
      'ndjson',
    )
    expect(parseNdjson(alone.stdout)).toMatchObject([{ line: 1, subject: 'BK-2' }])
  })

  test('webhooks listen --keep loses no deliveries if it is killed right after it compresses a day', async () => {
    const journal = join(freshDirectory(), 'hooks.ndjson')
    const { day } = daysAgo(40)
    writeFileSync(journal, oldLine(40, 'BK-1', true))
    const first = await startListening(['--keep', '90d'], { journal })
    await first.post(bookingEvent('BOOKING_UPDATED', 'BK-2'))
    await until(() => existsSync(`${journal}.${day}.gz`))
    first.process.kill('SIGKILL')
    await first.ended
    const second = await startListening([], { journal })
    expect(second.said.stderr).toContain('with 2 deliveries;')
    await second.post(bookingEvent('BOOKING_UPDATED', 'BK-3'))
    await second.stop()
    expect(Object.keys(journalLines(journal).at(-1) ?? {})).toEqual(['time', 'headers', 'bodyBase64', 'verdict'])
    const third = await startListening(['--keep', '1d'], { journal })
    await until(() => !existsSync(`${journal}.${day}.gz`))
    await third.stop()
    expect(journalLines(journal).map(bodyOf)).toEqual(['BK-2', 'BK-3'].map((id) => bookingEvent('BOOKING_UPDATED', id)))
  })

  test('webhooks listen --keep requires at least one day and a journal file', async () => {
    for (const text of ['23h', '86399s', '0d', 'forever', '90'])
      expectRefusal(await run('listen', '--keep', text), { code: 2, says: /--keep: "\w+" / })
    const both = await run('listen', '--keep', '90d', '--to', 'postgres://hooks@db.example/venue')
    expectRefusal(both, {
      code: 2,
      says: '--keep and --to cannot be used together',
      next: 'partner webhooks work --help',
    })
  })
})

test('only webhooks listen and webhooks work accept --keep', async () => {
  const commands = JSON.parse((await runPartner(['commands', '--json'], { env: freshHome() })).stdout) as {
    id: string
    flags: { name: string }[]
  }[]
  const keeping = commands.filter(({ flags }) => flags.some(({ name }) => name === 'keep'))
  expect(keeping.map(({ id }) => id).sort()).toEqual(['webhooks listen', 'webhooks work'])

  const directory = freshDirectory()
  const journal = join(directory, 'deliveries.ndjson')
  const others = ['deliveries.ndjson.journal', 'sales.ndjson.journal', 'operations.db', 'operations.db.2020-01-01.gz']
  for (const name of others) writeFileSync(join(directory, name), 'not to be touched')
  writeFileSync(journal, oldLine(40, 'BK-1', true))
  const listener = await startListening(['--keep', '1d'], { journal })
  await until(() => readFileSync(journal, 'utf8') === '')
  await listener.stop()
  for (const name of others) expect(readFileSync(join(directory, name), 'utf8')).toBe('not to be touched')
})
