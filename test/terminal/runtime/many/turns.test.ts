import { expect, test } from 'vitest'
import { Turns } from '../../../../src/terminal/runtime/many/turns.ts'

const NEVER = new AbortController().signal

function works(turns: Turns, names: readonly string[], signal = NEVER) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const done = names.map((name) =>
    turns.take(() => {
      begun.push(name)
      return new Promise<void>((end) => ends.set(name, end))
    }, signal),
  )
  return { begun, done, end: (name: string) => ends.get(name)?.() }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('limits how many work at once, and lets the longest waiting go next', async () => {
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

test('work that fails passes its turn on', async () => {
  const turns = new Turns(1)
  await expect(turns.take(() => Promise.reject(new Error('no')), NEVER)).rejects.toThrow('no')
  expect(await turns.take(() => Promise.resolve('next'), NEVER)).toBe('next')
})

test('waiting work ends when all are to stop, and takes no turn from the others', async () => {
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

test('work that lasts long lets the next begin beside it, once', async () => {
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
