import { globSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { manifestCommands } from '../../../scripts/build/manifest.ts'
import { outputOf } from '../../../scripts/build/surface/outputs.ts'
import { TABLE } from '../../../src/mcp/tools/table.ts'
import type { Tool } from '../../../src/mcp/tools/tool.ts'
import { ROOT } from '../../support/partner.ts'
import { names, TOOLS, toolNamed } from './all-tools.ts'

const COMMANDS = globSync('**/*.ts', { cwd: `${ROOT}/src/commands` }).map((file) =>
  file.replace(/\.ts$/, '').replaceAll(/[\\/]/g, ' '),
)

/** Matches forbidden member names, and names that contain a forbidden word. */
const FORBIDDEN =
  /^(?:force|no_validate|data|set|param|har|dry_run|curl|output|json|columns|query|raw|no_header|ledger|once|jobs|fix|html|sql|repair|forget|as|yes|no_input|verbose|quiet|no_color|timeout|retries|record|cron|sync|map|link|location_id|wait|handle_file)$|copy|journal|profile|key|secret|token|file|path|base_url|table_map/

test('the tool table has a row for every command and no other rows', () =>
  expect(Object.keys(TABLE).sort()).toEqual(COMMANDS.sort()))

test('the tool table gives a one-sentence reason for each command that is not a tool', () => {
  const reasons = Object.values(TABLE).filter((row) => typeof row === 'string')
  expect(reasons.filter((reason) => !/^[A-Z][^.]{20,}\.$/.test(reason))).toEqual([])
})

test('each --allow level has exactly the expected tools', () => {
  const named = (allow: Tool['allow'], needs = '') =>
    TOOLS.flatMap((tool) => (tool.allow === allow && tool.needs.join(' ') === needs ? [tool.name] : []))
  expect(named('reads')).toEqual(
    names(`bookings_get bookings_list bookings_schedule bookings_statuses bookings_tables customers_get customers_list
      doctor drift giftcards_get giftcards_list inbound_balance operations_list operations_show reservations_explain
      sales_list sales_reconcile sign_verify timeline_booking timeline_giftcard timeline_sale webhooks_get
      webhooks_list`),
  )
  expect(named('reads', 'copy')).toEqual(names('giftcards_statement report_night'))
  expect(named('reads', 'copy journal')).toEqual(names('webhooks_gaps'))
  expect(named('bookings')).toEqual(
    names(`bookings_create bookings_update bookings_update_pax bookings_update_status bookings_update_tables
      customers_unsubscribe reservations_create`),
  )
  expect(named('money')).toEqual(
    names(`giftcards_cancel_prepare giftcards_redeem_prepare inbound_redeem_prepare money_commit money_status
      operations_resolve sales_create_prepare`),
  )
  expect(TOOLS).toHaveLength(40)
})

test('tools that write require --allow bookings, and tools that prepare money writes require --allow money', () => {
  for (const { words: id, writes } of manifestCommands(ROOT)) {
    const tool = TOOLS.find(({ command }) => command === id)
    if (tool === undefined || writes === 'none') continue
    expect(tool, id).toMatchObject(writes === 'money' ? { allow: 'money', as: 'prepare' } : { allow: 'bookings' })
  }
})

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test(`${name} has a name, a title and a description that clients accept`, () => {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    expect(tool.title).toMatch(/^[A-Z].{10,100}[^.]$/)
    expect(tool.description).toMatch(/\.$/)
    expect(tool.description).toMatch(/\bReturns /)
    expect(tool.description.length).toBeLessThan(1000)
  })

  test(`the descriptions and schemas of ${name} do not mention flags, exit codes or commands`, () => {
    const abouts = Object.values(tool.members).map(({ about }) => about)
    const said = [tool.title, tool.description, ...abouts, JSON.stringify(tool.outputSchema)]
    expect(
      said.filter((text) =>
        /(?:^|[\s(])--?[a-z]{2}|exit code|dry run|partner (?:bookings|giftcards|help|operations|sales)\b/.test(text),
      ),
    ).toEqual([])
  })

  test(`${name} has no member that sets a file, an address, a secret or a profile, or that skips a check`, () => {
    const members = Object.entries(tool.members)
    expect(members.filter(([member]) => FORBIDDEN.test(member))).toEqual([])
    const isAddress = /\burl\b|address of/i
    const aboutFiles = /\b(?:file|path|folder|directory|standard input)\b|@|env:|postgres|\.(?:db|csv|ndjson|yaml)\b/i
    expect(members.filter(([, { about }]) => aboutFiles.test(about))).toEqual([])
    const exception = name === 'sign_verify' ? ['url'] : []
    expect(members.flatMap(([member, { about }]) => (isAddress.test(about) ? [member] : []))).toEqual(exception)
  })

  test(`${name} uses only flags and arguments that its command has`, () => {
    const command = manifestCommands(ROOT).find(({ words: id }) => id === tool.command)
    if (command === undefined) return expect(name).toMatch(/^money_/)
    for (const { to, name: of } of Object.values(tool.members))
      expect(Object.keys(to === 'flag' ? command.flags : command.args), name).toContain(of)
    for (const { flag, repeats } of tool.files) expect(command.flags[flag]?.multiple ?? false, flag).toBe(repeats)
  })

  test(`${name} has valid JSON Schemas of type object for its input and output`, () => {
    // Switch off `strictTypes`, because parts of the schemas for the service's records have no type.
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, validateSchema: true })
    const input = ajv.compile(tool.inputSchema)
    expect(input({ [`no_such_member`]: 1 })).toBe(false)
    expect(tool.inputSchema['additionalProperties']).toBe(false)
    expect(ajv.compile(tool.outputSchema)([])).toBe(false)
    expect(tool.inputSchema.type + tool.outputSchema.type).toBe('objectobject')
  })

  test(`if ${name} returns a list, it has a limit and reports truncation`, () => {
    const { limit } = tool.inputSchema['properties'] as Record<string, object>
    const isList = tool.form === 'list'
    expect(limit !== undefined).toBe(isList)
    if (!isList) return
    expect(limit).toMatchObject({ minimum: 1, maximum: 500, default: 50 })
    expect(tool.outputSchema['required']).toEqual(['records', 'truncated'])
  })

  test(`${name} is marked as read-only if it only reads`, () => {
    const { readOnlyHint, destructiveHint } = tool.annotations
    expect(readOnlyHint).toBe(tool.allow === 'reads' || name === 'money_status')
    if (readOnlyHint) expect(destructiveHint).toBe(false)
  })
})

test('a record that contradicts the contract still matches the output schema', () => {
  const ajv = new Ajv2020({ strict: false })
  const ofService = TOOLS.filter(
    ({ command, as }) => command !== null && as === 'run' && outputOf(command)?.isOwn === false,
  )
  expect(ofService.length).toBeGreaterThan(15)
  for (const { form, outputSchema } of ofService) {
    const matches = ajv.compile(outputSchema)
    const { properties = {} } = outputSchema as { properties?: Record<string, { items?: { properties?: object } }> }
    const known = Object.keys(form === 'list' ? (properties['records']?.items?.properties ?? {}) : properties)
    const record = fc.dictionary(fc.constantFrom('more', ...known), fc.jsonValue())
    fc.assert(fc.property(record, (each) => matches(form === 'list' ? { records: [each], truncated: false } : each)))
  }
})

test('only tools that change existing records or move money are marked as destructive', () => {
  const destructive = TOOLS.flatMap((tool) => (tool.annotations.destructiveHint ? [tool.name] : []))
  expect(destructive).toEqual(
    names(`bookings_update bookings_update_pax bookings_update_status bookings_update_tables customers_unsubscribe
      money_commit`),
  )
})

test('the descriptions of tools with time arguments explain how to write a time', () => {
  expect(toolNamed('bookings_list')).toMatchObject({ title: expect.stringMatching(/^List bookings/) })
  expect(toolNamed('sales_list').description).toContain('A TIME is 2026-11-20T18:00:00Z')
  expect(toolNamed('bookings_get').description).not.toContain('TIME')
})

test("the definitions of the default tools take less than 60 KB of a model's context", () => {
  const listed = TOOLS.filter(({ allow, needs }) => allow === 'reads' && needs.length === 0).map(
    ({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      ...{ name, title, description, inputSchema, outputSchema, annotations },
    }),
  )
  expect(JSON.stringify(listed).length).toBeLessThan(60_000)
})
