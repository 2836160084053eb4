import { request } from 'node:http'
import { expect } from 'vitest'
import { loadSqlite } from '../../../src/base/storage/sqlite.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import { readToken } from '../../../src/sandbox/control/token.ts'
import { databasePath } from '../../../src/sandbox/store/data-directory.ts'
import { freshDirectory, freshSandbox, runningSandbox, runningTest as test } from '../fresh-sandbox.ts'

const READ = '/GiftCards/GIFT1-00000100-AAAA'
const tokenOf = (sandbox: { readonly baseUrl: string }) => readToken(Number(new URL(sandbox.baseUrl).port))

test('an in-memory sandbox can be controlled through its URL', async ({ send, control }) => {
  await control.addFault({ endpoint: 'GET /GiftCards/{cardNumber}', effect: { kind: 'status', status: 503 }, next: 1 })
  expect(await control.listFaults()).toMatchObject([{ seen: 0, next: 1 }])
  expect([(await send('GET', READ)).status, (await send('GET', READ)).status]).toEqual([503, 200])
  expect(await control.clearFaults()).toBe(1)
  await expect(control.addFault({ endpoint: 'x', effect: { kind: 'hang' } })).rejects.toMatchObject({ code: 'USAGE' })
})

test('the control endpoint rejects requests from web pages, with foreign host names, without a token or with an invalid operation', async ({
  sandbox,
}) => {
  const token = tokenOf(sandbox) ?? ''
  const control = (headers: Record<string, string>, method = 'POST', body = '{"operation":"listFaults","input":[]}') =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${sandbox.baseUrl}/_sandbox/control`, { method, headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  expect(await control({ 'x-sandbox-token': token })).toBe(200)
  expect(await control({ 'x-sandbox-token': token, origin: 'http://localhost:3000' })).toBe(403)
  expect(await control({ 'x-sandbox-token': token, host: 'rebound.example' })).toBe(421)
  expect(await control({ 'x-sandbox-token': 'wrong' })).toBe(401)
  expect(await control({})).toBe(401)
  expect(await control({ 'x-sandbox-token': token }, 'PUT')).toBe(405)
  expect(await control({ 'x-sandbox-token': token }, 'POST', '{')).toBe(400)
  expect(await control({ 'x-sandbox-token': token }, 'POST', '{"operation":"close"}')).toBe(400)
})

test('an operation that fails inside the sandbox is reported as INTERNAL, not as a usage error', async () => {
  const data = freshDirectory()
  const { control } = await runningSandbox({ data })
  const database = new (loadSqlite().DatabaseSync)(databasePath(data))
  database.exec('DROP TABLE faults')
  database.close()
  await expect(control.listFaults()).rejects.toMatchObject({
    code: 'INTERNAL',
    message: 'the sandbox could not run the operation: no such table: faults',
  })
})

test('a closed sandbox has no token, and trying to control it is a usage error', async ({ sandbox }) => {
  expect(tokenOf(sandbox)).toMatch(/^[0-9a-f]{48}$/)
  await sandbox.close()
  expect(tokenOf(sandbox)).toBeNull()
  await expect(openControl({ baseUrl: sandbox.baseUrl })).rejects.toMatchObject({ code: 'USAGE' })
})

test('a sandbox that does not listen on a loopback address cannot be controlled over HTTP', async () =>
  expect(tokenOf((await freshSandbox({ background: true, host: '0.0.0.0' })).sandbox)).toBeNull())
