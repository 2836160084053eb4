import { describe, expect, test } from 'vitest'
import { ERAS, open, Session } from './session.ts'

const words = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`)

describe.each(ERAS)('concurrent calls to the MCP server (%s protocol)', (era) => {
  test('the server runs at most eight calls at once and starts the next one when a call ends', async () => {
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

  test('the server never starts a queued call that the client has cancelled', async () => {
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

  test('the server aborts a running call that the client cancels, and sends no response', async () => {
    const session = await open(era)
    const id = session.request('tools/call', { name: 'wait', arguments: { key: 'a' } })
    await session.settle()
    session.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } })
    await session.settle()
    expect(session.calls.cancelled).toEqual(['a'])
    expect(session.messages.some((message) => message['id'] === id)).toBe(false)
    expect(session.logged).toEqual([])
  })

  test('two concurrent requests with the same ID each receive a response', async () => {
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

describe.each(ERAS)('shutdown of the MCP server (%s protocol)', (era) => {
  test('the server stops when its input ends, and aborts running and queued calls', async () => {
    const session = await open(era)
    for (const key of words(10)) session.request('tools/call', { name: 'wait', arguments: { key } })
    await session.settle()
    session.input.end()
    await session.ended
    expect(session.calls.cancelled).toEqual(words(8))
    expect(session.calls.started).toEqual(words(8))
  })

  test('the server stops when its signal is aborted', async () => {
    const session = await open(era)
    session.request('tools/call', { name: 'wait', arguments: { key: 'a' } })
    await session.settle()
    session.stopping.abort()
    await session.ended
    expect(session.calls.cancelled).toEqual(['a'])
  })

  test('the server stops without an error when its output stream is closed', async () => {
    const session = await open(era)
    session.request('tools/call', { name: 'wait', arguments: { key: 'a' } })
    await session.settle()
    session.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await session.ended
    expect(session.calls.cancelled).toEqual(['a'])
  })

  test('the server stops if reading its input fails', async () => {
    const session = await open(era)
    session.input.destroy(new Error('read EIO'))
    await session.ended
  })

  test('the server waits for work that outlives its call before it stops', async () => {
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

  test('work that outlives its call continues after the client cancels the call', async () => {
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

test('the server responds to requests even if the input ends right after them', async () => {
  const session = new Session('legacy')
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  session.request('initialize', params)
  session.request('tools/list')
  session.request('tools/call', { name: 'echo', arguments: { key: 'last' } })
  session.input.end()
  await session.ended
  expect(session.messages.map(({ id }) => id)).toEqual([1, 2, 3])
})

test('the server accepts a final request without a trailing newline', async () => {
  const session = await open('legacy')
  session.raw('{"jsonrpc":"2.0","id":"last","method":"ping"}')
  session.input.end()
  await session.ended
  expect(session.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 'last', result: {} })
})

/** Waits for 100 turns of the event loop. A server that does not wait for its work stops sooner. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
}
