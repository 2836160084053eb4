import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GUIDES } from '../../../src/base/failure/guides.ts'
import { guideResources } from '../../../src/mcp/server/resources.ts'
import { DIST } from '../../support/distribution.ts'
import { ERAS, open, Session } from './session.ts'
import { GUIDE, SECRET, TOOLS } from './tools.ts'

test('initialize names the server and declares only tools and resources', async () => {
  const session = new Session('legacy')
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  expect((await session.ask('initialize', params)).result).toEqual({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'partner', title: 'Partner', version: '1.2.3' },
    instructions: 'Read the guides.',
  })
})

test('server/discover names the 2026-07-28 revision and declares only tools and resources', async () => {
  expect((await new Session('modern').ask('server/discover')).result).toMatchObject({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {} },
    instructions: 'Read the guides.',
  })
})

test('a client may send initialize after server/discover', async () => {
  const session = await open('modern')
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  session.send({ id: 'init', method: 'initialize', params })
  expect((await session.response('init')).result.protocolVersion).toBe('2025-11-25')
  session.send({ id: 'list', method: 'tools/list' })
  expect((await session.response('list')).result.tools).toHaveLength(TOOLS.length)
})

describe.each(ERAS)('MCP requests (%s protocol)', (era) => {
  test('tools/list returns the tools with their JSON schemas unchanged', async () => {
    const session = await open(era)
    const { tools } = (await session.ask('tools/list')).result
    const expected = TOOLS.map(({ name, title, description, inputSchema, outputSchema, annotations }) => {
      return { name, title, description, inputSchema, outputSchema, annotations }
    })
    expect(tools).toEqual(expected)
  })

  test('a result has text and structured content, and is marked if it is untrusted', async () => {
    const session = await open(era)
    const { result } = await session.call('echo', { key: 'a', more: [1, { b: null }] })
    const records = [{ key: 'a', more: [1, { b: null }] }]
    expect(result).toMatchObject({
      structuredContent: { records, truncated: false },
      _meta: { 'partner/untrusted': true },
    })
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify({ records, truncated: false }) }])
    expect(result).not.toHaveProperty('isError')
  })

  test('a call without arguments is treated like a call with an empty object', async () => {
    const { result } = await (await open(era)).call('echo')
    expect(result.structuredContent.records).toEqual([{}])
  })

  test('the result of a failed call sets isError and is not marked as untrusted', async () => {
    const { result } = await (await open(era)).call('refuse')
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'USAGE' } } })
    expect(result._meta ?? {}).not.toHaveProperty('partner/untrusted')
  })

  test.each([
    ['fail', 'none'],
    ['fail_to_write', 'unknown'],
  ])(
    'the server reports an unexpected error in the %s tool as INTERNAL, without its message',
    async (name, outcome) => {
      const session = await open(era)
      const { result } = await session.call(name)
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'INTERNAL', exitCode: 1, outcome } },
      })
      expect(session.lines.join()).not.toContain(SECRET)
      expect(session.logged.join()).toContain(SECRET)
    },
  )

  test.each([
    ['an unknown tool', 'tools/call', { name: 'no_such_tool' }, -32602],
    ['a tool without a name', 'tools/call', {}, -32602],
    ['a list of arguments', 'tools/call', { name: 'echo', arguments: [1] }, -32602],
    ['an unknown method', 'no/such', {}, -32601],
    ['prompts', 'prompts/list', {}, -32601],
    ['a change of the log level', 'logging/setLevel', { level: 'debug' }, -32601],
    ['an unknown resource', 'resources/read', { uri: 'partner://guide/nothing' }, -32602],
  ])('the server responds to a request for %s with an error', async (_what, method, params, code) => {
    const session = await open(era)
    expect((await session.ask(method, params)).error.code).toBe(code)
    await session.settle()
  })

  test('the error for a missing resource contains its URI', async () => {
    const { error } = await (await open(era)).ask('resources/read', { uri: 'partner://guide/nothing' })
    expect(error).toMatchObject({
      message: expect.stringContaining('not found'),
      data: { uri: 'partner://guide/nothing' },
    })
  })

  test('the server lists resources and returns their content', async () => {
    const session = await open(era)
    expect((await session.ask('resources/list')).result.resources).toEqual([GUIDE])
    expect((await session.ask('resources/templates/list')).result.resourceTemplates).toEqual([])
    const { result } = await session.ask('resources/read', { uri: GUIDE.uri })
    expect(result.contents).toEqual([{ uri: GUIDE.uri, mimeType: 'text/plain', text: 'The guide.' }])
  })
})

describe('guides as MCP resources', () => {
  const guides = guideResources(DIST)

  test('every guide is a resource with a title and content', () => {
    const listed = guides.list()
    expect(listed.map(({ uri }) => uri)).toEqual(GUIDES.map((name) => `partner://guide/${name}`))
    for (const { uri, name, title } of listed) {
      expect(title).not.toBe(name)
      expect(guides.read(uri)?.length).toBeGreaterThan(100)
    }
  })

  test.each([
    'partner://guide/',
    'partner://guide/nothing',
    'partner://guide/../flags',
    'partner://guide/money/',
    'partner://guide/Money',
    'partner://help/money',
    'file:///etc/passwd',
    '',
  ])('the URI "%s" is not a guide', (uri) => expect(guides.read(uri)).toBeNull())

  test('guideResources throws if the guide files are missing', () => {
    expect(() => guideResources(join(DIST, 'nowhere')).list()).toThrow('ENOENT')
  })
})
