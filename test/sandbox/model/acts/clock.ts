import fc from 'fast-check'
import { BEGINNING, END, type Rig } from '../rig.ts'
import { checkArrivals, checkDeliveries, moveClock } from '../rules/time.ts'
import type { Model } from '../state.ts'
import { type Act, describedStep, nth } from './act.ts'
import { latestSale } from './records.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

async function move(model: Model, rig: Rig, to: number): Promise<void> {
  const at = Math.min(Math.max(to, BEGINNING - 300 * DAY), END)
  rig.arrivals()
  // Use advanceClock to move the clock forward, and setClock to move it back.
  if (at >= model.now) await rig.control('advanceClock', at - model.now)
  else await rig.control('setClock', at, true)
  moveClock(model, at)
  checkArrivals(model, rig.arrivals())
}

const FORWARDS = [1, SECOND, 10 * SECOND, MINUTE, HOUR, 3 * HOUR, DAY - 1, DAY, 3 * DAY, 400 * DAY, 1100 * DAY]
const BY = fc.constantFrom(...FORWARDS, -HOUR, -2 * DAY)

/** The moments just before, at and just after an event that depends on the clock. */
const TO = fc.record({
  what: fc.constantFrom('expiry', 'window', 'due', 'start'),
  nth: fc.nat(20),
  by: fc.constantFrom(-1, 0, 1),
})

function findTime(model: Model, what: string, at: number): number | undefined {
  switch (what) {
    case 'expiry':
      return nth(
        [...model.cards.values()].filter(({ status }) => status === 'Active'),
        at,
      )?.expires
    case 'window': {
      const sale = at % 2 === 0 ? latestSale(model) : nth(model.sales, at)
      return sale && sale.received + DAY
    }
    case 'due':
      return nth(
        model.deliveries.flatMap(({ due }) => due ?? []),
        at,
      )
    default:
      return nth(model.bookings, at)?.starts
  }
}

export const CLOCK_ACTS: Readonly<Record<'advance' | 'moveTo' | 'deliveries', fc.Arbitrary<Act>>> = {
  advance: BY.map((by) => describedStep(`clock by ${by} ms`, (model, rig) => move(model, rig, model.now + by))),
  moveTo: TO.map(({ what, nth: at, by }) =>
    describedStep(`clock to ${what} ${at} ${by}`, async (model, rig) => {
      const moment = findTime(model, what, at)
      // Skip moments that are years away, such as the start of a distant booking.
      if (moment !== undefined && Math.abs(moment - model.now) < 1200 * DAY) await move(model, rig, moment + by)
    }),
  ),
  deliveries: fc.constant(describedStep('deliveries', lookAtDeliveries)),
}

export async function lookAtDeliveries(model: Model, rig: Rig): Promise<void> {
  checkDeliveries(model, (await rig.control('listDeliveries')) as Record<string, unknown>[])
}
