import { drawCustomer } from '../../../sandbox/seed/people.ts'
import { between, drawBoolean, pick, type Random } from '../../../sandbox/seed/random.ts'
import { HOUR } from '../../../sandbox/venue/time.ts'
import { dateAfter, timeOf } from '../day.ts'
import { jsonObjects, numberAt, stringAt } from '../venue-data.ts'
import { dine, expectParty } from './party.ts'
import { drawMinutes, findTable, formatBookingTime, formatInstant, SCENES, type Stage, setStatus } from './stage.ts'

/**
 * The times of the first and last possible call or online booking, in milliseconds after midnight. They apply even on
 * days when the venue is closed.
 */
const CALLS = { first: 8.5 * HOUR, last: 21 * HOUR }
const SIZES: readonly number[] = [1, 2, 2, 2, 2, 3, 4, 4, 5, 6, 8, 12]

/** Plans the day's calls and online bookings. Guests book for the same day or for a later day. */
export function planCallers(stage: Stage): void {
  const random = stage.drawFor(SCENES.callers)
  const calls = between(random, 18, 30)
  for (let at = 0; at < calls; at++) {
    const caller = stage.drawFor(SCENES.callers + 1 + at)
    const when = timeOf(stage.day, between(caller, CALLS.first, CALLS.last))
    stage.agenda.plan(when, () => book(stage, caller))
  }
}

/** Reads the schedule and books a free time on the same day or within the next three weeks. */
async function book(stage: Stage, random: Random): Promise<void> {
  const { tally } = stage
  const isToday = drawBoolean(random, 0.55)
  const people = pick(random, SIZES)
  const day = isToday ? stage.now() : timeOf(stage.day, between(random, 1, 21) * 24 * HOUR + 12 * HOUR)
  const offers = (await readOffers(stage, day, people)).flatMap((time) => time.offers)
  // Some guests ask for a time at night, which is never on the schedule.
  const wish = drawBoolean(random, 0.1) || offers.length === 0 ? null : pick(random, offers)
  const body = buildReservation(stage, random, people, wish)
  const { status, body: answer } = await stage.send('POST', '/Reservations', body)
  if (status !== 201 || wish === null) return void tally.notAccepted++
  tally.reserved++
  const bookingId = stringAt(answer, 'bookingId')
  const { starts } = wish
  const table = stringAt(answer, 'tableNames.0')
  if (starts <= stage.day.ends)
    expectParty(stage, { bookingId, starts, duration: numberAt(answer, 'duration'), people, table, random })
  else if (drawBoolean(random, 0.1))
    stage.agenda.plan(stage.now() + drawMinutes(random, 5, 120), () => setStatus(stage, { bookingId }, 'CANCELLED'))
}

type Offer = Awaited<ReturnType<typeof readOffers>>[number]['offers'][number]

/**
 * Reads the schedules of all services, beginning at an instant in milliseconds since 1970. Returns the available
 * sections for each time.
 */
async function readOffers({ send }: Stage, from: number, people: number) {
  const query = { BookingDateTimeStart: formatInstant(from), NumOfPeople: people }
  const { body } = await send('GET', '/Bookings/schedule', query)
  const all = jsonObjects(body).flatMap(({ services }) => jsonObjects(services))
  return all.flatMap((service) =>
    jsonObjects(service['times']).map((time) => {
      const [serviceId, starts] = [stringAt(service, 'id'), Date.parse(stringAt(time, 'time'))]
      const free = jsonObjects(time['sections']).filter(({ sectionState }) => sectionState === true)
      return { starts, offers: free.map((section) => ({ serviceId, sectionId: stringAt(section, 'id'), starts })) }
    }),
  )
}

/**
 * Returns the request body for a reservation. If the offer is `null`, the request is for a time that the service
 * rejects.
 */
function buildReservation(stage: Stage, random: Random, people: number, offer: Offer | null): object {
  const { firstName, lastName, phone, email } = drawCustomer(random, '', 0)
  const byPhone = drawBoolean(random, 0.35)
  const starts = offer?.starts ?? Date.parse(`${dateAfter(stage.day, between(random, 1, 9))}T17:00:00Z`)
  return {
    numOfPeople: people,
    serviceId: offer?.serviceId ?? 'svc-dinner',
    sectionId: offer?.sectionId ?? 'sec-main',
    customer: {
      firstName: firstName?.trim() || 'Guest',
      lastName: lastName?.trim() || 'Nobody',
      phone: phone ?? `+61 491 570 ${between(random, 100, 999)}`,
      ...(email === null ? {} : { email }),
    },
    bookingTimeAsUtc: formatBookingTime(starts),
    ...(byPhone ? { status: 'CONFIRMED', notes: 'By phone' } : {}),
    ...(drawBoolean(random, 0.25) ? { bookingId: `RESERVE-${between(random, 100_000, 999_999)}` } : {}),
  }
}

/** Plans walk-ins between the first and the last time on the schedule. If the venue is closed, plans none. */
export async function planWalkIns(stage: Stage): Promise<void> {
  const times = (await readOffers(stage, stage.day.starts, 2)).map(({ starts }) => starts)
  if (times.length === 0) return
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const random = stage.drawFor(SCENES.walkIns)
  const parties = between(random, 9, 17)
  for (let at = 0; at < parties; at++) {
    const guest = stage.drawFor(SCENES.walkIns + 1 + at)
    stage.agenda.plan(between(guest, first, last), () => walkIn(stage, guest))
  }
}

async function walkIn(stage: Stage, random: Random): Promise<void> {
  const { tally, now } = stage
  const people = between(random, 1, 5)
  const duration = pick(random, [60, 75, 90, 90])
  const table = await findTable(stage, people, duration, random)
  if (table === null) return void tally.turnedAway++
  const { firstName, lastName, phone } = drawCustomer(random, '', 0)
  const isKnown = drawBoolean(random, 0.3)
  const { status, body } = await stage.send('POST', '/Bookings', {
    numOfPeople: people,
    bookingTimeAsUtc: formatBookingTime(now()),
    duration,
    tables: [table.id],
    ...(isKnown ? { customer: { firstName, lastName, phone } } : {}),
  })
  if (status !== 201) return
  tally.walkIns++
  dine(stage, { bookingId: stringAt(body, 'bookingId'), starts: now(), duration, people, table: table.name, random })
}
