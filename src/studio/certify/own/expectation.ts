import { findNearest } from '../../../base/failure/nearest.ts'
import { type Fields, readKind } from '../../../base/json/located/fields.ts'
import type { Complain, LocatedValue } from '../../../base/json/located/located-yaml.ts'
import { parseJsonOrNull } from '../../../base/json/parse.ts'
import { ENDPOINTS } from '../../../contract/endpoints.ts'
import { findEndpoints } from '../../../contract/paths.ts'
import { matchesEndpoint, matchesRequest, readPattern } from '../../../sandbox/faults/pattern.ts'
import { parseCents } from '../../../sandbox/records/giftcards.ts'
import type { Bench } from '../bench/bench.ts'
import type { SeenRequest } from '../bench/wire.ts'
import type { ItemRun } from './when.ts'

/**
 * Checks an expectation after the item has been tested. Returns a description of the problem, or `null` if the
 * expectation is met.
 */
export type Expectation = (play: ItemRun) => string | null

/** Reads an expectation. If it is invalid, reports the problem and returns `null`. */
export function readExpectation(placed: LocatedValue, complain: Complain): Expectation | null {
  return readKind(placed, KINDS, 'exit: 0', complain)
}

const KINDS: Readonly<Record<string, (fields: Fields) => Expectation>> = {
  exit: readExit,
  request: readRequest,
  order: readOrder,
  wait: readWait,
  copy: (fields) => {
    fields.only(['copy', 'has'])
    const bookingId = fields.text('copy', 'BK-1001')
    const wanted = fields.map('has') ?? {}
    return ({ bench }) => {
      const line = bench.copy.get(bookingId)
      if (!line) return `the copy does not have booking ${bookingId}`
      if (includes(line, wanted)) return null
      return `booking ${bookingId} in the copy does not match ${JSON.stringify(wanted)}`
    }
  },
  card: readCard,
}

/** Reads the expected exit codes. A single code applies to every step. A list has one code for each step, in order. */
function readExit(fields: Fields): Expectation {
  fields.only(['exit'])
  const given = fields.plain('exit')
  const isCode = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256
  if (!isCode(given) && !(Array.isArray(given) && given.every(isCode)))
    fields.complain(
      'exit must be an exit code such as 0, or a list with one code for each step, such as [1, 0]',
      'exit',
    )
  return ({ codes }) => {
    const wanted: readonly unknown[] = Array.isArray(given) ? given : codes.map(() => given)
    const isSame = wanted.length === codes.length && wanted.every((code, at) => code === codes[at])
    return isSame ? null : `the steps must exit with ${wanted.join(', ')}, but exited with ${codes.join(', ')}`
  }
}

function readRequest(fields: Fields): Expectation {
  fields.only(['request', 'status', 'body', 'times', 'at-least', 'at-most'])
  const endpoint = checkEndpoint(fields.text('request', 'POST /GiftCards/redeem'), 'request', fields)
  const times = fields.count('times')
  if (times !== undefined && (fields.has('at-least') || fields.has('at-most')))
    fields.complain('times cannot be used together with at-least or at-most', 'times')
  const [least, most] = [fields.count('at-least'), fields.count('at-most')]
  const [status, body] = [fields.count('status'), fields.map('body')]
  const atLeast = times ?? least ?? (most === undefined ? 1 : 0)
  const atMost = times ?? most ?? Number.POSITIVE_INFINITY
  return ({ bench }) => {
    const found = requestsTo(bench, endpoint).filter(
      (seen) => (status === undefined || seen.status === status) && (!body || includes(bodyOf(seen), body)),
    ).length
    if (found >= atLeast && found <= atMost) return null
    return `the number of matching requests to ${endpoint} is ${found}, but must be ${rangeText(atLeast, atMost)}`
  }
}

/** Reads a list of endpoints that must be requested in the given order. Other requests may occur in between. */
function readOrder(fields: Fields): Expectation {
  fields.only(['order'])
  const endpoints = fields
    .list('order', 'endpoints, such as [GET /Bookings, POST /Sales]')
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  for (const endpoint of endpoints) checkEndpoint(endpoint, 'order', fields)
  return ({ bench }) => {
    let at = 0
    for (const seen of bench.wire.seen) if (at < endpoints.length && isTo(seen, endpoints[at] ?? '')) at += 1
    if (at === endpoints.length) return null
    return `the integration made no request to ${endpoints[at]}${at === 0 ? '' : ` after ${endpoints[at - 1]}`}`
  }
}

function readWait(fields: Fields): Expectation {
  fields.only(['wait', 'at-least'])
  const endpoint = checkEndpoint(fields.text('wait', 'GET /Bookings'), 'wait', fields)
  const atLeastMs = fields.duration('at-least') ?? 0
  fields.need('at-least', 'a duration, such as 400ms')
  return ({ bench }) => {
    const times = requestsTo(bench, endpoint).map(({ arrivedMs }) => arrivedMs)
    const waits = times.slice(1).map((at, index) => Math.round(at - (times[index] ?? at)))
    const short = waits.find((ms) => ms < atLeastMs)
    return short === undefined ? null : `two requests to ${endpoint} were only ${short} ms apart`
  }
}

function readCard(fields: Fields): Expectation {
  fields.only(['card', 'left'])
  const amount = 'an amount in currency units, such as 75.00'
  const given = fields.number('left', amount, (value) => value >= 0)
  fields.need('left', amount)
  const wantedCents = given === undefined || given === 0 ? 0 : parseCents(String(given))
  if (wantedCents === null) fields.complain('left must have at most two decimal places', 'left')
  const cardNumber = fields.text('card', 'GIFT1-00000100-AAAA')
  return ({ bench }) => {
    const { leftCents } = bench.venue.readCard(cardNumber)
    const [left, wanted] = [leftCents, wantedCents ?? 0].map((cents) => (cents / 100).toFixed(2))
    return leftCents === wantedCents ? null : `the balance of ${cardNumber} is ${left}, but must be ${wanted}`
  }
}

function checkEndpoint(text: string, name: string, fields: Fields): string {
  const pattern = readPattern(text)
  const all = Object.values(ENDPOINTS)
  if (text === '' || (pattern && all.some(({ method, path }) => matchesEndpoint(pattern, method, path)))) return text
  const known = all.map(({ method, path }) => `${method} ${path}`)
  const near = findNearest(text, known)
  const help = near === null ? 'pass an endpoint such as GET /GiftCards/{cardNumber}' : `did you mean ${near}?`
  fields.complain(`the service has no endpoint ${JSON.stringify(text)}; ${help}`, name)
  return text
}

function rangeText(least: number, most: number): string {
  if (least === most) return String(least)
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `${least} to ${most}`
}

function requestsTo(bench: Bench, endpoint: string): readonly SeenRequest[] {
  return bench.wire.seen.filter((seen) => isTo(seen, endpoint))
}

function isTo({ request: { method, url } }: SeenRequest, endpoint: string): boolean {
  const pattern = readPattern(endpoint)
  const found = findEndpoints(url.pathname).find((match) => match.endpoint.method === method)
  return pattern !== null && matchesRequest(pattern, method, found?.endpoint.path ?? url.pathname, url.pathname)
}

function bodyOf({ request: { body } }: SeenRequest): unknown {
  return parseJsonOrNull(Buffer.from(body ?? []).toString())
}

/** Returns whether a value contains all of the given members, whose names are dotted paths. */
function includes(value: unknown, members: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every(([path, wanted]) => {
    let found = value
    for (const name of path.split('.')) found = Object(found)[name]
    const isMap = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted)
    return isMap ? includes(found, wanted as Record<string, unknown>) : JSON.stringify(found) === JSON.stringify(wanted)
  })
}
