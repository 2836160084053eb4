import { expect, test } from 'vitest'
import { Channel } from '../../../../src/terminal/output/many/channel.ts'

async function taken<T>(channel: Channel<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of channel) all.push(one)
  return all
}

test('a channel keeps its values in order and makes each producer wait until its value is consumed', async () => {
  const channel = new Channel<number>()
  const done: number[] = []
  const given = [1, 2, 3].map((one) => channel.push(one).then(() => done.push(one)))
  await Promise.resolve()
  expect(done).toEqual([])
  channel.end()
  expect(await taken(channel)).toEqual([1, 2, 3])
  await Promise.all(given)
  expect(done).toEqual([1, 2, 3])
})

test('a channel that fails rejects its consumer and all current and later producers', async () => {
  const channel = new Channel<number>()
  const error = new Error('the reader is gone')
  const given = channel.push(1)
  given.catch(() => {})
  channel.fail(error)
  channel.end()
  await expect(given).rejects.toBe(error)
  await expect(channel.push(2)).rejects.toBe(error)
  await expect(taken(channel)).rejects.toBe(error)
})
