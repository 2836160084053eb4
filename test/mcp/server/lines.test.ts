import { describe, expect, test } from 'vitest'
import { LONGEST_LINE } from '../../../src/mcp/server/line-guard.ts'
import { ERAS, open } from './session.ts'

/** Returns a valid message of the given length. */
function callOf(length: number): string {
  const parts = JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'ping', params: { pad: '#' } }).split('#')
  return parts.join('x'.repeat(length - parts.join('').length))
}

const PARSE = -32700
const INVALID = -32600

describe.each(ERAS)('lines that the MCP client sends (%s protocol)', (era) => {
  test.each([
    ['text', '{not json', PARSE, null],
    ['an unfinished object', '{"jsonrpc":"2.0","id":1', PARSE, null],
    ['JSON that is nested too deeply', '['.repeat(2000), PARSE, null],
    ['a batch', '[{"jsonrpc":"2.0","id":20,"method":"ping"}]', INVALID, null],
    ['an empty batch', '[]', INVALID, null],
    ['a string', '"x"', INVALID, null],
    ['null', 'null', INVALID, null],
    ['an object without a method', '{"jsonrpc":"2.0","id":"no-method"}', INVALID, 'no-method'],
    ['an object as the ID', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', INVALID, null],
    ['null as the ID', '{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID, null],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":"old","method":"ping"}', INVALID, 'old'],
    ['no version of JSON-RPC', '{"id":"none","method":"ping"}', INVALID, 'none'],
    ['a list as params', '{"jsonrpc":"2.0","id":"list","method":"ping","params":[1]}', INVALID, 'list'],
    ['text as _meta', '{"jsonrpc":"2.0","id":"meta","method":"ping","params":{"_meta":"x"}}', INVALID, 'meta'],
  ])('the server responds to %s with an error, and still handles the next request', async (_what, line, code, id) => {
    const session = await open(era)
    session.raw(`${line}\n`)
    const { error } = await session.response(id)
    expect(error.code).toBe(code)
    expect((await session.ask('tools/list')).result.tools.length).toBeGreaterThan(0)
  })

  test.each([LONGEST_LINE + 1, 30_000_000])(
    'the server refuses a line of %d bytes, and still handles the next request',
    async (length) => {
      const session = await open(era)
      session.raw(`${callOf(length)}\n`)
      const { error } = await session.response(null)
      expect(error).toEqual({
        code: INVALID,
        message: `Invalid request: a message may be at most ${LONGEST_LINE} bytes`,
      })
      expect((await session.ask('tools/list')).result.tools.length).toBeGreaterThan(0)
      expect(session.messages.filter(({ id }) => id === null)).toHaveLength(1)
    },
  )

  test('the server reads a line of the maximum length that arrives in small pieces', async () => {
    const session = await open(era)
    const line = `${callOf(LONGEST_LINE)}\n`
    for (let at = 0; at < line.length; at += 65_521) session.raw(line.slice(at, at + 65_521))
    expect(await session.response('long')).toEqual({ jsonrpc: '2.0', id: 'long', result: {} })
  })

  test('the server ignores empty lines and trailing carriage returns', async () => {
    const session = await open(era)
    session.raw('\n  \r\n\n')
    const [before] = [session.lines.length]
    await session.settle()
    expect(session.lines).toHaveLength(before + 1)
  })

  test('the server decodes a character whose bytes arrive separately', async () => {
    const session = await open(era)
    const id = session.request('tools/call', { name: 'echo', arguments: { key: 'plain' } })
    await session.response(id)
    const request = { jsonrpc: '2.0', id: 'ü€😀', method: 'no/such' }
    for (const byte of Buffer.from(`${JSON.stringify(request)}\n`)) session.input.write(Buffer.from([byte]))
    expect((await session.response('ü€😀')).error).toBeDefined()
  })
})
