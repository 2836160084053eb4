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

test.for(ALL)('%s responds to a valid call as documented', async ([id, endpoint], { sandbox, send }) => {
  const reply = await perform(send, sandbox, endpoint, await goodCall(id, send))
  const shape = endpoint.responses[reply.status]
  expect(shape, `${reply.status} ${reply.text.slice(0, 200)}`).toBeDefined()
  expect(shape?.(zod).safeParse(reply.body).error).toBeUndefined()
})

test.each(ALL)(
  '%s can return each of its documented errors with the documented message and members',
  async (id, endpoint) => {
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
      expect(reply.body[isProblem ? 'detail' : 'message']).toMatch(patternOf(message))
      await control.clearFaults()
    }
  },
)

/** Returns a pattern for a message. Each placeholder in the message matches a value from the request, or nothing. */
function patternOf(message: string): RegExp {
  const parts = message.split(/ ?'\{\w+\}'| ?\{\w+\}/).map((part) => part.trim().replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^{}]*')}$`)
}

test.each(ALL)('%s sends no event except the one that its contract declares', async (id, endpoint) => {
  const { sandbox, send } = await freshSandbox({ background: true })
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  const call = await goodCall(id, send)
  for (const event of WEBHOOK_EVENTS) await send('POST', '/Webhooks', { ...SUBSCRIBED, event })
  await perform(send, sandbox, endpoint, call)
  expect((await control.listDeliveries()).map(({ event }) => event)).toEqual(endpoint.causes ? [endpoint.causes] : [])
})

test('a handler compiles only if it uses the records and sends the event that its endpoint declares', () => {
  const reading: Handler<typeof getGiftCard> = ({ store, announce }) => {
    // @ts-expect-error: the gift card endpoint does not touch bookings
    findBooking(store, '1')
    // @ts-expect-error: a read request does not send an event
    announce('1')
    return { status: 200 }
  }
  expect(typeof reading).toBe('function')
})

test('a handler compiles only if it returns failures and statuses that its endpoint documents', () => {
  const rejecting: Handler<typeof getGiftCard> = ({ refuse }) => {
    // @ts-expect-error: only sales can be duplicates
    throw refuse('duplicate')
  }
  // @ts-expect-error: this endpoint does not document the status 201
  const responding: Handler<typeof getGiftCard> = () => ({ status: 201 })
  expect([typeof rejecting, typeof responding]).toEqual(['function', 'function'])
})
