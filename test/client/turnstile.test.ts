import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turnstile } from '../../src/client/turnstile.ts'

const noPlace = async () => {}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('starts requests one at a time, in order of arrival', async () => {
  const turnstile = new Turnstile()
  const order: number[] = []
  const { promise, resolve: free } = Promise.withResolvers<void>()
  const first = turnstile.enter(delay, () => promise)
  const others = [2, 3].map((n) => turnstile.enter(delay, async () => void order.push(n)))
  await settle()
  expect(order).toEqual([])
  free()
  await Promise.all([first, ...others])
  expect(order).toEqual([2, 3])
})

test('after a 429, sends one request at a time until a request sent after the 429 succeeds', async () => {
  const turnstile = new Turnstile()
  const waits: number[] = []
  const now: (() => void)[] = []
  const pause = (ms: number) => {
    waits.push(ms)
    return new Promise<void>((resolve) => now.push(resolve))
  }
  const [early, late] = await Promise.all([turnstile.enter(pause, noPlace), turnstile.enter(pause, noPlace)])
  early(true)
  let entered = 0
  const next = [1, 2, 3].map(() =>
    turnstile.enter(pause, noPlace).then((leave) => {
      entered++
      return leave
    }),
  )
  await settle()
  expect(entered).toBe(0)
  // A request that was sent before the 429 does not show that the limit is over.
  late(false)
  await settle()
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThan(0)
  // A timer may end a moment early, and the turnstile then waits for the rest.
  while (entered === 0) {
    await delay(waits.at(-1))
    for (const go of now.splice(0)) go()
    await settle()
  }
  const leave = await (next[0] as Promise<(isRefused: boolean) => void>)
  await settle()
  expect(entered).toBe(1)
  leave(false)
  await Promise.all(next)
  expect(entered).toBe(3)
})

test('a request whose wait fails lets the next one start', async () => {
  const turnstile = new Turnstile()
  const failing = turnstile.enter(delay, async () => {
    throw new Error('stop')
  })
  await expect(failing).rejects.toThrow('stop')
  expect(await turnstile.enter(delay, noPlace)).toBeTypeOf('function')
})
