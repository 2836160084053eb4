import { expect } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointId } from '../../../src/contract/endpoints.ts'
import type { SandboxFacts } from '../../../src/sandbox/facts.ts'
import { readSnapshot } from '../../../src/sandbox/snapshot/read.ts'
import type { Sandbox } from '../../../src/studio/start.ts'
import { goodCall, perform } from '../endpoints/good-calls.ts'
import { freeTime, freshSandbox, GUEST, type Send, senderTo } from '../fresh-sandbox.ts'

type Answered = { readonly call: string; readonly status: number; readonly text: string }

/** Starts a sandbox from a snapshot for the duration of the current test. */
export async function startFromSnapshot(text: string, data = ':memory:'): Promise<Sandbox> {
  return (await freshSandbox({ data, fill: readSnapshot(text, 'a test').fill })).sandbox
}

/** Sends every kind of read request. If `every` is n, requests only every nth booking individually. */
export async function readEverything(send: Send, every = 1): Promise<Answered[]> {
  const answers: Answered[] = []
  const read = async (path: string) => {
    const { status, text, body } = await send('GET', path)
    answers.push({ call: path, status, text })
    return body
  }
  const ever = 'StartDate=1990-01-01T00:00:00.000Z&EndDate=2090-01-01T00:00:00.000Z'
  const { bookings } = await read(`/Bookings?${ever}&IncludeCustomerDetails=true`)
  await read(
    `/Bookings?${ever.replaceAll(/(Start|End)Date/g, (_all, end) => `Updated${end === 'Start' ? 'From' : 'To'}Date`)}`,
  )
  for (const [at, { bookingId }] of bookings.entries()) if (at % every === 0) await read(`/Bookings/${bookingId}`)
  for (const sort of ['asc', 'desc']) await read(`/Customers?Limit=100000&Sort=${sort}`)
  await read(`/Sales?${ever}&Limit=100000`)
  const cards = await read('/GiftCards?IncludeCancelled=true&IncludeRedeemed=true&IncludeExpired=true&Limit=100000')
  for (const { cardNumber } of cards.items) await read(`/GiftCards/${cardNumber}`)
  const days = new Set<string>(bookings.map((one: { bookingTime: string }) => one.bookingTime.slice(0, 10)))
  for (const day of [...days].slice(0, 10)) {
    await read(`/Bookings/schedule?BookingDateTimeStart=${day}T00:00:00.000Z&NumOfPeople=2`)
    await read(`/Bookings/tables?Date=${day}`)
  }
  for (const path of ['/Bookings/BK-LOST', '/Bookings/BK-OTHER', '/Webhooks', '/Resources/booking-statuses'])
    await read(path)
  return answers
}

/**
 * Sends a valid request to each endpoint. If the venue has no suitable record for a request, the result is an error
 * message. `now` is the venue's time.
 */
export async function performConformance(sandbox: SandboxFacts, now: number): Promise<Answered[]> {
  const send = senderTo(sandbox)
  const answers: Answered[] = []
  for (const [id, endpoint] of Object.entries(ENDPOINTS) as [EndpointId, Endpoint][]) {
    const answer = async () => {
      if (id !== 'reservations.create') return perform(send, sandbox, endpoint, await goodCall(id, send))
      const body = { numOfPeople: 2, ...(await freeTime(send, 2, 'svc-dinner', now)), customer: GUEST }
      return perform(send, sandbox, endpoint, { path: '/Reservations', body })
    }
    const { status, text } = await answer().catch((error: Error) => ({ status: 0, text: error.message }))
    answers.push({ call: id, status, text })
  }
  return answers
}

/**
 * Replaces random IDs with numbers in order of appearance. Replaces each booking reference, which is the end of a
 * random ID, with a constant.
 */
function normalizeIds(answers: readonly Answered[]): Answered[] {
  const made = new Map<string, string>()
  const known = (text: string) =>
    text
      .replace(/\b(?!5f1d7a3e)[0-9a-f]{24}\b/g, (id) => {
        made.set(id, made.get(id) ?? `made-${made.size + 1}-at-${id.slice(0, 8)}`)
        return made.get(id) ?? id
      })
      .replace(/("bookingRef":")[0-9A-F]{6}"/g, '$1end of the ID"')
  return answers.map(({ call, status, text }) => ({ call: known(call), status, text: known(text) }))
}

export function expectSameText(one: string, other: string): void {
  const [these, those] = [one.split('\n'), other.split('\n')]
  const at = these.findIndex((line, index) => line !== those[index])
  expect([at, those[at]]).toEqual([at, these[at]])
  expect(those.length).toBe(these.length)
}

export function expectSame(first: readonly Answered[], second: readonly Answered[]): void {
  const [these, those] = [normalizeIds(first), normalizeIds(second)]
  expect(those.map(({ call }) => call)).toEqual(these.map(({ call }) => call))
  for (const [at, { call, status, text }] of these.entries())
    expect(`${call} ${those[at]?.status} ${those[at]?.text}`).toBe(`${call} ${status} ${text}`)
}
