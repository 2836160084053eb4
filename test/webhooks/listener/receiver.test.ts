import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ANSWER_TIMEOUT_MS } from '../../../src/contract/events.ts'
import { Mark } from '../../../src/webhooks/listener/mark.ts'
import { type Accepted, openReceiver } from '../../../src/webhooks/listener/receiver.ts'
import { bookingEvent } from './listening.ts'

test('the time spent storing a delivery is deducted from the time allowed for handling it', async () => {
  let keptFrom = 0
  const accepted: Accepted[] = []
  const receive = openReceiver({
    ...{
      path: null,
      required: [],
      allowedOrigins: [],
      keptHeaders: [],
      mark: new Mark(),
      maxDeliveries: null,
      now: Date.now,
    },
    store: {
      words: 'a slow one',
      add: async () => {
        keptFrom = performance.now()
        await delay(50)
        return 'new'
      },
      close: async () => undefined,
    },
    handle: async (one) => {
      accepted.push(one)
      return 200
    },
    onAnswered: () => undefined,
    onRefused: () => undefined,
  })
  const body = Buffer.from(bookingEvent('BOOKING_UPDATED'))
  const url = new URL('http://127.0.0.1/')
  expect(await receive({ method: 'POST', url, headers: {}, body })).toMatchObject({ status: 200 })
  expect(accepted[0]?.answerBy).toBeGreaterThan(keptFrom)
  expect(accepted[0]?.answerBy).toBeLessThan(keptFrom + ANSWER_TIMEOUT_MS)
})
