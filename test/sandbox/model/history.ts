import fc from 'fast-check'
import { type Act, Alone, AtOnce } from './acts/act.ts'
import { BOOKING_PLANS } from './acts/bookings.ts'
import { CARD_PLANS } from './acts/cards.ts'
import { CLOCK_ACTS, lookAtDeliveries } from './acts/clock.ts'
import { CUSTOMER_PLANS, SALE_PLANS, WEBHOOK_PLANS } from './acts/records.ts'
import { ask, hold, RIGHT, type Want } from './exchange.ts'
import type { Rig } from './rig.ts'
import type { Model } from './state.ts'

/** What a history is made of: how often each endpoint may be asked, and its steps. */
export interface History {
  readonly limit: { readonly count: number } | null
  readonly acts: Iterable<Act>
}

const MOST_ACTS = 40

const alone = (plans: readonly fc.Arbitrary<ConstructorParameters<typeof Alone>[0]>[]) =>
  fc.oneof(...plans).map((plan) => new Alone(plan))

const { redeem, cancel } = CARD_PLANS
const { walkIn, reserve, update, pax, status, tables } = BOOKING_PLANS
const { sell } = SALE_PLANS
const { subscribe } = WEBHOOK_PLANS

const atOnce = fc
  .array(fc.oneof(redeem, redeem, cancel, sell, reserve, walkIn, pax, status, subscribe), {
    minLength: 2,
    maxLength: 3,
  })
  .map((plans) => new AtOnce(plans))

/** Changes come more often than looks, and more bookings are made than anything else: most of the rest is about one. */
const ACTS: readonly fc.Arbitrary<Act>[] = [
  alone([redeem]),
  alone([redeem, cancel, CARD_PLANS.inboundRedeem]),
  alone([CARD_PLANS.get, CARD_PLANS.list, CARD_PLANS.inboundBalance]),
  alone([walkIn]),
  alone([walkIn, reserve]),
  alone([reserve]),
  alone([update, pax, status]),
  alone([status, tables]),
  alone([
    BOOKING_PLANS.get,
    BOOKING_PLANS.list,
    BOOKING_PLANS.schedule,
    BOOKING_PLANS.freeTables,
    BOOKING_PLANS.statuses,
  ]),
  alone([BOOKING_PLANS.list, BOOKING_PLANS.schedule]),
  alone([sell]),
  alone([sell, SALE_PLANS.list, SALE_PLANS.inboundEvent]),
  alone([CUSTOMER_PLANS.list, CUSTOMER_PLANS.unsubscribe]),
  alone([subscribe]),
  alone([subscribe, WEBHOOK_PLANS.update, WEBHOOK_PLANS.get, WEBHOOK_PLANS.list, WEBHOOK_PLANS.remove]),
  fc.oneof(CLOCK_ACTS.advance, CLOCK_ACTS.moveTo),
  fc.oneof(CLOCK_ACTS.advance, CLOCK_ACTS.moveTo, CLOCK_ACTS.deliveries),
  atOnce,
]

/** Draws histories. `replayPath` is what fast-check says of one that it made shorter. */
export const HISTORY: fc.Arbitrary<History> = fc.record({
  limit: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ count: fc.constantFrom(2, 4) }) },
  ),
  acts: fc.commands([...ACTS], { maxCommands: MOST_ACTS, size: 'max' }),
})

/** Plays a history on a new sandbox and on its model, and looks at everything in the end. Fails: Difference. */
export async function play({ limit, acts }: History, rig: Rig): Promise<void> {
  const model = await rig.begin(limit)
  await fc.asyncModelRun(() => ({ model, real: rig }), acts)
  await lookAround(model, rig)
}

const EVER = { from: '1990-01-01T00:00:00.000Z', to: '9000-01-01T00:00:00.000Z' }

/** Everything that can be read, so that no change stays unseen. */
const LOOKS: readonly Want[] = [
  { endpoint: 'giftcards.list', query: { IncludeCancelled: 'true', IncludeRedeemed: 'true', IncludeExpired: 'true' } },
  { endpoint: 'bookings.list', query: { StartDate: EVER.from, EndDate: EVER.to, IncludeCustomerDetails: 'true' } },
  { endpoint: 'customers.list' },
  { endpoint: 'sales.list', query: { StartDate: EVER.from, EndDate: EVER.to } },
  { endpoint: 'webhooks.list' },
]

async function lookAround(model: Model, rig: Rig): Promise<void> {
  rig.lift(model)
  for (const want of LOOKS) {
    const asked = ask(want, RIGHT, rig.origin)
    hold(model, want, RIGHT, asked, await rig.send(asked))
  }
  await lookAtDeliveries(model, rig)
}
