import { request } from 'node:http'
import { expect } from 'vitest'
import { loadSqlite } from '../../../src/base/storage/sqlite.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import { tokenAt } from '../../../src/sandbox/control/token.ts'
import { databasePath } from '../../../src/sandbox/store/data-directory.ts'
import { freshDirectory, freshSandbox, runningSandbox, runningTest as test } from '../fresh-sandbox.ts'

const READ = '/GiftCards/GIFT1-00000100-AAAA'
const tokenOf = (sandbox: { readonly baseUrl: string }) => tokenAt(Number(new URL(sandbox.baseUrl).port))

test('a running sandbox in memory is controlled by this user, by its address', async ({ send, control }) => {
  await control.addFault({ endpoint: 'GET /GiftCards/{cardNumber}', effect: { kind: 'status', status: 503 }, next: 1 })
  expect(await control.listFaults()).toMatchObject([{ seen: 0, next: 1 }])
  expect([(await send('GET', READ)).status, (await send('GET', READ)).status]).toEqual([503, 200])
  expect(await control.clearFaults()).toBe(1)
  await expect(control.addFault({ endpoint: 'x', effect: { kind: 'hang' } })).rejects.toMatchObject({ code: 'USAGE' })
})

test('web pages, other names, and who lacks the token cannot control it', async ({ sandbox }) => {
  const token = tokenOf(sandbox) ?? ''
  const order = (headers: Record<string, string>, method = 'POST', body = '{"operation":"listFaults","input":[]}') =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${sandbox.baseUrl}/_sandbox/control`, { method, headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  expect(await order({ 'x-sandbox-token': token })).toBe(200)
  expect(await order({ 'x-sandbox-token': token, origin: 'http://localhost:3000' })).toBe(403)
  expect(await order({ 'x-sandbox-token': token, host: 'rebound.example' })).toBe(421)
  expect(await order({ 'x-sandbox-token': 'wrong' })).toBe(401)
  expect(await order({})).toBe(401)
  expect(await order({ 'x-sandbox-token': token }, 'PUT')).toBe(405)
  expect(await order({ 'x-sandbox-token': token }, 'POST', '{')).toBe(400)
  expect(await order({ 'x-sandbox-token': token }, 'POST', '{"operation":"close"}')).toBe(400)
})

test('an operation that fails in the sandbox is not called a mistake of the caller', async () => {
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

test('no token is left behind when a sandbox closes, and an address without one is said', async ({ sandbox }) => {
  expect(tokenOf(sandbox)).toMatch(/^[0-9a-f]{48}$/)
  await sandbox.close()
  expect(tokenOf(sandbox)).toBeNull()
  await expect(openControl({ baseUrl: sandbox.baseUrl })).rejects.toMatchObject({ code: 'USAGE' })
})

test('a sandbox that listens elsewhere than on the loopback is not controlled over HTTP', async () =>
  expect(tokenOf((await freshSandbox({ background: true, host: '0.0.0.0' })).sandbox)).toBeNull())
