import { drawBoolean } from '../../../sandbox/seed/random.ts'
import { MINUTE } from '../../../sandbox/venue/time.ts'
import { presentBill } from './bill.ts'
import { drawMinutes, findTable, formatBookingTime, type Party, type Stage, setStatus } from './stage.ts'

/** Plans what a party with a booking does: cancel, fail to show up, or arrive early, on time or late. */
export function expectParty(stage: Stage, party: Party): void {
  const { random, starts } = party
  const fate = random()
  if (fate < 0.07) {
    planBefore(stage, party, () => setStatus(stage, party, 'CANCELLED'))
    return
  }
  planCalls(stage, party)
  if (fate < 0.15) {
    stage.agenda.plan(starts + drawMinutes(random, 20, 45), () => setStatus(stage, party, 'NOSHOW'))
    return
  }
  const [early, late] = [fate < 0.35, fate > 0.78]
  const delay = early ? -drawMinutes(random, 5, 20) : late ? drawMinutes(random, 10, 35) : drawMinutes(random, -3, 7)
  stage.agenda.plan(starts + delay, async () => {
    // If the party has postponed its booking, delay its arrival by the same amount.
    const later = party.starts - starts
    if (later === 0) await arrive(stage, party, early, late)
    else stage.agenda.plan(stage.now() + later, () => arrive(stage, party, early, late))
  })
}

function planCalls(stage: Stage, party: Party): void {
  const { random } = party
  if (drawBoolean(random, 0.3)) planBefore(stage, party, () => setStatus(stage, party, 'CONFIRMED'))
  if (drawBoolean(random, 0.1)) planBefore(stage, party, () => resize(stage, party))
  if (drawBoolean(random, 0.07))
    planBefore(stage, party, async () => {
      party.starts += 30 * MINUTE
      const { bookingId, starts } = party
      const change = { bookingId, bookingTimeAsUtc: formatBookingTime(starts), notes: 'Half an hour later, please' }
      await stage.send('POST', '/Bookings/UpdateBookingAsync', change)
    })
}

/**
 * Plans a phone call by a party, between 40 minutes and 5 hours before its booking. Plans nothing if that time has
 * already passed.
 */
function planBefore(stage: Stage, { starts, random }: Party, call: () => Promise<void>): void {
  const at = starts - drawMinutes(random, 40, 300)
  if (at > stage.now()) stage.agenda.plan(at, call)
}

async function arrive(stage: Stage, party: Party, early: boolean, late: boolean): Promise<void> {
  const { tally, agenda } = stage
  const { random } = party
  tally.arrived++
  if (early) tally.early++
  if (late) tally.late++
  await setStatus(stage, party, 'ARRIVED')
  if (drawBoolean(random, 0.12)) agenda.plan(stage.now() + drawMinutes(random, 0, 2), () => resize(stage, party))
  agenda.plan(stage.now() + drawMinutes(random, 2, 14), async () => {
    await setStatus(stage, party, 'SEATED')
    dine(stage, party)
  })
}

/** Plans a party's meal: possibly a move to another table, possibly dessert, and then the bill. */
export function dine(stage: Stage, party: Party): void {
  const { agenda, dessert } = stage
  const { random, duration } = party
  const sat = stage.now()
  if (drawBoolean(random, 0.15)) agenda.plan(sat + drawMinutes(random, 4, 25), () => moveTable(stage, party))
  if (dessert !== null && drawBoolean(random, 0.35))
    agenda.plan(sat + duration * 0.65 * MINUTE + drawMinutes(random, 0, 8), () => setStatus(stage, party, dessert))
  const asks = sat + Math.floor(duration * 0.85) * MINUTE + drawMinutes(random, -10, 12)
  agenda.plan(Math.max(asks, sat + MINUTE), () => presentBill(stage, party, sat))
}

async function resize(stage: Stage, party: Party): Promise<void> {
  const more = drawBoolean(party.random, 0.5) ? 1 : -1
  party.people = Math.max(1, party.people + more)
  await stage.send('PATCH', `/Bookings/${party.bookingId}/updatepax`, { pax: party.people })
  stage.tally.resized++
}

/**
 * Moves a party to a table that looks free. If the table is in use after all, the staff either override the conflict or
 * give up.
 */
async function moveTable(stage: Stage, party: Party): Promise<void> {
  const table = await findTable(stage, party.people, party.duration, party.random)
  if (table === null) return
  const move = (allowTableBookingConflict: boolean) =>
    stage.send('PATCH', `/Bookings/${party.bookingId}/updatetables`, {
      tables: [{ name: table.name, section: table.section }],
      allowTableBookingConflict,
    })
  const { status } = await move(false)
  if (status !== 200 && drawBoolean(party.random, 0.5)) return
  if (status !== 200) await move(true)
  party.table = table.name
  stage.tally.moved++
}
