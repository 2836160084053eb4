import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SendGate } from '../../src/client/send-gate.ts'

const noWait = async () => {}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('SendGate starts requests one at a time, in order of arrival', async () => {
  const gate = new SendGate()
  const order: number[] = []
  const { promise, resolve: free } = Promise.withResolvers<void>()
  const first = gate.acquire(delay, () => promise)
  const others = [2, 3].map((n) => gate.acquire(delay, async () => void order.push(n)))
  await settle()
  expect(order).toEqual([])
  free()
  await Promise.all([first, ...others])
  expect(order).toEqual([2, 3])
})

test('after a 429, SendGate sends one request at a time until a later request succeeds', async () => {
  const gate = new SendGate()
  const waits: number[] = []
  const now: (() => void)[] = []
  const pause = (ms: number) => {
    waits.push(ms)
    return new Promise<void>((resolve) => now.push(resolve))
  }
  const [early, late] = await Promise.all([gate.acquire(pause, noWait), gate.acquire(pause, noWait)])
  early(true)
  let entered = 0
  const next = [1, 2, 3].map(() =>
    gate.acquire(pause, noWait).then((release) => {
      entered++
      return release
    }),
  )
  await settle()
  expect(entered).toBe(0)
  // This request was sent before the 429, so its success does not mean that the limit has been lifted.
  late(false)
  await settle()
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThan(0)
  // If a timer fires slightly early, the gate waits again for the remaining time.
  while (entered === 0) {
    await delay(waits.at(-1))
    for (const go of now.splice(0)) go()
    await settle()
  }
  const release = await (next[0] as Promise<(isRefused: boolean) => void>)
  await settle()
  expect(entered).toBe(1)
  release(false)
  await Promise.all(next)
  expect(entered).toBe(3)
})

test('SendGate starts the next request even if the wait before the previous request failed', async () => {
  const gate = new SendGate()
  const failing = gate.acquire(delay, async () => {
    throw new Error('stop')
  })
  await expect(failing).rejects.toThrow('stop')
  expect(await gate.acquire(delay, noWait)).toBeTypeOf('function')
})
