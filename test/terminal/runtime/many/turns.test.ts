import { expect, test } from 'vitest'
import { Turns } from '../../../../src/terminal/runtime/many/turns.ts'

const NEVER = new AbortController().signal

function works(turns: Turns, names: readonly string[], signal = NEVER) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const done = names.map((name) =>
    turns.run(() => {
      begun.push(name)
      return new Promise<void>((end) => ends.set(name, end))
    }, signal),
  )
  return { begun, done, end: (name: string) => ends.get(name)?.() }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('Turns limits how many tasks run at the same time and starts the longest-waiting task next', async () => {
  const { begun, end, done } = works(new Turns(2), ['a', 'b', 'c', 'd'])
  await settled()
  expect(begun).toEqual(['a', 'b'])
  end('b')
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
  end('a')
  await settled()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  end('c')
  end('d')
  await Promise.all(done)
})

test('a task that fails gives its turn to the next task', async () => {
  const turns = new Turns(1)
  await expect(turns.run(() => Promise.reject(new Error('no')), NEVER)).rejects.toThrow('no')
  expect(await turns.run(() => Promise.resolve('next'), NEVER)).toBe('next')
})

test('aborting a waiting task makes it fail without blocking the tasks after it', async () => {
  const turns = new Turns(1)
  const stop = new AbortController()
  const first = works(turns, ['a'])
  const waiting = works(turns, ['b'], stop.signal)
  const others = works(turns, ['c'])
  const left = expect(waiting.done[0]).rejects.toThrow('enough')
  stop.abort(new Error('enough'))
  await left
  first.end('a')
  await settled()
  expect([waiting.begun, others.begun]).toEqual([[], ['c']])
})

test('a long-running task that gives up its turn lets exactly one more task start', async () => {
  const late: (() => void)[] = []
  const turns = new Turns(1, (giveBack) => {
    late.push(giveBack)
    return () => {}
  })
  const { begun, end } = works(turns, ['hangs', 'b', 'c'])
  await settled()
  late[0]?.()
  await settled()
  expect(begun).toEqual(['hangs', 'b'])
  end('hangs')
  await settled()
  expect(begun).toEqual(['hangs', 'b'])
  end('b')
  await settled()
  expect(begun).toEqual(['hangs', 'b', 'c'])
})
