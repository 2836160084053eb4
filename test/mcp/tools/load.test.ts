import { expect, test } from 'vitest'
import { loadTools, type ToolChoice } from '../../../src/mcp/tools/load.ts'
import { DIST } from '../../support/distribution.ts'
import { failureOf } from '../../support/failure.ts'
import { names } from './all-tools.ts'

const select = (choice: Partial<ToolChoice> = {}) =>
  loadTools(DIST, { hasCopy: false, hasJournal: false, ...choice }).map(({ name }) => name)

const problemsOf = (choice: Partial<ToolChoice>) => {
  const { code, lines, message } = failureOf(() => select(choice))
  expect(code).toBe('USAGE')
  return lines.length > 0 ? lines : [message]
}

test('without --allow, loadTools returns only read-only tools, including the tools that agents rely on', () => {
  const promised = names(`bookings_list bookings_get bookings_schedule bookings_tables bookings_statuses
    reservations_explain giftcards_list giftcards_get sales_list customers_list customers_get webhooks_list
    operations_list operations_show timeline_booking timeline_giftcard timeline_sale doctor sign_verify`)
  expect(select()).toEqual(expect.arrayContaining(promised))
  expect(select()).toHaveLength(23)
  expect(select({ allow: 'reads' })).toEqual(select())
})

test('each --allow level includes the previous one', () => {
  const [reads, bookings, money] = ['reads', 'bookings', 'money'].map((allow) => select({ allow }))
  expect(bookings).toEqual(expect.arrayContaining(reads ?? []))
  expect(money).toEqual(expect.arrayContaining(bookings ?? []))
  expect([reads?.length, bookings?.length, money?.length]).toEqual([23, 30, 37])
})

test('loadTools includes the tools that read a copy or a journal only if the copy or journal is given', () => {
  expect(select({ hasJournal: true })).toEqual(select())
  const withCopy = select({ hasCopy: true })
  expect(withCopy.filter((name) => !select().includes(name))).toEqual(['giftcards_statement', 'report_night'])
  expect(select({ hasCopy: true, hasJournal: true })).toContain('webhooks_gaps')
})

test('--tools limits the server to the named tools', () => {
  expect(select({ tools: 'sales_list, bookings_get,sales_list' })).toEqual(['bookings_get', 'sales_list'])
  expect(select({ allow: 'money', tools: 'money_status' })).toEqual(['money_status'])
})

test('--tools explains how to fix each name that is unknown, empty or not allowed', () => {
  expect(problemsOf({ tools: 'booking_list,bookings_create,,money_commit,webhooks_gaps' })).toEqual([
    '--tools: no tool is called "booking_list"; did you mean bookings_list?',
    '--tools: bookings_create needs --allow bookings',
    '--tools: a name is empty',
    '--tools: money_commit needs --allow money',
    '--tools: webhooks_gaps needs --copy TARGET and --journal FILE',
  ])
})

test('--allow refuses an unknown level', () => {
  expect(problemsOf({ allow: 'all' })).toEqual(['--allow must be reads, bookings or money, not "all"'])
  expect(problemsOf({ allow: '' })).toEqual(['--allow must be reads, bookings or money, not ""'])
})
