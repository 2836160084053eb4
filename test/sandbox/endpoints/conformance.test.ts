import { expect } from 'vitest'
import * as zod from 'zod'
import type { DocumentedFailure, Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointId } from '../../../src/contract/endpoints.ts'
import { WEBHOOK_EVENTS } from '../../../src/contract/events.ts'
import { COMMON_FAILURES } from '../../../src/contract/failures.ts'
import type { getGiftCard } from '../../../src/contract/giftcards.ts'
import { problemDetails } from '../../../src/contract/shapes/problem.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import type { Handler } from '../../../src/sandbox/endpoints/handler.ts'
import { findBooking } from '../../../src/sandbox/records/bookings.ts'
import { freshSandbox, test } from '../fresh-sandbox.ts'
import { goodCall, perform, SUBSCRIBED } from './good-calls.ts'

const ALL = Object.entries(ENDPOINTS) as [EndpointId, Endpoint][]

test.for(ALL)('%s answers a good call as documented', async ([id, endpoint], { sandbox, send }) => {
  const reply = await perform(send, sandbox, endpoint, await goodCall(id, send))
  const shape = endpoint.responses[reply.status]
  expect(shape, `${reply.status} ${reply.text.slice(0, 200)}`).toBeDefined()
  expect(shape?.(zod).safeParse(reply.body).error).toBeUndefined()
})

test.each(ALL)('%s gives each of its documented failures, in its words and body shape', async (id, endpoint) => {
  const { sandbox, send } = await freshSandbox({ background: true })
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  const failures: readonly DocumentedFailure[] = Object.values({ ...COMMON_FAILURES, ...endpoint.failures })
  const call = await goodCall(id, send)
  for (const failure of failures) {
    const { status, message } = failure
    const pattern = `${endpoint.method} ${endpoint.path}`
    await control.addFault({ endpoint: pattern, effect: { kind: 'status', status, message }, next: 1 })
    const reply = await perform(send, sandbox, endpoint, call)
    expect(reply.status).toBe(status)
    const isProblem = failure.body === 'problem'
    if (isProblem) expect(problemDetails(zod).safeParse(reply.body).error).toBeUndefined()
    else expect(Object.keys(reply.body)).toEqual(['message'])
    expect(reply.body[isProblem ? 'detail' : 'message']).toMatch(wordsOf(message))
    await control.clearFaults()
  }
})

/** The words of a message, with the values of the request in it, or without those that the request does not have. */
function wordsOf(message: string): RegExp {
  const parts = message.split(/ ?'\{\w+\}'| ?\{\w+\}/).map((part) => part.trim().replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^{}]*')}$`)
}

test.each(ALL)('%s sends the event that its contract says it causes, and no other', async (id, endpoint) => {
  const { sandbox, send } = await freshSandbox({ background: true })
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  const call = await goodCall(id, send)
  for (const event of WEBHOOK_EVENTS) await send('POST', '/Webhooks', { ...SUBSCRIBED, event })
  await perform(send, sandbox, endpoint, call)
  expect((await control.listDeliveries()).map(({ event }) => event)).toEqual(endpoint.causes ? [endpoint.causes] : [])
})

test('a handler only finds the records that its endpoint touches, and only announces the event that it causes', () => {
  const looking: Handler<typeof getGiftCard> = ({ store, announce }) => {
    // @ts-expect-error: a gift card has no bookings
    findBooking(store, '1')
    // @ts-expect-error: a read causes nothing
    announce('1')
    return { status: 200 }
  }
  expect(typeof looking).toBe('function')
})

test('a handler cannot refuse with what its endpoint does not document, nor answer with another status', () => {
  const refusing: Handler<typeof getGiftCard> = ({ refuse }) => {
    // @ts-expect-error: a sale can be a duplicate, a gift card cannot
    throw refuse('duplicate')
  }
  // @ts-expect-error: 201 is no documented answer of a read
  const answering: Handler<typeof getGiftCard> = () => ({ status: 201 })
  expect([typeof refusing, typeof answering]).toEqual(['function', 'function'])
})
