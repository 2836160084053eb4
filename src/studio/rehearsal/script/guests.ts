import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { drawCustomer } from '../../../sandbox/seed/people.ts'
import { between, chance, pick, type Random } from '../../../sandbox/seed/random.ts'
import { dateAfter, timeOf } from '../day.ts'
import { findTable, minutes, type Party } from './acts.ts'
import { dine, expectParty } from './party.ts'
import { bookingTime, numberIn, SCENES, type Stage, textIn, wireTime } from './stage.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** When people call or book: from half past eight until nine in the evening, on a day on which the house is closed too. */
const CALLS = { first: 8.5 * HOUR, last: 21 * HOUR }
const SIZES: readonly number[] = [1, 2, 2, 2, 2, 3, 4, 4, 5, 6, 8, 12]

/** The services of a day, between whose first and last time guests may come. Milliseconds since 1970. */
export interface Opening {
  readonly first: number
  readonly last: number
}

/** Plans the guests who call, or book in the partner's app, for this day and others. */
export function planCallers(stage: Stage): void {
  const random = stage.drawFor(SCENES.callers)
  const calls = between(random, 18, 30)
  for (let at = 0; at < calls; at++) {
    const caller = stage.drawFor(SCENES.callers + 1 + at)
    const when = timeOf(stage.day, between(caller, CALLS.first, CALLS.last))
    stage.agenda.plan(when, () => book(stage, caller))
  }
}

/** Looks at the schedule, and books what is free: for today, or for a day of the next three weeks. */
async function book(stage: Stage, random: Random): Promise<void> {
  const { tally } = stage
  const isToday = chance(random, 0.55)
  const people = pick(random, SIZES)
  const day = isToday ? stage.now() : timeOf(stage.day, between(random, 1, 21) * 24 * HOUR + 12 * HOUR)
  const schedule = await stage.send({
    method: 'GET',
    path: '/Bookings/schedule',
    query: { BookingDateTimeStart: wireTime(day), NumOfPeople: String(people) },
  })
  const offers = offersIn(schedule.body)
  // Some want what there is not: they ask for the middle of the night.
  const wish = chance(random, 0.1) || offers.length === 0 ? null : pick(random, offers)
  const body = reservationOf(stage, random, people, wish)
  const { status, body: answer } = await stage.send({ method: 'POST', path: '/Reservations', body })
  if (status !== 201 || !isJsonObject(answer) || wish === null) {
    tally.notAccepted++
    return
  }
  tally.reserved++
  const [table] = Array.isArray(answer['tableNames']) ? answer['tableNames'] : []
  const party: Party = {
    bookingId: textIn(answer, 'bookingId'),
    starts: wish.starts,
    duration: numberIn(answer, 'duration'),
    people,
    table: typeof table === 'string' ? table : '',
    random,
  }
  if (wish.starts <= stage.day.ends) expectParty(stage, party)
  else if (chance(random, 0.1)) stage.agenda.plan(stage.now() + minutes(random, 5, 120), () => callOff(stage, party))
}

async function callOff(stage: Stage, { bookingId }: Party): Promise<void> {
  const cancelled = {
    method: 'PATCH',
    path: `/Bookings/${bookingId}/updatestatus`,
    body: { status: 'CANCELLED' },
  } as const
  await stage.send(cancelled)
  stage.tally.cancelled++
}

interface Offer {
  readonly serviceId: string
  readonly sectionId: string
  /** Milliseconds since 1970. */
  readonly starts: number
}

/** What a schedule has free. */
function offersIn(body: JsonValue): Offer[] {
  return servicesIn(body).flatMap((service) =>
    objects(service['times']).flatMap((time) =>
      objects(time['sections'])
        .filter(({ sectionState }) => sectionState === true)
        .map((section) => ({
          serviceId: textIn(service, 'id'),
          sectionId: textIn(section, 'id'),
          starts: Date.parse(textIn(time, 'time')),
        })),
    ),
  )
}

/** When the services of a schedule begin and end; null: the house is closed. */
export function openingIn(body: JsonValue): Opening | null {
  const times = servicesIn(body).flatMap((service) =>
    objects(service['times']).map((time) => Date.parse(textIn(time, 'time'))),
  )
  return times.length === 0 ? null : { first: Math.min(...times), last: Math.max(...times) }
}

function servicesIn(body: JsonValue): readonly JsonObject[] {
  return objects(body).flatMap(({ services }) => objects(services))
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The request for an offer; for none, one that the schedule refuses. */
function reservationOf(stage: Stage, random: Random, people: number, offer: Offer | null): OwnBody {
  const { firstName, lastName, phone, email } = drawCustomer(random, '', 0)
  const byPhone = chance(random, 0.35)
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
    bookingTimeAsUtc: bookingTime(starts),
    ...(byPhone ? { status: 'CONFIRMED', notes: 'By phone' } : {}),
    ...(chance(random, 0.25) ? { bookingId: `RESERVE-${between(random, 100_000, 999_999)}` } : {}),
  }
}

type OwnBody = Readonly<Record<string, unknown>>

/** Plans the guests who come by, while the house is open. */
export function planWalkIns(stage: Stage, { first, last }: Opening): void {
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
  if (table === null) {
    tally.turnedAway++
    return
  }
  const { firstName, lastName, phone } = drawCustomer(random, '', 0)
  const isKnown = chance(random, 0.3)
  const { status, body } = await stage.send({
    method: 'POST',
    path: '/Bookings',
    body: {
      numOfPeople: people,
      bookingTimeAsUtc: bookingTime(now()),
      duration,
      tables: [table.id],
      ...(isKnown ? { customer: { firstName, lastName, phone } } : {}),
    },
  })
  if (status !== 201 || !isJsonObject(body)) return
  tally.walkIns++
  dine(stage, { bookingId: textIn(body, 'bookingId'), starts: now(), duration, people, table: table.name, random })
}
