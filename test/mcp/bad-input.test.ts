import { expect, test } from 'vitest'
import type { Tool, ToolMember } from '../../src/mcp/tools/tool.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { ERAS, type Message, type RawClient } from './running/client.ts'
import { type AgentVenue, agentVenue, CARD } from './running/venue.ts'
import { TOOLS } from './tools/all-tools.ts'

const sandbox = await startSharedSandbox()

const MAX_BYTES = 256 * 1024
const ALL = ['--allow', 'money']
const OFFERED = TOOLS.filter(({ needs }) => needs.length === 0)
const HUGE = 'x'.repeat(64 * 1024 + 1)

/** Values that are invalid for every member of a type. */
const WRONG: Readonly<Record<ToolMember['type'], readonly unknown[]>> = {
  text: [5, null, true, {}, [], ['x'], HUGE, 'a\nb', '\u001b[2J', '\u0000'],
  integer: ['x', '', 1.5, null, true, {}, [1], 1e300, '9'.repeat(40), HUGE],
  switch: ['true', 1, 0, null, {}, []],
  texts: ['x', 5, null, {}, [5], [null], [[]], Array(101).fill('x'), [HUGE]],
  records: [
    'x',
    5,
    null,
    {},
    [],
    [5],
    [null],
    [[]],
    [{ a: 1e300 }],
    [JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)],
  ],
}

/** Returns a valid value for a member. */
function valid({ type, values }: ToolMember): unknown {
  return { text: values?.[0] ?? 'x', integer: 2, switch: true, texts: [values?.[0] ?? 'x'], records: [{}] }[type]
}

function required({ members }: Tool): Record<string, unknown> {
  const needed = Object.entries(members).filter(([, member]) => member.required)
  return Object.fromEntries(needed.map(([name, member]) => [name, valid(member)]))
}

/** Returns sets of arguments, each with one mistake. */
function wrongArguments(tool: Tool): readonly unknown[] {
  const good = required(tool)
  const without = Object.keys(good).map((name) => ({ ...good, [name]: undefined }))
  const extra = ['extra', 'force', 'data', 'profile', 'base_url', 'dry_run', 'output', 'constructor', '', HUGE]
  const limits = tool.form === 'list' ? [0, 501, 'x', -1, 1.5, null, [5], '1e2'] : [5]
  return [
    ...without,
    ...extra.map((name) => ({ ...good, [name]: 'x' })),
    Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, at])),
    ...limits.map((limit) => ({ ...good, limit })),
    // Try a third of the invalid values for each member.
    ...Object.entries(tool.members).flatMap(([name, member], nth) =>
      WRONG[member.type]
        .filter((_value, at) => (at + nth) % 3 === 0)
        .filter((value) => !(member.isExact && typeof value === 'string' && value.length < 100))
        .map((value) => ({ ...good, [name]: value })),
    ),
  ]
}

async function expectAlive(client: RawClient): Promise<void> {
  const { structuredContent } = await client.call('operations_list', { limit: 1 })
  expect(structuredContent).toEqual({ records: [], truncated: false })
}

async function requests({ control }: AgentVenue): Promise<number> {
  return (await control.readJournal(0)).entries.length
}

test.each(ERAS)('tools reject invalid arguments with a USAGE error and send nothing (%s protocol)', async (era) => {
  const venue = await agentVenue(sandbox)
  const client = await venue.open({ era, flags: ALL })
  const before = await requests(venue)
  // Both protocols share the code that checks arguments, so the legacy run tests only every sixth tool.
  for (const tool of OFFERED.filter((_tool, at) => era === 'modern' || at % 6 === 0)) {
    const sent = wrongArguments(tool).map((values) => ({
      values,
      id: client.request('tools/call', { name: tool.name, arguments: values }),
    }))
    for (const { id, values } of sent) {
      const { isError, structuredContent, content } = await client.resultOf(id, tool.name)
      const about = `${tool.name} ${JSON.stringify(values).slice(0, 300)}`
      expect(isError, about).toBe(true)
      expect(structuredContent.error, about).toMatchObject({ code: 'USAGE', message: expect.stringMatching(/\S/) })
      expect(content[0].text.length, about).toBeLessThan(100_000)
    }
    await expectAlive(client)
  }
  expect(await requests(venue)).toBe(before)
  expect(client.running.said.stderr).toBe('')
})

test('unusual values of the right type neither crash the server nor cause an INTERNAL error', async () => {
  const venue = await agentVenue(sandbox)
  const client = await venue.open({ era: 'modern', flags: ALL })
  const strange = [
    '--yes',
    '@/etc/passwd',
    '../../x?y=1&z#',
    '😀',
    "'; DROP TABLE bookings; --",
    '%00',
    'x'.repeat(60_000),
  ]
  for (const [at, tool] of OFFERED.entries())
    for (const text of strange.filter((_each, nth) => nth % 3 === at % 3)) {
      const values = Object.fromEntries(
        Object.entries(tool.members).map(([name, member]) => [
          name,
          member.values === null && member.type === 'text' ? text : valid(member),
        ]),
      )
      const { structuredContent, isError } = await client.call(tool.name, values)
      if (isError) expect(structuredContent.error.code, `${tool.name} ${text.slice(0, 30)}`).not.toBe('INTERNAL')
    }
  await expectAlive(client)
  expect(client.running.said.stderr).toBe('')
})

test.each(ERAS)('the server responds to an invalid tools/call request with an error (%s protocol)', async (era) => {
  const venue = await agentVenue(sandbox)
  const client = await venue.open({ era, flags: ALL })
  const calls: Message[] = [
    {},
    { name: 5 },
    { name: 'bookings_list', arguments: [1] },
    { name: 'bookings_list', arguments: 'x' },
    { name: '__proto__', arguments: {} },
    { name: HUGE },
  ]
  for (const params of calls) expect((await client.ask('tools/call', params)).error.code).toBe(-32602)
  client.raw(`{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"${'x'.repeat(5_000_000)}"}}\n`)
  client.raw('not JSON\n')
  await expectAlive(client)
  expect(client.messages.filter(({ id }) => id === null).map(({ error }) => error.code)).toEqual([-32600, -32700])
})

test('the server truncates a list to 256 KiB and fails with INCOMPLETE for a larger record', async () => {
  const venue = await agentVenue(sandbox)
  const client = await venue.open({ era: 'modern' })
  const get = 'GET /GiftCards/{cardNumber}'
  await venue.addFault({ endpoint: get, effect: { kind: 'oversize', bytes: MAX_BYTES }, next: 1 })
  const { isError, structuredContent } = await client.call('giftcards_get', { card: CARD })
  expect(isError).toBe(true)
  expect(structuredContent.error.code).toBe('INCOMPLETE')
  const list = await client.call('bookings_list', { from: '-30d', to: '+30d', limit: 500 })
  const bytes = Buffer.byteLength(JSON.stringify(list.structuredContent)) + Buffer.byteLength(list.content[0].text)
  expect(list.structuredContent.truncated).toBe(true)
  expect(list.structuredContent.records.length).toBeLessThan(500)
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
  expect(bytes).toBeGreaterThan(MAX_BYTES - 40_000)
  expect(list.content[0].text).toMatch(/^<untrusted source="service">\nTIME /)
  expect(list.content[0].text).toContain('narrow the query')
  await expectAlive(client)
})
