import { parseJsonOrNull } from '../../../base/json/parse.ts'
import { findEndpoints } from '../../../contract/paths.ts'
import { passThrough } from '../../../sandbox/clock/moving.ts'
import { matchesRequest, readPattern } from '../../../sandbox/faults/pattern.ts'
import type { Bench } from '../bench/bench.ts'
import { Receiver } from '../bench/receiver.ts'
import type { Seen } from '../bench/wire.ts'
import type { Item } from '../item.ts'
import type { Expectation, OwnItem, When } from './grammar.ts'

/** An item of a file, as one of the checklist. */
export function asItem({ id, name, mend, when, expect }: OwnItem): Item {
  return {
    id,
    name,
    mend,
    check: async (open) => {
      const bench = await open()
      const codes = await play(bench, when)
      for (const expectation of expect) {
        const problem = problemOf(expectation, bench, codes)
        if (problem !== null) bench.finding(problem)
      }
    },
  }
}

/** Does what is to be done, and returns the exit codes of the steps; null for one that a signal ended. */
async function play(bench: Bench, when: readonly When[]): Promise<readonly (number | null)[]> {
  const codes: (number | null)[] = []
  let receiver: Receiver | null = null
  for (const one of when) {
    switch (one.kind) {
      case 'do':
        codes.push((await bench.step(one.line)).code)
        break
      case 'serve':
        receiver = await Receiver.start(bench)
        break
      case 'fault':
        bench.state.settings().faults.add(one.fault)
        bench.note('change', `fault: ${one.fault.effect.kind} at ${one.fault.endpoint}`)
        break
      case 'clear':
        bench.state.settings().faults.clear()
        bench.note('change', 'faults are cleared')
        break
      case 'change':
        await change(bench, one)
        break
      case 'clock': {
        const moved = await passThrough(bench.state, one.byMs)
        bench.state.changeClock((clock) => clock.advance(one.byMs - moved))
        bench.note('change', "the venue's clock is moved on")
        break
      }
    }
    if (receiver === null) continue
    await receiver.deliver()
    await bench.quiet()
  }
  await receiver?.stop()
  return codes
}

/** A change that the service refuses is a mistake of the file. */
async function change(bench: Bench, { method, path, body }: Extract<When, { kind: 'change' }>): Promise<void> {
  try {
    await bench.venue.ask(method, path, body)
    bench.note('change', `${method} ${path}`)
  } catch (error) {
    bench.finding(`the change of the item is not possible: ${error instanceof Error ? error.message : error}`)
  }
}

/** What is not as expected; null when it is. */
function problemOf(expected: Expectation, bench: Bench, codes: readonly (number | null)[]): string | null {
  switch (expected.kind) {
    case 'exit': {
      const wanted = typeof expected.codes === 'number' ? codes.map(() => expected.codes) : expected.codes
      const isSame = wanted.length === codes.length && wanted.every((code, at) => code === codes[at])
      return isSame ? null : `the steps must end with exit ${wanted.join(', ')}, and ended with ${codes.join(', ')}`
    }
    case 'request': {
      const { endpoint, status, body, atLeast, atMost } = expected
      const found = requestsTo(bench, endpoint).filter(
        (seen) => (status === null || seen.status === status) && (body === null || includes(bodyOf(seen), body)),
      ).length
      if (found >= atLeast && found <= atMost) return null
      return `${found} such requests came: ${endpoint}, where ${rangeText(atLeast, atMost)} must come`
    }
    case 'order':
      return orderProblem(bench, expected.endpoints)
    case 'wait': {
      const times = requestsTo(bench, expected.endpoint).map(({ arrivedMs }) => arrivedMs)
      const waits = times.slice(1).map((at, index) => Math.round(at - (times[index] ?? at)))
      const short = waits.find((ms) => ms < expected.atLeastMs)
      return short === undefined ? null : `two requests to ${expected.endpoint} came ${short} ms after each other`
    }
    case 'copy': {
      const line = bench.copy.get(expected.bookingId)
      if (!line) return `the copy does not have booking ${expected.bookingId}`
      return includes(line, expected.has)
        ? null
        : `the copy of booking ${expected.bookingId} does not have ${JSON.stringify(expected.has)}`
    }
    case 'card': {
      const { leftCents } = bench.venue.readCard(expected.cardNumber)
      const [left, wanted] = [leftCents, expected.leftCents].map((cents) => (cents / 100).toFixed(2))
      return leftCents === expected.leftCents ? null : `${left} is left on ${expected.cardNumber}, not ${wanted}`
    }
  }
}

function orderProblem(bench: Bench, endpoints: readonly string[]): string | null {
  let at = 0
  for (const seen of bench.wire.seen) if (at < endpoints.length && isTo(seen, endpoints[at] ?? '')) at += 1
  return at === endpoints.length
    ? null
    : `${endpoints[at]} did not come ${at === 0 ? '' : `after ${endpoints[at - 1]}`}`.trimEnd()
}

function rangeText(least: number, most: number): string {
  if (least === most) return String(least)
  return most === Number.POSITIVE_INFINITY
    ? `at least ${least}`
    : least === 0
      ? `at most ${most}`
      : `${least} to ${most}`
}

function requestsTo(bench: Bench, endpoint: string): readonly Seen[] {
  return bench.wire.seen.filter((seen) => isTo(seen, endpoint))
}

function isTo({ request: { method, url } }: Seen, endpoint: string): boolean {
  const pattern = readPattern(endpoint)
  const found = findEndpoints(url.pathname).find((match) => match.endpoint.method === method)
  return pattern !== null && matchesRequest(pattern, method, found?.endpoint.path ?? url.pathname, url.pathname)
}

function bodyOf({ request: { body } }: Seen): unknown {
  return parseJsonOrNull(Buffer.from(body ?? []).toString())
}

/** True when a value has all of these members, by their dotted paths. */
function includes(value: unknown, members: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every(([path, wanted]) => {
    let found = value
    for (const name of path.split('.')) found = Object(found)[name]
    const isMap = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted)
    return isMap ? includes(found, wanted as Record<string, unknown>) : JSON.stringify(found) === JSON.stringify(wanted)
  })
}
