import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GUIDES } from '../../src/base/failure/guides.ts'
import { DIST } from '../support/distribution.ts'
import { runPartner } from '../support/partner.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { ERAS } from './running/client.ts'
import { agentVenue } from './running/venue.ts'
import { names, TOOLS } from './tools/all-tools.ts'

const sandbox = await startSharedSandbox()

const READS = names(`bookings_list bookings_get bookings_schedule bookings_tables bookings_statuses reservations_explain
  giftcards_list giftcards_get sales_list customers_list customers_get webhooks_list operations_list operations_show
  timeline_booking timeline_giftcard timeline_sale doctor sign_verify`)

describe.each(ERAS)('MCP tool results (%s protocol)', (era) => {
  test('without --allow, the server lists and runs only read-only tools', async () => {
    const { open } = await agentVenue(sandbox)
    const client = await open({ era })
    const { tools } = (await client.ask('tools/list')).result
    const listed = tools.map(({ name }: { name: string }) => name)
    const allowed = TOOLS.filter(({ allow, needs }) => allow === 'reads' && needs.length === 0)
    expect(listed).toEqual(allowed.map(({ name }) => name))
    expect(listed).toEqual(expect.arrayContaining(READS))
    for (const name of ['money_commit', 'bookings_create', 'webhooks_gaps', 'api', 'profiles_list'])
      expect((await client.ask('tools/call', { name, arguments: {} })).error).toEqual({
        code: -32602,
        message: `Unknown tool: ${name}`,
      })
    expect(await client.end()).toBe(0)
    expect(client.running.said.stderr).toBe('')
  })

  test('a list tool returns its records and a flag for truncation, and other tools return the record itself', async () => {
    const { open, env } = await agentVenue(sandbox)
    const client = await open({ era })
    const cut = await client.call('giftcards_list', { limit: 2 })
    expect(Object.keys(cut.structuredContent)).toEqual(['records', 'truncated'])
    expect(cut.structuredContent).toMatchObject({ records: [{}, {}], truncated: true })
    expect(cut.content[0].text).toContain('raise `limit`')
    const all = (await client.call('giftcards_list', {})).structuredContent
    const printed = await runPartner('giftcards list --json', { env })
    // A tool replaces line breaks in strings with spaces.
    expect(all).toEqual({ records: JSON.parse(printed.stdout.replaceAll('\\n', ' ')), truncated: false })
    const { cardNumber } = all.records[0]
    const one = await client.call('giftcards_get', { card: cardNumber })
    expect(one.structuredContent).toEqual(all.records[0])
    expect(one).toMatchObject({ _meta: { 'partner/untrusted': true }, content: [{ type: 'text' }] })
    expect(one.isError ?? false).toBe(false)
    const lines = one.content[0].text.split('\n')
    expect([lines[0], lines.at(-1)]).toEqual(['<untrusted source="service">', '</untrusted>'])
  })

  test('a failed call returns the same error that --json prints', async () => {
    const { open, env } = await agentVenue(sandbox)
    const client = await open({ era })
    const { structuredContent, isError } = await client.call('giftcards_get', { card: 'WRONG-00000000-NONE' })
    const printed = JSON.parse((await runPartner('giftcards get WRONG-00000000-NONE --json', { env })).stderr).error
    expect(isError).toBe(true)
    const { hint, ...error } = structuredContent.error
    expect(error).toEqual({ ...printed, hint: undefined })
    expect(error).toMatchObject({ code: 'NOT_FOUND', outcome: 'none' })
    expect(hint).toBe('check the number on the card, and that this profile is for the venue that sold it')
  })

  test('reservations_explain returns the reasons for a rejection as a result, not as an error', async () => {
    const { open } = await agentVenue(sandbox)
    const client = await open({ era })
    const { structuredContent, isError } = await client.call('reservations_explain', {
      people: 2,
      time: '2031-03-14T04:00:00',
    })
    expect(isError ?? false).toBe(false)
    expect(structuredContent).toMatchObject({ accepted: false, reasons: [{ code: expect.any(String) }] })
  })

  test('each guide is a resource with the text that partner help prints', async () => {
    const { open } = await agentVenue(sandbox)
    const client = await open({ era })
    const { resources } = (await client.ask('resources/list')).result
    const uris = GUIDES.map((name) => `partner://guide/${name}`)
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual(uris)
    for (const name of GUIDES) {
      const { contents } = (await client.ask('resources/read', { uri: `partner://guide/${name}` })).result
      const [{ text, ...rest }] = contents
      expect(rest).toEqual({ uri: `partner://guide/${name}`, mimeType: 'text/plain' })
      expect(text).toBe(readFileSync(join(DIST, 'help', 'guides', `${name}.txt`), 'utf8'))
    }
    expect((await runPartner('help money')).stdout).toContain(
      (await client.ask('resources/read', { uri: 'partner://guide/money' })).result.contents[0].text.trim(),
    )
    expect((await client.ask('resources/read', { uri: 'partner://guide/../../etc/passwd' })).error.code).toBe(-32602)
  })
})

test.each([
  [['--allow', 'all'], '--allow must be reads, bookings or money'],
  [['--allow', 'money', '--per-day', '1.234'], '--per-day'],
  [['--allow', 'money', '--approve-up-to', '-1'], '--approve-up-to'],
  [['--approve-up-to', '5'], '--approve-up-to needs --allow money'],
  [['--tools', 'money_commit'], 'money_commit needs --allow money'],
  [['--tools', 'bookings_lst'], 'did you mean bookings_list?'],
])('partner mcp refuses the flags %j without printing anything to stdout', async (flags, says) => {
  const { env } = await agentVenue(sandbox)
  const { code, stdout, stderr } = await runPartner(['mcp', ...flags], { env })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(says)
})
