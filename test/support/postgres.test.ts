import { expect, test } from 'vitest'
import { needs } from './needs.ts'
import { POSTGRES, postgresServer } from './postgres.ts'

needs(POSTGRES)
const server = postgresServer()

test('postgresServer provides a PostgreSQL server where tests can create separate databases', async () => {
  const [first, second] = [await server.database(), await server.database()]
  await server.query(first, 'CREATE TABLE here (id text)')
  expect(await server.query(first, 'SELECT count(*) FROM here')).toEqual([{ count: '0' }])
  await expect(server.query(second, 'SELECT count(*) FROM here')).rejects.toThrow('does not exist')
})
