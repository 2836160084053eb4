import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { getCurrentBoot, getCurrentOwner } from '../../../src/base/storage/owner.ts'
import { describeHolder, isGone, parseHolder } from '../../../src/sync/postgres/lease/holder.ts'
import { needs } from '../../support/needs.ts'
import { POSTGRES, postgresServer } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'
import { all, booking, hold, minute, NOTE } from './copies.ts'

needs(POSTGRES)
const server = postgresServer()

/** Creates a copy that is leased to the given holder for another minute. Returns the copy's URL. */
async function heldBy(holder: object): Promise<string> {
  const url = await server.database()
  const { copy } = await hold(url)
  await copy.close()
  const text = JSON.stringify({ pid: 1, host: 'web-2', command: 'bookings sync', token: 'x', ...holder })
  const until = "lease_until = now() + interval '1 minute'"
  await server.query(url, `UPDATE sync_state SET holder = '${text}', held_since = now(), ${until}`)
  return url
}

const TAKEN = `UPDATE sync_state SET epoch = epoch + 1, lease_until = now() + interval '1 minute',
  holder = '{"pid":7,"host":"web-3","command":"bookings sync"}'`

test('a second run on a copy that is in use exits with code 12 and names the process that holds it', async () => {
  const url = await server.database()
  await hold(url)
  await expect(hold(url)).rejects.toMatchObject({
    exitCode: 12,
    words: `${url} (bookings of venue) is locked: process ${process.pid} on ${hostname()} (bookings sync) holds the lock`,
    hint: expect.stringMatching(/--standby; its lease expires in \d+ s unless it is renewed/),
    details: { holder: { pid: process.pid, host: hostname(), since: expect.stringMatching(/^\d{4}-.*Z$/) } },
  })
})

test('in a database without tables, exactly one of 20 concurrent runs acquires the lease', async () => {
  const url = await server.database()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => hold(url)))
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(failures.map(({ code, message }) => code ?? message)).toEqual(Array.from({ length: 19 }, () => 'LOCKED'))
})

test('--standby names the process that holds the copy and takes over when the process releases it', async () => {
  const url = await server.database()
  const first = await hold(url)
  const said: string[] = []
  const waiting = hold(url, { standby: true, say: async (line) => void said.push(line) })
  await until(() => said.length > 0)
  await first.copy.add([booking('B-1', 1)])
  await first.copy.commit(minute(5), NOTE)
  await first.copy.close()
  expect((await waiting).copy.cursorMs).toBe(minute(5))
  expect(said).toEqual([expect.stringMatching(/is locked: process \d+ on .* holds the lock; waiting for it to end$/)])
})

test('a run with --standby stops waiting when it is aborted', async () => {
  const url = await heldBy({})
  const stop = new AbortController()
  const waiting = hold(url, { standby: true, signal: stop.signal, say: async () => stop.abort(new Error('stopped')) })
  await expect(waiting).rejects.toThrow('stopped')
})

test("a lease is renewed for as long as its holder runs, and its expiry is based on the database's clock", async () => {
  const url = await server.database()
  await hold(url, { leaseMs: 2000 })
  const left = async () => {
    const [row] = await server.query(url, 'SELECT lease_until - held_since AS held FROM sync_state')
    return row?.['held'] ?? ''
  }
  await until(async () => (await left()) > '00:00:04')
  await expect(hold(url)).rejects.toMatchObject({ exitCode: 12 })
})

test('a holder that has lost its lease can no longer write and exits with code 12', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await copy.add([booking('B-1', 1)])
  await copy.commit(minute(5), NOTE)
  await copy.add(Array.from({ length: 1500 }, (_, at) => booking(`B-${at}`, 9)))
  await server.query(url, TAKEN)
  await expect(copy.commit(minute(10), NOTE)).rejects.toMatchObject({
    exitCode: 12,
    words: `${url} (bookings of venue): this run lost its lease to process 7 on web-3 (bookings sync)`,
    hint: expect.stringContaining('this run has written nothing since its last commit'),
  })
  await expect(copy.add(Array.from({ length: 1500 }, () => booking('B-2', 9)))).rejects.toMatchObject({ exitCode: 12 })
  await expect(copy.remove?.(['B-1'])).rejects.toThrow()
  expect((await all(target)).map(({ id }) => id)).toEqual(['B-1'])
  await copy.close()
  expect(await target.state()).toMatchObject({ cursorMs: minute(5), holder: { who: expect.stringContaining('web-3') } })
})

test('a holder stops before its next batch if another process has taken over its lease', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url, { leaseMs: 2000 })
  await server.query(url, TAKEN)
  await until(async () => {
    try {
      await copy.add(Array.from({ length: 1000 }, (_, at) => booking(`B-${at}`, 9)))
      return false
    } catch (error) {
      expect(error).toMatchObject({ exitCode: 12 })
      return true
    }
  })
  expect(await all(target)).toEqual([])
})

test('a run immediately takes over from a process on the same host that has exited', async () => {
  const url = await heldBy({ ...getCurrentOwner(), host: hostname(), pid: 2 ** 30 })
  const { said } = await hold(url)
  expect(said).toEqual([`process ${2 ** 30} on ${hostname()} (bookings sync) held ${url} but has exited: taking over`])
})

test('a run does not take over from a process that is running, is on another host, or is in another container', async () => {
  for (const holder of [
    { ...getCurrentOwner(), pid: 2 ** 30, boot: 'another' },
    { ...getCurrentOwner(), pid: 2 ** 30, boot: null },
    { ...getCurrentOwner(), pid: 2 ** 30, pidNamespace: 'another' },
    { ...getCurrentOwner(), pid: process.ppid, born: null },
  ])
    await expect(hold(await heldBy(holder))).rejects.toMatchObject({ exitCode: 12 })
})

test('a run that takes over an expired lease does not claim that the holder has exited', async () => {
  const url = await heldBy({})
  await server.query(url, `UPDATE sync_state SET lease_until = now() - interval '1 second'`)
  const { copy, said } = await hold(url)
  expect(said).toEqual([`process 1 on web-2 (bookings sync) held ${url}, but its lease expired: taking over`])
  await copy.commit(minute(1), NOTE)
})

test('parseHolder returns null for invalid text and accepts a holder with missing members', () => {
  for (const text of [null, '', '{', 'null', '[]', '{"pid":"1"}', 'somebody']) expect(parseHolder(text)).toBeNull()
  expect(describeHolder(null)).toBe('another run')
  expect(isGone(null)).toBe(false)
  const bare = parseHolder('{"pid":1073741824,"host":"h"}')
  expect(bare).toMatchObject({ boot: null, born: null })
  expect(isGone(bare)).toBe(false)
  expect(isGone(bare && { ...bare, boot: getCurrentBoot() })).toBe(getCurrentBoot() !== null)
})
