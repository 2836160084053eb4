import { describe, expect, test } from 'vitest'
import { ERAS, open, Session } from './session.ts'

const words = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`)

describe.each(ERAS)('calls at the same time, %s', (era) => {
  test('at most eight calls run at once, and the others start when one ends', async () => {
    const session = await open(era)
    const ids = words(20).map((key) => session.request('tools/call', { name: 'wait', arguments: { key } }))
    await session.settle()
    expect(session.calls.started).toEqual(words(8))
    session.calls.release('k3')
    await session.response(ids[3] ?? '')
    await session.settle()
    expect(session.calls.started).toEqual(words(9))
    for (const key of words(20)) session.calls.release(key)
    for (const id of ids) expect((await session.response(id)).result.isError).toBeUndefined()
  })

  test('a waiting call that the client cancels never runs', async () => {
    const session = await open(era)
    const ids = words(10).map((key) => session.request('tools/call', { name: 'wait', arguments: { key } }))
    await session.settle()
    session.send({ method: 'notifications/cancelled', params: { requestId: ids[8] } })
    await session.settle()
    for (const key of words(10)) session.calls.release(key)
    await session.response(ids[9] ?? '')
    expect(session.calls.started).toEqual(words(10).filter((key) => key !== 'k8'))
    expect(session.messages.some(({ id }) => id === ids[8])).toBe(false)
  })

  test('a running call that the client cancels is aborted and not answered', async () => {
    const session = await open(era)
    const id = session.request('tools/call', { name: 'wait', arguments: { key: 'a' } })
    await session.settle()
    session.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } })
    await session.settle()
    expect(session.calls.cancelled).toEqual(['a'])
    expect(session.messages.some((message) => message['id'] === id)).toBe(false)
    expect(session.logged).toEqual([])
  })

  test('two requests with the same ID are both answered', async () => {
    const session = await open(era)
    session.request('tools/call', { name: 'wait', arguments: { key: 'a' } }, 'same')
    session.request('tools/call', { name: 'wait', arguments: { key: 'b' } }, 'same')
    await session.settle()
    session.calls.release('b')
    session.calls.release('a')
    await session.message(() => session.messages.filter(({ id }) => id === 'same').length === 2)
    expect(session.calls.started).toEqual(['a', 'b'])
  })
})

describe.each(ERAS)('the end of the connection, %s', (era) => {
  test('the server ends when its input ends, and aborts running and waiting calls', async () => {
    const session = await open(era)
    for (const key of words(10)) session.request('tools/call', { name: 'wait', arguments: { key } })
    await session.settle()
    session.input.end()
    await session.ended
    expect(session.calls.cancelled).toEqual(words(8))
    expect(session.calls.started).toEqual(words(8))
  })

  test('the server ends when its signal aborts', async () => {
    const session = await open(era)
    session.request('tools/call', { name: 'wait', arguments: { key: 'a' } })
    await session.settle()
    session.stopping.abort()
    await session.ended
    expect(session.calls.cancelled).toEqual(['a'])
  })

  test('the server ends quietly when nobody reads its output', async () => {
    const session = await open(era)
    session.request('tools/call', { name: 'wait', arguments: { key: 'a' } })
    await session.settle()
    session.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await session.ended
    expect(session.calls.cancelled).toEqual(['a'])
  })

  test('the server ends if reading its input fails', async () => {
    const session = await open(era)
    session.input.destroy(new Error('read EIO'))
    await session.ended
  })

  test('the server does not end before work that outlives its call', async () => {
    const session = await open(era)
    session.request('tools/call', { name: 'work', arguments: { key: 'a' } })
    await session.settle()
    session.input.end()
    const first = await Promise.race([session.ended.then(() => 'ended'), nextTurns().then(() => 'waiting')])
    expect(first).toBe('waiting')
    expect(session.calls.worked).toEqual([])
    session.calls.release('a')
    await session.ended
    expect(session.calls.worked).toEqual(['a'])
  })

  test('work goes on when the client cancels its call', async () => {
    const session = await open(era)
    const id = session.request('tools/call', { name: 'work', arguments: { key: 'a' } })
    await session.settle()
    session.send({ method: 'notifications/cancelled', params: { requestId: id } })
    await session.settle()
    session.calls.release('a')
    session.input.end()
    await session.ended
    expect(session.calls.worked).toEqual(['a'])
  })
})

test('requests that need no waiting are answered even if the input ends right behind them', async () => {
  const session = new Session('legacy')
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  session.request('initialize', params)
  session.request('tools/list')
  session.request('tools/call', { name: 'echo', arguments: { key: 'last' } })
  session.input.end()
  await session.ended
  expect(session.messages.map(({ id }) => id)).toEqual([1, 2, 3])
})

test('the last request needs no line feed', async () => {
  const session = await open('legacy')
  session.raw('{"jsonrpc":"2.0","id":"last","method":"ping"}')
  session.input.end()
  await session.ended
  expect(session.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 'last', result: {} })
})

/** Resolves after a hundred turns of the event loop, in which a server that does not wait would have ended. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
}
