import { type Fields, readKind } from '../../../base/json/located/fields.ts'
import type { Complain, LocatedValue } from '../../../base/json/located/located-yaml.ts'
import { ENDPOINTS } from '../../../contract/endpoints.ts'
import { findEndpoints } from '../../../contract/paths.ts'
import { advanceStepwise } from '../../../sandbox/clock/advance.ts'
import { findFaultProblems } from '../../../sandbox/faults/check.ts'
import type { FaultEffect, FaultSpecification } from '../../../sandbox/faults/fault.ts'
import type { Bench } from '../bench/bench.ts'
import type { StepLine } from '../bench/child.ts'
import { type Receiver, startReceiver } from '../bench/receiver.ts'

/** The state of an item while it is being tested. */
export interface ItemRun {
  readonly bench: Bench
  /** The exit code of each step so far, or `null` if a signal killed the step. */
  readonly codes: (number | null)[]
  /** The integration's running server, or `null` if it has not been started. */
  receiver: Receiver | null
}

export type Act = (play: ItemRun) => unknown

/** Reads an action. If it is invalid, reports the problem and returns `null`. */
export function readWhen(placed: LocatedValue, complain: Complain): Act | null {
  return readKind(placed, KINDS, 'do: poll', complain)
}

const KINDS: Readonly<Record<string, (fields: Fields) => Act | null>> = {
  do: readStep,
  fault: readFault,
  clear: (fields) => {
    fields.only(['clear'])
    if (fields.optionalText('clear') !== 'faults') fields.complain('clear must be faults', 'clear')
    return ({ bench }) => {
      bench.state.settings().faults.clear()
      bench.note('change', 'all faults are cleared')
    }
  },
  change: readChange,
  clock: (fields) => {
    fields.only(['clock'])
    const byMs = fields.duration('clock') ?? 0
    return async ({ bench }) => {
      const moved = await advanceStepwise(bench.state, byMs)
      bench.state.changeClock((clock) => clock.advance(byMs - moved))
      bench.note('change', "the venue's clock is advanced")
    }
  },
}

/**
 * The steps, each with its allowed members and a function that returns its input line. For `serve`, the function
 * returns `null`, because the line is created when the server starts.
 */
const STEPS: Readonly<Record<string, readonly [members: readonly string[], (fields: Fields) => StepLine | null]>> = {
  poll: [[], () => ({ do: 'poll' })],
  redeem: [
    ['cardNumber', 'amount'],
    (fields) => {
      const cardNumber = fields.text('cardNumber', 'GIFT1-00000100-AAAA')
      const amount = fields.number('amount', 'an amount in currency units, greater than 0', (value) => value > 0)
      fields.need('amount', 'currency units, such as 25.50')
      return { do: 'redeem', cardNumber, amount: amount ?? 0 }
    },
  ],
  sale: [
    ['sale'],
    (fields) => {
      fields.need('sale', 'the body of POST /Sales')
      return { do: 'sale', sale: fields.map('sale') }
    },
  ],
  inbound: [
    ['path', 'query', 'body'],
    (fields) => {
      const path = fields.text('path', '/partners/sandbox-pos/giftcards/balance')
      return { do: 'inbound', path, query: fields.optionalText('query'), body: fields.optionalText('body') }
    },
  ],
  serve: [[], () => null],
}

function readStep(fields: Fields): Act | null {
  const step = STEPS[fields.optionalText('do')]
  if (!step) {
    fields.complain(`do must be ${Object.keys(STEPS).join(', ')}`, 'do')
    return null
  }
  const [members, read] = step
  fields.only(['do', ...members])
  const line = read(fields)
  return async (play) => {
    if (line === null) play.receiver = await startReceiver(play.bench)
    else play.codes.push((await play.bench.step(line)).code)
  }
}

const EFFECTS: Readonly<Record<string, (fields: Fields) => FaultEffect>> = {
  status: (fields) => {
    const message = fields.optionalText('message') || undefined
    return { kind: 'status', status: fields.count('status') ?? 0, message }
  },
  latency: (fields) => ({ kind: 'latency', ms: fields.duration('latency') ?? 0 }),
  truncate: (fields) => ({ kind: 'truncate', bytes: fields.count('truncate') ?? 0 }),
  redirect: (fields) => ({ kind: 'redirect', url: fields.text('redirect', 'http://127.0.0.1:9/') }),
  reset: toggle('reset'),
  close: toggle('close'),
  hang: toggle('hang'),
  malformed: toggle('malformed'),
}

function toggle(kind: 'reset' | 'close' | 'hang' | 'malformed') {
  return (fields: Fields): FaultEffect => {
    if (fields.plain(kind) !== true) fields.complain(`${kind} must be true`, kind)
    return { kind }
  }
}

function readFault(fields: Fields): Act | null {
  const kinds = Object.keys(EFFECTS)
  fields.only(['fault', ...kinds, 'message', 'phase', 'next', 'nth'])
  const endpoint = fields.text('fault', 'GET /Bookings')
  const given = kinds.filter((kind) => fields.has(kind))
  const not = given.length === 0 ? '' : `, not ${given.join(' and ')}`
  if (given.length !== 1) fields.complain(`a fault needs one of ${kinds.join(', ')}${not}`)
  const effect = given.length === 1 ? EFFECTS[given[0] ?? '']?.(fields) : undefined
  const phase = fields.optionalText('phase')
  if (!['', 'before', 'after'].includes(phase)) fields.complain('phase must be before or after', 'phase')
  if (!effect || endpoint === '') return null
  const known = phase === 'before' || phase === 'after' ? phase : undefined
  const [next, nth] = [fields.count('next'), fields.count('nth')]
  const fault: FaultSpecification = { endpoint, effect, phase: known, next, nth }
  for (const problem of findFaultProblems(fault)) fields.complain(problem, 'fault')
  return ({ bench }) => {
    bench.state.settings().faults.add(fault)
    bench.note('change', `fault: ${effect.kind} at ${endpoint}`)
  }
}

/** Reads an endpoint with its path parameters filled in, such as `PATCH /Bookings/BK-1001/updatepax`. */
function readChange(fields: Fields): Act | null {
  fields.only(['change', 'body'])
  const [method = '', path = ''] = fields.text('change', 'PATCH /Bookings/BK-1001/updatepax').split(/\s+/)
  const found = path.startsWith('/') ? findEndpoints(path.split('?')[0] ?? '') : []
  if (found.some(({ endpoint }) => endpoint.method === method)) {
    const body = fields.plain('body') as object | undefined
    return ({ bench }) => change(bench, method, path, body)
  }
  const near = Object.values(ENDPOINTS).find((endpoint) => endpoint.method === method)
  const such = near ? `, such as ${method} ${near.path}` : ': a method followed by a path'
  if (fields.has('change'))
    fields.complain(`change must be an endpoint of the service, with its path parameters filled in${such}`, 'change')
  return null
}

/**
 * Makes a change at the venue. If the service rejects it, records a finding, because the file describes a change that
 * cannot be made.
 */
async function change(bench: Bench, method: string, path: string, body: object | undefined): Promise<void> {
  try {
    await bench.venue.request(method, path, body)
    bench.note('change', `${method} ${path}`)
  } catch (error) {
    bench.finding(`the change cannot be made: ${error instanceof Error ? error.message : error}`)
  }
}
