import fc from 'fast-check'
import { type Act, type Plan, sendAlone, sendAtOnce, weighted } from './acts/act.ts'
import { BOOKING_PLANS } from './acts/bookings.ts'
import { CARD_PLANS } from './acts/cards.ts'
import { CLOCK_ACTS, lookAtDeliveries } from './acts/clock.ts'
import { CUSTOMER_PLANS, SALE_PLANS, WEBHOOK_PLANS } from './acts/records.ts'
import { type ApiRequest, buildRequest, checkReply, VALID } from './exchange.ts'
import type { Rig } from './rig.ts'
import { EVENTS } from './rules/events.ts'
import type { Model } from './state.ts'

/**
 * A randomly generated test: the venue's settings, the events with a subscription, and the steps to perform.
 */
export interface History {
  readonly timezone: string
  readonly listsUnlinkedSales: boolean
  readonly limit: { readonly count: number } | null
  readonly events: readonly string[]
  readonly acts: Iterable<Act>
}

type Plans = Record<string, fc.Arbitrary<Plan>>

const oneOf = (plans: Plans) => fc.oneof(...Object.values(plans))
const alone = (plans: Plans) => oneOf(plans).map(sendAlone)

/** Sends requests at the same time: either different ones, or the same one twice, as an impatient client would. */
const atOnce = (plans: Plans): fc.Arbitrary<Act> =>
  fc.oneof(
    fc.array(oneOf(plans), { minLength: 2, maxLength: 3 }).map(sendAtOnce),
    oneOf(plans).map((plan) => sendAtOnce([plan, plan])),
  )

const { redeem, cancel, inboundRedeem } = CARD_PLANS
const { freeTables, walkIn, sitDown, stayLong, reserve, update, pax, status, tables, schedule, list } = BOOKING_PLANS
const { sell, sellAtTable, inboundEvent } = SALE_PLANS
const { subscribe, remove, update: change } = WEBHOOK_PLANS
const { unsubscribe } = CUSTOMER_PLANS
const clock = fc.oneof(CLOCK_ACTS.advance, CLOCK_ACTS.moveTo)
const { deliveries } = CLOCK_ACTS
const CARDS = { redeem, cancel, inboundRedeem }
const ARRIVALS = { walkIn, reserve }

/**
 * Themes for random tests. A theme repeats related steps so that they interact. A step that is listed several times is
 * drawn more often.
 */
const THEMES: readonly (readonly fc.Arbitrary<Act>[])[] = [
  // All endpoints.
  [
    ...[CARD_PLANS, ARRIVALS, BOOKING_PLANS, SALE_PLANS, CUSTOMER_PLANS, WEBHOOK_PLANS].map(alone),
    fc.oneof(clock, deliveries),
    atOnce({ redeem, cancel, sell, reserve, walkIn, pax, status, subscribe, unsubscribe }),
  ],
  // Gift cards.
  [...[CARDS, { redeem }, CARD_PLANS].map(alone), clock, atOnce(CARDS)],
  // An evening when parties compete for tables.
  [
    ...[ARRIVALS, { reserve }, { sitDown }, { stayLong }, { tables, status, update }, { tables }].map(alone),
    ...[BOOKING_PLANS, { schedule, list, freeTables }].map(alone),
    atOnce({ reserve, tables, status }),
  ],
  // A point-of-sale system.
  [
    ...[{ walkIn }, { sitDown }, { sell }, { sellAtTable }, { sell, inboundEvent, status }, SALE_PLANS].map(alone),
    clock,
    atOnce({ sell, inboundEvent }),
  ],
  // A webhook receiver.
  [
    ...[{ subscribe }, { remove, change }, WEBHOOK_PLANS, CARDS, { walkIn, pax, status, sell }].map(alone),
    ...[clock, deliveries],
  ],
  // Returning guests.
  [...[{ list }, { walkIn, reserve, update }, BOOKING_PLANS, CUSTOMER_PLANS, { unsubscribe }].map(alone), clock],
]

const MAX_ACTS = 44

export const HISTORY: fc.Arbitrary<History> = fc.record({
  timezone: fc.constantFrom('Australia/Sydney', 'Australia/Sydney', 'America/New_York', 'Asia/Kolkata'),
  listsUnlinkedSales: fc.boolean(),
  limit: weighted([8, fc.constant(null)], [1, fc.record({ count: fc.constantFrom(1, 1, 2, 4) })]),
  events: fc.subarray([...EVENTS]),
  acts: fc.oneof(...THEMES.map((acts) => fc.commands([...acts], { maxCommands: MAX_ACTS, size: 'max' }))),
})

/**
 * Performs the steps on a new sandbox and on its model, and then compares all data that can be read. Throws Difference
 * if the two differ.
 */
export async function play({ timezone, listsUnlinkedSales, limit, events, acts }: History, rig: Rig): Promise<void> {
  const model = await rig.begin(limit, { timezone, listsUnlinkedSales })
  for (const [at, event] of events.entries()) {
    const credentials = { securityKey: 'open-sesame', ...(at % 2 === 0 ? {} : { securityToken: 'token-1' }) }
    const body = { event, webhookUrl: `${rig.receiverOrigin}/ok`, ...credentials }
    await sendAndCheck({ endpoint: 'webhooks.create', body }, model, rig)
  }
  await fc.asyncModelRun(() => ({ model, real: rig }), acts)
  await checkEverything(model, rig)
}

const EVER = { from: '1990-01-01T00:00:00.000Z', to: '9000-01-01T00:00:00.000Z' }

/** Requests that together read all data. */
const FINAL_READS: readonly ApiRequest[] = [
  { endpoint: 'giftcards.list', query: { IncludeCancelled: 'true', IncludeRedeemed: 'true', IncludeExpired: 'true' } },
  { endpoint: 'bookings.list', query: { StartDate: EVER.from, EndDate: EVER.to, IncludeCustomerDetails: 'true' } },
  { endpoint: 'customers.list' },
  { endpoint: 'sales.list', query: { StartDate: EVER.from, EndDate: EVER.to } },
  { endpoint: 'webhooks.list' },
]

async function checkEverything(model: Model, rig: Rig): Promise<void> {
  rig.liftLimit(model)
  for (const apiRequest of FINAL_READS) await sendAndCheck(apiRequest, model, rig)
  await lookAtDeliveries(model, rig)
}

async function sendAndCheck(apiRequest: ApiRequest, model: Model, rig: Rig): Promise<void> {
  const httpRequest = buildRequest(apiRequest, VALID, rig.origin)
  checkReply(model, apiRequest, VALID, httpRequest, await rig.send(httpRequest))
}
