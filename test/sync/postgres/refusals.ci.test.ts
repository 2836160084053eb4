import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { all, booking, hold, minute, NOTE, open } from './copies.ts'

needs(OWN_POSTGRES)
const server = postgresServer({
  access: ['host all locked_out 127.0.0.1/32 reject', 'host all with_password 127.0.0.1/32 scram-sha-256'],
})

/**
 * Creates a database with tables and a role with the given privileges on them. Returns the database URL for that role.
 */
async function tablesFor(role: string, rights: string | null): Promise<string> {
  const url = await server.database()
  const { copy } = await hold(url)
  await copy.close()
  await server.query(
    url,
    `DO $$ BEGIN CREATE ROLE ${role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
     REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO ${role};
     DO $$ BEGIN EXECUTE 'REVOKE ALL ON DATABASE ' || current_database() || ' FROM PUBLIC';
       EXECUTE 'GRANT CONNECT ON DATABASE ' || current_database() || ' TO ${role}'; END $$;
     ${rights === null ? '' : `GRANT ${rights} ON ALL TABLES IN SCHEMA public TO ${role}`}`,
  )
  return url.replace('postgres@', `${role}@`)
}

test('a role that has privileges only on the tables can sync every resource', async () => {
  const url = await tablesFor('writer', 'SELECT, INSERT, UPDATE, DELETE')
  for (const resource of ['bookings', 'customers', 'sales', 'giftcards'] as const) {
    const { copy, target } = await hold(url, { resource })
    if (resource === 'bookings') await copy.add([booking('B-1', 1), booking('B-2', 2)])
    await copy.commit(minute(5), NOTE, true)
    expect(await target.state()).toMatchObject({ cursorMs: minute(5) })
  }
  expect((await all(await open(url))).length).toBe(2)
})

test('a run fails with exit code 5 if its role has no privileges on the tables', async () => {
  await expect(hold(await tablesFor('stranger', null))).rejects.toMatchObject({
    exitCode: 5,
    words: expect.stringMatching(/does not let "stranger" do this$/),
    said: ['permission denied for table schema_version'],
    hint: expect.stringContaining('GRANT SELECT, INSERT, UPDATE, DELETE'),
  })
})

test('a read-only role can read the state of a copy but cannot sync it', async () => {
  const url = await tablesFor('reader', 'SELECT')
  expect(await (await open(url)).state()).toMatchObject({ rows: 0 })
  await expect(hold(url)).rejects.toMatchObject({ exitCode: 5 })
})

test('a run fails with exit code 5 if its role is not allowed to create the missing tables', async () => {
  const url = await server.database()
  await server.query(url, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE guest LOGIN')
  const denied = { exitCode: 5, said: ['permission denied for schema public'] }
  await expect(hold(url.replace('postgres@', 'guest@'))).rejects.toMatchObject(denied)
})

test('a run fails with exit code 5 if the database or the user does not exist, or if the server rejects the user', async () => {
  const url = await server.database()
  await expect(hold(server.url('nowhere'))).rejects.toMatchObject({
    exitCode: 5,
    words: expect.stringContaining('has no such database'),
    hint: 'create it first: createdb nowhere',
  })
  await server.query(url, 'CREATE ROLE locked_out LOGIN')
  for (const user of ['nobody_here', 'locked_out']) {
    const refused = { exitCode: 5, words: expect.stringContaining(`rejected the user "${user}"`) }
    await expect(hold(url.replace('postgres@', `${user}@`))).rejects.toMatchObject(refused)
  }
})

test('no message contains the password, whether PGPASSWORD is missing, wrong or correct', async () => {
  const url = (await server.database()).replace('postgres@', 'with_password@')
  await server.query(server.url('postgres'), `CREATE ROLE with_password LOGIN SUPERUSER PASSWORD 'right-7f3a'`)
  // Even with sslmode=prefer, the error is about the password and not about the server's missing TLS support.
  for (const address of [url, url.replace('sslmode=disable', 'sslmode=prefer')])
    await expect(hold(address)).rejects.toMatchObject({
      exitCode: 5,
      words: expect.stringContaining('requires a password for "with_password", but none is set'),
      hint: expect.stringContaining('set PGPASSWORD'),
    })
  const wrong = await hold(url, { env: { PGPASSWORD: 'wrong-7f3a' } }).catch((error: unknown) => error)
  expect(wrong).toMatchObject({ exitCode: 5, said: ['password authentication failed for user "with_password"'] })
  expect(JSON.stringify(wrong) + String(wrong)).not.toContain('7f3a')
  const { copy } = await hold(url, { env: { PGPASSWORD: 'right-7f3a' } })
  await copy.commit(minute(1), NOTE)
})

test('a run fails with exit code 2 and leaves the tables unchanged if a newer version of partner created them', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await copy.close()
  await server.query(url, 'UPDATE schema_version SET version = 99')
  const newer = {
    exitCode: 2,
    words: expect.stringContaining('written by a newer version of partner (their format is 99'),
  }
  await expect(hold(url)).rejects.toMatchObject(newer)
  await expect(target.state()).rejects.toMatchObject(newer)
  await expect(all(target)).rejects.toMatchObject(newer)
  expect(await server.query(url, 'SELECT epoch FROM sync_state')).toEqual([{ epoch: '1' }])
})

test('a run fails with exit code 2 and changes nothing if an unrelated table has the same name', async () => {
  const url = await server.database()
  await server.query(url, 'CREATE TABLE sales (mine int)')
  await expect(hold(url)).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('another schema') })
  expect(await server.query(url, `SELECT count(*) AS n FROM pg_class WHERE relname = 'bookings'`)).toEqual([{ n: '0' }])
  await server.query(url, 'CREATE SCHEMA partner')
  const { copy } = await hold(`${url}&options=-csearch_path%3Dpartner`)
  await copy.commit(minute(1), NOTE)
})

test('a run fails with exit code 2 if the database encoding cannot represent all names', async () => {
  await server.query(server.url('postgres'), `CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
  const refused = { exitCode: 2, words: 'the database uses the encoding LATIN1, which cannot represent all names' }
  await expect(hold(server.url('latin'))).rejects.toMatchObject(refused)
})

test('a role whose transactions are read-only by default can sync', async () => {
  const url = `${await server.database()}&options=-cdefault_transaction_read_only%3Don`
  const { copy } = await hold(url)
  await copy.commit(minute(1), NOTE)
})

test('sync connects through a Unix socket without TLS, even with sslmode=verify-full', async () => {
  const name = new URL(await server.database()).pathname
  const { copy } = await hold(
    `postgres://postgres@${encodeURIComponent(server.directory)}:${server.port}${name}?sslmode=verify-full`,
  )
  await copy.commit(minute(1), NOTE)
})
