import { expect, test } from 'vitest'
import { Rewound } from '../../../src/sync/copy.ts'
import { needs, REAL_CLOCK, skipWithout } from '../../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { freePort } from '../../support/raw-server.ts'
import { until } from '../../support/until.ts'
import { all, behindProxy, booking, cutAfter, hold, minute, NOTE, open } from './copies.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

const FAST = { env: { PGOPTIONS: '-c statement_timeout=1500', PGCONNECT_TIMEOUT: '1' } }

test('a run fails with exit code 8 if the PostgreSQL server is unreachable', async () => {
  await expect((await open(`postgres://postgres@127.0.0.1:${await freePort()}/x`)).state()).rejects.toMatchObject({
    exitCode: 8,
    words: expect.stringMatching(/^cannot reach PostgreSQL at 127\.0\.0\.1:\d+: connection refused \(ECONNREFUSED\)$/),
  })
})

test('a run fails with exit code 8 after the connection timeout if the PostgreSQL server never responds', async () => {
  const { proxy, url } = await behindProxy(server)
  proxy.freeze()
  const late = { code: 'TIMEOUT', exitCode: 8, words: expect.stringContaining('did not respond within 1 s') }
  await expect((await open(url, FAST)).state()).rejects.toMatchObject(late)
})

test('records are written again if the connection is lost before or during their commit', async () => {
  const { direct, proxy, url } = await behindProxy(server)
  const { copy, said } = await hold(url)
  await copy.add(Array.from({ length: 1500 }, (_, at) => booking(`B-${at}`, at)))
  proxy.cut()
  expect(await copy.commit(minute(5), NOTE)).toEqual({ added: 1500, changed: 0, unchanged: 0 })
  await copy.add([booking('B-1', 5000)])
  cutAfter(proxy, 'UPDATE sync_state')
  expect(await copy.commit(minute(6), NOTE)).toEqual({ added: 0, changed: 1, unchanged: 0 })
  expect(await server.query(direct, 'SELECT count(*) AS n, max(run_changed) AS c FROM bookings, sync_state')).toEqual([
    { n: '1500', c: '1' },
  ])
  expect(said).toEqual([expect.stringContaining('; retrying'), expect.stringContaining('; retrying')])
})

test('a run fails and is rolled back if the server rejects a batch while the next one is being prepared', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await server.query(
    url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no B-7'; END $$;
     CREATE TRIGGER refusing BEFORE INSERT ON bookings FOR EACH ROW WHEN (NEW.id = 'B-7') EXECUTE FUNCTION refuse()`,
  )
  const adding = async () => {
    for (let from = 0; from < 5000; from += 500)
      await copy.add(Array.from({ length: 500 }, (_, at) => booking(`B-${from + at}`, at)))
    await copy.commit(minute(5), NOTE)
  }
  await expect(adding()).rejects.toMatchObject({ code: 'SERVICE_ERROR', said: ['no B-7'] })
  expect(await all(target)).toEqual([])
  await copy.add([booking('B-8', 1)])
  expect(await copy.commit(minute(5), NOTE)).toEqual({ added: 1, changed: 0, unchanged: 0 })
})

test('commit throws the error from the last batch, and close ignores it', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await server.query(url, `ALTER TABLE bookings ADD CHECK (id <> 'B-7')`)
  const batch = Array.from({ length: 500 }, (_, at) => booking(`B-${at}`, at))
  await copy.add(batch)
  await expect(copy.commit(minute(5), NOTE)).rejects.toMatchObject({ code: 'SERVICE_ERROR' })
  await copy.add(batch)
  await copy.close()
  expect(await all(target)).toEqual([])
})

test('a commit that took effect is not repeated if only its response was lost', async () => {
  const { direct, proxy, url } = await behindProxy(server)
  const { copy } = await hold(url)
  await copy.add([booking('B-1', 1)])
  cutAfter(proxy, 'COMMIT')
  await server.query(direct, 'CREATE TABLE writes (id text)')
  await server.query(
    direct,
    `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO writes VALUES (NEW.id); RETURN NEW; END';
     CREATE TRIGGER note AFTER INSERT OR UPDATE ON bookings FOR EACH ROW EXECUTE FUNCTION note()`,
  )
  expect(await copy.commit(minute(5), NOTE)).toEqual({ added: 1, changed: 0, unchanged: 0 })
  expect(proxy.onSent).toBeNull()
  expect(copy.cursorMs).toBe(minute(5))
  expect(await server.query(direct, 'SELECT id FROM writes')).toEqual([{ id: 'B-1' }])
})

test('after a lost connection, a run restarts from the last commit if its uncommitted records did not fit in memory', async () => {
  const { proxy, url } = await behindProxy(server)
  const { copy, target } = await hold(url)
  await copy.add([booking('B-1', 1)])
  await copy.commit(minute(5), NOTE)
  await copy.add(Array.from({ length: 1999 }, (_, at) => booking(`B-${at}`, 10, { notes: 'x'.repeat(5000) })))
  proxy.cut()
  await expect(copy.commit(minute(20), NOTE)).rejects.toBeInstanceOf(Rewound)
  expect(copy).toMatchObject({ cursorMs: minute(5), memo: 'memo' })
  expect((await all(target)).length).toBe(1)
  await copy.add([booking('B-2', 10)])
  expect(await copy.commit(minute(20), NOTE)).toEqual({ added: 1, changed: 0, unchanged: 0 })
})

test('the client abandons a connection that hangs and continues over a new one', async () => {
  const { proxy, url } = await behindProxy(server)
  const { copy, said } = await hold(url, FAST)
  await copy.add([booking('B-1', 1)])
  proxy.freeze()
  const committed = copy.commit(minute(5), NOTE)
  await until(() => said.length > 0)
  proxy.thaw()
  proxy.cut()
  expect(await committed).toEqual({ added: 1, changed: 0, unchanged: 0 })
  expect(said[0]).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ is not responding; retrying$/)
})

test('a run survives a restart of the PostgreSQL server without losing any records', async () => {
  const { copy, target } = await hold(await server.database())
  await copy.add(Array.from({ length: 1500 }, (_, at) => booking(`B-${at}`, at)))
  await server.stop('SIGQUIT')
  const committed = copy.commit(minute(5), NOTE)
  await server.start()
  expect(await committed).toEqual({ added: 1500, changed: 0, unchanged: 0 })
  expect(await target.state()).toMatchObject({ rows: 1500, cursorMs: minute(5) })
})

test("a run waits for another session's lock for at most lock_timeout and then tries again", async (context) => {
  // PostgreSQL's timers never fire under libfaketime, so lock_timeout has no effect there.
  skipWithout(context, REAL_CLOCK)
  const url = await server.database()
  const { copy, said } = await hold(url, { env: { PGOPTIONS: '-c lock_timeout=200' } })
  await copy.add([booking('B-1', 1)])
  await copy.commit(minute(5), NOTE)
  const rollBack = await server.blocking(url, 'UPDATE bookings SET people = 1')
  await copy.add([booking('B-1', 2, { people: 9 })])
  const committed = copy.commit(minute(6), NOTE)
  await until(() => said.length > 0)
  await rollBack()
  expect(await committed).toEqual({ added: 0, changed: 1, unchanged: 0 })
  expect(said[0]).toContain('took too long; retrying')
})
