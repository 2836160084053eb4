import { describe, expect, test } from 'vitest'
import type { DesiredSubscription, Reference } from '../../../src/webhooks/subscriptions/desired.ts'
import {
  type CurrentSubscription,
  isSameUrl,
  planChanges,
  readCurrentSubscriptions,
} from '../../../src/webhooks/subscriptions/plan.ts'

const URL_A = 'https://a.example/hooks'
const ELSEWHERE = { webhookUrl: 'https://b.example' }
const KEY: Reference = { source: { env: 'HOOK' }, place: { line: 1, column: 1 } }

function wants(event: string, more: Partial<DesiredSubscription> = {}): DesiredSubscription {
  return { event, webhookUrl: URL_A, securityKey: null, securityToken: null, ...more }
}

function stands(event: string, more: Partial<CurrentSubscription> = {}): CurrentSubscription {
  return { event, webhookUrl: URL_A, hasCredentials: false, ...more }
}

function plannedFor(desired: DesiredSubscription, standing: readonly CurrentSubscription[], rotate = false) {
  const [change] = planChanges([desired], standing, { prune: false, rotate }).changes
  return `${change?.action} ${change?.credentials}`
}

describe('the planned change to one subscription', () => {
  const withKey = wants('A', { securityKey: KEY })

  test.each([
    ['creates a missing subscription', wants('A'), [], 'create none'],
    ['creates a missing subscription with credentials', withKey, [stands('B')], 'create sent'],
    ['leaves an identical subscription unchanged', wants('A'), [stands('A')], 'unchanged none'],
    ['updates a subscription whose URL differs', wants('A'), [stands('A', ELSEWHERE)], 'update none'],
    ['sends credentials to a subscription whose URL differs', withKey, [stands('A', ELSEWHERE)], 'update sent'],
    [
      'updates a subscription whose URL the service does not show',
      wants('A'),
      [stands('A', { webhookUrl: null })],
      'update none',
    ],
    [
      'does not send credentials to a subscription that has some',
      withKey,
      [stands('A', { hasCredentials: true })],
      'unchanged kept',
    ],
    [
      'does not send credentials if the service does not show whether there are any',
      withKey,
      [stands('A', { hasCredentials: null })],
      'unchanged kept',
    ],
    ['sends credentials to a subscription that has none', withKey, [stands('A')], 'update sent'],
    [
      'leaves credentials unchanged if the file does not mention them',
      wants('A'),
      [stands('A', { hasCredentials: true })],
      'unchanged none',
    ],
    [
      'updates a subscription that is listed twice, once with a different URL',
      wants('A'),
      [stands('A'), stands('A', ELSEWHERE)],
      'update none',
    ],
  ] as const)('the plan %s', (_, desired, standing, planned) => {
    expect(plannedFor(desired, standing)).toBe(planned)
  })

  test('--rotate sends credentials again even if nothing else changes', () => {
    expect(plannedFor(withKey, [stands('A', { hasCredentials: true })], true)).toBe('rotate sent')
    expect(plannedFor(wants('A', { securityToken: KEY }), [stands('A', { hasCredentials: null })], true)).toBe(
      'rotate sent',
    )
    expect(plannedFor(wants('A'), [stands('A')], true)).toBe('unchanged none')
    expect(plannedFor(withKey, [], true)).toBe('create sent')
  })
})

test('unlisted subscriptions are kept without --prune and deleted last with --prune', () => {
  const standing = [stands('X'), stands('A'), stands('Y', { webhookUrl: null })]
  const { changes, left } = planChanges([wants('B'), wants('A')], standing, { prune: false, rotate: false })
  expect(changes.map(({ action }) => action)).toEqual(['create', 'unchanged'])
  expect(left).toEqual(['X', 'Y'])
  const pruned = planChanges([wants('B'), wants('A')], standing, { prune: true, rotate: false })
  expect(pruned.left).toEqual([])
  const planned = pruned.changes.map(({ event, action, webhookUrl }) => `${event} ${action} ${webhookUrl}`)
  expect(planned).toEqual([`B create ${URL_A}`, `A unchanged ${URL_A}`, 'X delete null', 'Y delete null'])
})

test('isSameUrl returns true only if the two URLs are equal after normalization', () => {
  expect(isSameUrl('https://A.example', 'https://a.example:443/')).toBe(true)
  const others = ['http://a.example/x', 'https://a.example/x/', 'https://a.example/X', 'https://a.example/x?y', null]
  for (const other of others) expect(isSameUrl('https://a.example/x', other)).toBe(false)
})

test('readCurrentSubscriptions rejects a subscription without an event', () => {
  expect(readCurrentSubscriptions([{ event: 'A', webhookUrl: '', authenticationEnabled: 'yes', more: 1 }])).toEqual([
    { event: 'A', webhookUrl: null, hasCredentials: null },
  ])
  for (const record of [null, 'A', {}, { event: null }, { event: '' }])
    expect(() => readCurrentSubscriptions([record])).toThrow('without an event')
})
