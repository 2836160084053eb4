import { expect, test } from 'vitest'
import * as zod from 'zod'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../../src/contract/endpoints.ts'
import { isKnownMember } from '../../../../src/features/support/bundle/cleaning/members.ts'

function membersOf(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const { def } = schema as { readonly def?: Readonly<Record<string, unknown>> }
  if (!def) return []
  const shape = (def['shape'] ?? {}) as Readonly<Record<string, unknown>>
  return [
    ...Object.entries(shape).flatMap(([name, member]) => [name, ...membersOf(member, seen)]),
    ...Object.values(def).flatMap((part) => membersOf(part, seen)),
  ]
}

test('isKnownMember returns true for all members and parameters in the contract', () => {
  const all = Object.values(ENDPOINTS).flatMap((endpoint) => {
    const { query, body, responses } = endpoint as Endpoint
    return [query, body, ...Object.values(responses)].flatMap((schema) => (schema ? membersOf(schema(zod)) : []))
  })
  expect(all.length).toBeGreaterThan(200)
  expect([...new Set(all)].filter((name) => !isKnownMember(name))).toEqual([])
})
