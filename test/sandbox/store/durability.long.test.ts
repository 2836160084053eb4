import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { resetSandbox } from '../../../src/sandbox/reset.ts'
import { startSandbox } from '../../../src/studio/start.ts'
import { type SandboxProcess, startSandboxProcess } from '../../support/sandbox-process.ts'
import { freshDirectory, freshSandbox, senderTo } from '../fresh-sandbox.ts'

// These tests perform thousands of writes, each of which must be on disk before its response is sent. That takes a long
// time on a slow disk.
vi.setConfig({ testTimeout: 600_000 })

const CARD = 'GIFT7-99999999-AAAA'

async function otherProcess(data: string): Promise<SandboxProcess> {
  const sandbox = await startSandboxProcess(['--data', data])
  onTestFinished(() => void sandbox.process.kill('SIGKILL'))
  return sandbox
}

const redeemFrom = async (target: { baseUrl: string; apiKey: string }, amount: number) => {
  const response = await fetch(`${target.baseUrl}/GiftCards/redeem`, {
    method: 'POST',
    headers: { 'x-api-key': target.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ cardNumber: CARD, amount }),
    signal: AbortSignal.timeout(60_000),
  })
  return (await response.json()) as { isSuccess: boolean }
}

const ROUNDS = 20

test('acknowledged redemptions survive a kill -9 at any moment', async () => {
  const data = freshDirectory()
  let acknowledged = 0
  let attempted = 0
  for (let round = 0; round < ROUNDS; round++) {
    const running = await otherProcess(data)
    const killAt = acknowledged + 1 + ((round * 7) % 20)
    const workers = Array.from({ length: 4 }, async () => {
      for (;;) {
        attempted++
        if (!(await redeemFrom(running, 0.01).catch(() => null))) return
        acknowledged++
        // Kill the sandbox while each of the other workers has a request in flight.
        if (acknowledged === killAt) running.process.kill('SIGKILL')
      }
    })
    await Promise.all(workers)
  }
  const { body } = await (await freshSandbox({ data })).send('GET', `/GiftCards/${CARD}`)
  const takenCents = 999_999_999 - Math.round(body.remainingAmount * 100)
  expect(takenCents).toBeGreaterThanOrEqual(acknowledged)
  expect(takenCents).toBeLessThanOrEqual(attempted)
})

test('processes that start at the same time in an empty directory share one venue and lose no redemptions', async () => {
  const data = freshDirectory()
  const running = await Promise.all([otherProcess(data), otherProcess(data), otherProcess(data)])
  await Promise.all(
    Array.from({ length: 90 }, async (_none, at) => {
      const target = running[at % running.length]
      if (target) expect((await redeemFrom(target, 1.11)).isSuccess).toBe(true)
    }),
  )
  const { send } = await freshSandbox({ data })
  expect((await send('GET', `/GiftCards/${CARD}`)).body.remainingAmount).toBe(9_999_900.09)
})

test('1,000 partial redemptions of various amounts leave a balance of exactly 0', async () => {
  const { send } = await freshSandbox({ data: freshDirectory() })
  const cents = Array.from({ length: 999 }, (_none, at) => 1 + ((at * 7) % 19))
  const last = 10_000 - cents.reduce((sum, one) => sum + one, 0)
  expect(last).toBeGreaterThan(0)
  for (const one of [...cents, last]) {
    const reply = await send('POST', '/GiftCards/redeem', { cardNumber: 'GIFT1-00000100-AAAA', amount: one / 100 })
    expect(reply.body.isSuccess).toBe(true)
  }
  expect((await send('GET', '/GiftCards/GIFT1-00000100-AAAA')).body).toMatchObject({
    remainingAmount: 0,
    status: 'Redeemed',
  })
})

test('a damaged store is left unchanged, and the error contains its path and the reset command', async () => {
  const data = freshDirectory()
  const path = join(data, 'sandbox.db')
  writeFileSync(path, 'this is not a database, but somebody may want it back '.repeat(100))
  await expect(startSandbox({ data })).rejects.toMatchObject({
    message: expect.stringContaining(path),
    hint: expect.stringContaining('partner sandbox reset --yes'),
  })
  expect(readFileSync(path, 'utf8')).toContain('somebody may want it back')
  resetSandbox(data)
  const { send } = await freshSandbox({ data })
  expect((await send('GET', '/Resources/booking-statuses')).status).toBe(200)
})

test('a store that was overwritten in the middle is reported at startup and left unchanged', async () => {
  const data = freshDirectory()
  await (await startSandbox({ data })).close()
  const path = join(data, 'sandbox.db')
  const bytes = readFileSync(path)
  bytes.fill(0xa5, 4096, bytes.byteLength - 4096)
  writeFileSync(path, bytes)
  await expect(startSandbox({ data })).rejects.toMatchObject({
    message: expect.stringContaining(path),
    hint: expect.stringContaining('partner sandbox reset --yes'),
  })
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('a sandbox opened weeks later has a full diary around the new date and keeps earlier changes', async () => {
  const data = freshDirectory()
  const start = Date.UTC(2026, 5, 1)
  const first = await startSandbox({ data, clock: { startAt: start } })
  await senderTo(first)('POST', '/GiftCards/redeem', { cardNumber: 'GIFT1-00000100-AAAA', amount: 40 })
  await first.close()
  const later = start + 60 * 86_400_000
  const { send } = await freshSandbox({ data, clock: { startAt: later } })
  const range = (from: number, to: number) =>
    `/Bookings?StartDate=${new Date(later + from * 86_400_000).toISOString()}&EndDate=${new Date(later + to * 86_400_000).toISOString()}`
  expect((await send('GET', range(-1, 1))).body.count).toBeGreaterThan(5)
  const past = (await send('GET', range(-40, -2))).body.bookings as { status: { code: string } }[]
  expect(past.some(({ status }) => status.code === 'CONFIRMED' || status.code === 'Unconfirmed')).toBe(false)
  expect((await send('GET', '/GiftCards/GIFT1-00000100-AAAA')).body.remainingAmount).toBe(60)
})

test('running sandboxes switch to the new venue immediately after their data directory is reset', async () => {
  const data = freshDirectory()
  const running = await otherProcess(data)
  expect((await redeemFrom(running, 5)).isSuccess).toBe(true)
  resetSandbox(data)
  const { send } = await freshSandbox({ data })
  expect((await send('GET', `/GiftCards/${CARD}`)).body.remainingAmount).toBe(9_999_999.99)
  expect((await redeemFrom(running, 1)).isSuccess).toBe(true)
  expect((await send('GET', `/GiftCards/${CARD}`)).body.remainingAmount).toBe(9_999_998.99)
})

test('a reset removes all files if no process is using the directory', async () => {
  const data = freshDirectory()
  const sandbox = await startSandbox({ data })
  await senderTo(sandbox)('GET', '/Bookings')
  await sandbox.close()
  resetSandbox(data)
  expect(readdirSync(data)).toEqual([])
  resetSandbox(join(data, 'missing'))
})
