import { ENDPOINTS } from '../../../contract/endpoints.ts'
import { findEndpoints } from '../../../contract/paths.ts'
import { faultProblems } from '../../../sandbox/faults/check.ts'
import type { FaultEffect, FaultSpecification } from '../../../sandbox/faults/fault.ts'
import { Fields } from './fields.ts'
import type { When } from './grammar.ts'
import type { Complain, Placed } from './placed.ts'

const KINDS = ['do', 'fault', 'clear', 'change', 'clock'] as const
const STEPS: Readonly<Record<string, readonly string[]>> = {
  poll: [],
  redeem: ['cardNumber', 'amount'],
  sale: ['sale'],
  inbound: ['path', 'query', 'body'],
  serve: [],
}

/** Reads one thing that is done; null when something in it is wrong, which is noted. */
export function readWhen(placed: Placed, complain: Complain): When | null {
  const fields = Fields.of(placed, `one of ${KINDS.join(', ')}, such as do: poll`, complain)
  if (!fields) return null
  const kinds = KINDS.filter((kind) => fields.has(kind))
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    fields.complain(
      `expected one of ${KINDS.join(', ')}, ${kinds.length > 1 ? `not ${kinds.join(' and ')}` : 'such as do: poll'}`,
    )
    return null
  }
  switch (kind) {
    case 'do':
      return readStep(fields)
    case 'fault':
      return readFault(fields)
    case 'clear':
      fields.only(['clear'])
      if (fields.textOr('clear', '') !== 'faults') fields.complain('clear must be faults', 'clear')
      return { kind }
    case 'change':
      return readChange(fields)
    case 'clock': {
      fields.only(['clock'])
      const byMs = fields.duration('clock')
      return byMs === undefined ? null : { kind, byMs }
    }
  }
}

function readStep(fields: Fields): When | null {
  const step = fields.textOr('do', '')
  const members = STEPS[step]
  if (!members) {
    fields.complain(`do must be ${Object.keys(STEPS).join(', ')}`, 'do')
    return null
  }
  fields.only(['do', ...members])
  switch (step) {
    case 'redeem': {
      const cardNumber = fields.text('cardNumber', 'GIFT1-00000100-AAAA')
      const amount = fields.number('amount', 'an amount in currency units above 0', (value) => value > 0)
      if (!fields.has('amount')) fields.complain('amount is missing: expected currency units, such as 25.50')
      return { kind: 'do', line: { do: 'redeem', cardNumber, amount: amount ?? 0 } }
    }
    case 'sale': {
      const sale = fields.map('sale')
      if (!fields.has('sale')) fields.complain('sale is missing: expected the body of POST /Sales')
      return { kind: 'do', line: { do: 'sale', sale } }
    }
    case 'inbound': {
      const path = fields.text('path', '/partners/sandbox-pos/giftcards/balance')
      return {
        kind: 'do',
        line: { do: 'inbound', path, query: fields.textOr('query', ''), body: fields.textOr('body', '') },
      }
    }
    case 'serve':
      return { kind: 'serve' }
    default:
      return { kind: 'do', line: { do: 'poll' } }
  }
}

const TOGGLES = ['reset', 'close', 'hang', 'malformed'] as const
const EFFECTS = ['status', 'latency', 'truncate', 'redirect', ...TOGGLES] as const

function readFault(fields: Fields): When | null {
  fields.only(['fault', ...EFFECTS, 'message', 'phase', 'next', 'nth'])
  const endpoint = fields.text('fault', 'GET /Bookings')
  const effect = readEffect(fields)
  const phase = fields.textOr('phase', '')
  if (!['', 'before', 'after'].includes(phase)) fields.complain('phase must be before or after', 'phase')
  if (!effect || endpoint === '') return null
  const [next, nth] = [fields.count('next'), fields.count('nth')]
  const fault: FaultSpecification = {
    endpoint,
    effect,
    ...(phase === 'before' || phase === 'after' ? { phase } : {}),
    ...(next === undefined ? {} : { next }),
    ...(nth === undefined ? {} : { nth }),
  }
  for (const problem of faultProblems(fault)) fields.complain(problem, 'fault')
  return { kind: 'fault', fault }
}

function readEffect(fields: Fields): FaultEffect | null {
  const effects = EFFECTS.filter((effect) => fields.has(effect))
  const [kind] = effects
  if (kind === undefined || effects.length > 1) {
    fields.complain(
      `a fault needs one of ${EFFECTS.join(', ')}${kind === undefined ? '' : `, not ${effects.join(' and ')}`}`,
    )
    return null
  }
  switch (kind) {
    case 'status': {
      const message = fields.textOr('message', '')
      return { kind, status: fields.count(kind) ?? 0, ...(message === '' ? {} : { message }) }
    }
    case 'latency':
      return { kind, ms: fields.duration(kind) ?? 0 }
    case 'truncate':
      return { kind, bytes: fields.count(kind) ?? 0 }
    case 'redirect':
      return { kind, url: fields.text(kind, 'http://127.0.0.1:9/') }
    default:
      if (fields.plain(kind) !== true) fields.complain(`${kind} must be true`, kind)
      return { kind }
  }
}

/** An endpoint of the service with a real path: `PATCH /Bookings/BK-1001/updatepax`. */
function readChange(fields: Fields): When | null {
  fields.only(['change', 'body'])
  const [method = '', path = ''] = fields.text('change', 'PATCH /Bookings/BK-1001/updatepax').split(/\s+/)
  const found = path.startsWith('/') ? findEndpoints(path.split('?')[0] ?? '') : []
  if (found.some(({ endpoint }) => endpoint.method === method))
    return { kind: 'change', method, path, body: fields.plain('body') }
  const near = Object.values(ENDPOINTS).filter((endpoint) => endpoint.method === method)
  if (fields.has('change'))
    fields.complain(
      `change must be an endpoint of the service, with its path filled in${near.length > 0 ? `, such as ${method} ${near[0]?.path}` : ': a method, then a path'}`,
      'change',
    )
  return null
}
