import { findNearest } from '../../../base/failure/nearest.ts'
import { ENDPOINTS } from '../../../contract/endpoints.ts'
import { matchesEndpoint, readPattern } from '../../../sandbox/faults/pattern.ts'
import { parseCents } from '../../../sandbox/records/giftcards.ts'
import { Fields } from './fields.ts'
import type { Expectation } from './grammar.ts'
import type { Complain, Placed } from './placed.ts'

const KINDS = ['exit', 'request', 'order', 'wait', 'copy', 'card'] as const

/** Reads one thing that must be so; null when something in it is wrong, which is noted. */
export function readExpectation(placed: Placed, complain: Complain): Expectation | null {
  const fields = Fields.of(placed, `one of ${KINDS.join(', ')}, such as exit: 0`, complain)
  if (!fields) return null
  const kinds = KINDS.filter((kind) => fields.has(kind))
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    fields.complain(
      `expected one of ${KINDS.join(', ')}, ${kinds.length > 1 ? `not ${kinds.join(' and ')}` : 'such as exit: 0'}`,
    )
    return null
  }
  switch (kind) {
    case 'exit':
      return readExit(fields)
    case 'request':
      return readRequest(fields)
    case 'order': {
      fields.only(['order'])
      const endpoints = fields
        .list('order', 'endpoints, such as [GET /Bookings, POST /Sales]')
        .flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
      for (const endpoint of endpoints) checkEndpoint(endpoint, 'order', fields)
      return { kind, endpoints }
    }
    case 'wait': {
      fields.only(['wait', 'at-least'])
      const endpoint = checkEndpoint(fields.text('wait', 'GET /Bookings'), 'wait', fields)
      const atLeastMs = fields.duration('at-least')
      if (atLeastMs === undefined && !fields.has('at-least'))
        fields.complain('at-least is missing: expected a duration, such as 400ms')
      return { kind, endpoint, atLeastMs: atLeastMs ?? 0 }
    }
    case 'copy': {
      fields.only(['copy', 'has'])
      return { kind, bookingId: fields.text('copy', 'BK-1001'), has: fields.map('has') ?? {} }
    }
    case 'card':
      return readCard(fields)
  }
}

function readExit(fields: Fields): Expectation {
  fields.only(['exit'])
  const given = fields.plain('exit')
  const isCode = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256
  if (isCode(given)) return { kind: 'exit', codes: given }
  if (Array.isArray(given) && given.every(isCode)) return { kind: 'exit', codes: given }
  fields.complain('exit must be an exit code, or a list with that of each step: 0 or [1, 0]', 'exit')
  return { kind: 'exit', codes: 0 }
}

function readRequest(fields: Fields): Expectation {
  fields.only(['request', 'status', 'body', 'times', 'at-least', 'at-most'])
  const endpoint = checkEndpoint(fields.text('request', 'POST /GiftCards/redeem'), 'request', fields)
  const times = fields.count('times')
  if (times !== undefined && (fields.has('at-least') || fields.has('at-most')))
    fields.complain('times cannot be given together with at-least or at-most', 'times')
  const [least, most] = [fields.count('at-least'), fields.count('at-most')]
  return {
    kind: 'request',
    endpoint,
    status: fields.count('status') ?? null,
    body: fields.map('body') ?? null,
    atLeast: times ?? least ?? (most === undefined ? 1 : 0),
    atMost: times ?? most ?? Number.POSITIVE_INFINITY,
  }
}

function readCard(fields: Fields): Expectation {
  fields.only(['card', 'left'])
  const left = fields.number('left', 'an amount in currency units, such as 75.00', (value) => value >= 0)
  if (!fields.has('left')) fields.complain('left is missing: expected an amount in currency units, such as 75.00')
  const leftCents = left === undefined || left === 0 ? 0 : parseCents(String(left))
  if (leftCents === null) fields.complain('left must be whole cents', 'left')
  return { kind: 'card', cardNumber: fields.text('card', 'GIFT1-00000100-AAAA'), leftCents: leftCents ?? 0 }
}

function checkEndpoint(text: string, name: string, fields: Fields): string {
  const pattern = readPattern(text)
  const all = Object.values(ENDPOINTS)
  if (text !== '' && !(pattern && all.some(({ method, path }) => matchesEndpoint(pattern, method, path)))) {
    const near = findNearest(
      text,
      all.map(({ method, path }) => `${method} ${path}`),
    )
    fields.complain(
      `the service has no endpoint ${JSON.stringify(text)}; ${near === null ? 'write it like GET /GiftCards/{cardNumber}' : `did you mean ${near}?`}`,
      name,
    )
  }
  return text
}
