import { expect, onTestFinished } from 'vitest'
import { startSandboxProcess } from '../../support/sandbox-process.ts'
import type { Era, Message } from './client.ts'
import { HOSTILE_TEXTS, wordOf } from './hostile-texts.ts'
import { bookingOf, cardOf, customerOf, DAY, hostileSnapshot } from './hostile-venue.ts'
import { agentVenue } from './venue.ts'

const MARK = /<\s*\/?\s*untrusted/giu
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/
const CARD_GET = 'GET /GiftCards/{cardNumber}'

/** Expects the content to be one block between intact marks, with no hostile text outside. Returns the block's text. */
function expectInert({ content, structuredContent, _meta }: Message, about: string): string {
  expect(_meta, about).toMatchObject({ 'partner/untrusted': true })
  const [{ text }] = content
  const lines = text.split('\n')
  const [open, close] = [lines.indexOf('<untrusted source="service">'), lines.lastIndexOf('</untrusted>')]
  expect(text.match(MARK), about).toHaveLength(2)
  expect(open >= 0 && open < close, about).toBe(true)
  const outside = [...lines.slice(0, open), ...lines.slice(close + 1)].join('\n')
  expect(outside, about).not.toMatch(/Q\d{3}Z/)
  expect(text.replaceAll('\n', ''), about).not.toMatch(FORBIDDEN)
  for (const each of textsIn(structuredContent)) expect(each, about).not.toMatch(FORBIDDEN)
  return lines.slice(open + 1, close).join('\n')
}

/** Returns all strings and member names in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
}

/** Reads every `step`th hostile text over MCP, from each field that a guest could have filled in. */
export async function readHostileTexts(era: Era, step: number): Promise<void> {
  // Do not record the traffic, because hostile texts do not match the OpenAPI document and CI would report them.
  const sandbox = await startSandboxProcess(undefined, { PARTNER_SANDBOX_HAR: undefined })
  onTestFinished(async () => void (await sandbox.stop()))
  const venue = await agentVenue(sandbox)
  await venue.control.loadSnapshot({ name: 'hostile', text: hostileSnapshot(await venue.control.saveSnapshot()) })
  // The client approves every form that the server sends.
  const answerForm = () => ({ action: 'accept', content: { approve: true } })
  const client = await venue.open({ era, flags: ['--allow', 'money', '--approve-up-to', '1000000'], answerForm })
  const described = JSON.stringify((await client.ask('tools/list')).result)
  const call = async (name: string, values: object) => {
    const result = await client.call(name, values)
    return expectInert(result, `${name} ${JSON.stringify(values)}`)
  }
  for (let at = 0; at < HOSTILE_TEXTS.length; at += step) {
    for (const [name, values] of [
      ['bookings_get', { id: bookingOf(at) }],
      ['customers_get', { id: customerOf(at) }],
      ['giftcards_get', { card: cardOf(at) }],
    ] as const)
      expect(await call(name, values), `${name} ${HOSTILE_TEXTS[at]}`).toContain(wordOf(at))
    await venue.addFault({
      ...{ endpoint: CARD_GET, next: 1 },
      effect: { kind: 'status', status: 400, message: HOSTILE_TEXTS[at] },
    })
    expect(await call('giftcards_get', { card: cardOf(at) })).toContain(wordOf(at))
  }
  for (const [name, values] of [
    ['bookings_list', { date: DAY, include_customer: true, limit: 500 }],
    ['bookings_list', { guest: 'Q0', date: DAY }],
    ['bookings_schedule', { date: DAY, people: 2 }],
    ['bookings_statuses', {}],
    ['bookings_tables', { date: DAY }],
    ['customers_list', { limit: 500 }],
    ['customers_list', { search: 'Q1' }],
    ['doctor', {}],
    ['drift', {}],
    ['giftcards_list', { limit: 500 }],
    ['inbound_balance', { card: cardOf(0) }],
    ['reservations_explain', { people: 2, time: `${DAY}T19:00:00`, customer_id: customerOf(1) }],
    ['sales_list', { from: '-7d', to: 'now' }],
    ['sales_reconcile', { records: [{ origin: { saleId: HOSTILE_TEXTS[2] }, total: { amount: 1 } }], date: DAY }],
    ['timeline_booking', { id: bookingOf(3) }],
    ['timeline_giftcard', { card: cardOf(3) }],
    ['webhooks_list', {}],
  ] as const)
    await call(name, values)
  // Some of the texts claim that this handle was approved.
  const { structuredContent } = await client.call('money_commit', { handle: 'mcp_AAAAAAAAAAAAAAAAAAAAAA' })
  expect(structuredContent.error.code).toBe('NOT_FOUND')
  expect(await venue.writes(), 'nothing was written').toEqual([])
  expect(JSON.stringify((await client.ask('tools/list')).result)).toBe(described)
  expect(described).not.toMatch(/Q\d{3}Z/)
}
