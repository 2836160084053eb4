import { Failure } from '../../../base/failure/failure.ts'
import { suggest } from '../../../base/failure/suggested.ts'
import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { secondsOnly } from '../../../base/time/booking-time.ts'
import { parseInstant, toWireTime } from '../../../base/time/instant.ts'
import { dateIn, endOfDay, formatInZone, startOfDay } from '../../../base/time/zone.ts'
import { askChoice, askText } from '../../../terminal/input/prompts.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import { placeNamed, servicesIn } from '../../shared/look-up.ts'
import { scheduleRows } from '../schedule/views.ts'
import type { ReservationFlags } from './flags.ts'
import { instantOf } from './time.ts'

/** The query of the schedule, as the endpoint names its parameters. */
export type ScheduleQuery = {
  readonly BookingDateTimeStart: string
  readonly NumOfPeople: number
  readonly BookingDateTimeEnd: string
}

export interface GuidedBy {
  readonly host: Host
  readonly timezone: string | null
  readonly now: number
  readonly schedule: (query: ScheduleQuery) => Promise<JsonValue>
}

/**
 * Asks at a terminal for what the flags of a reservation leave open; a service, time and section can only be chosen among
 * those that the schedule offers for the day and party.
 * @param flags the two times in the form that is sent.
 * Fails: NOT_FOUND when it offers nothing; Interrupted.
 */
export async function askReservation(flags: ReservationFlags, by: GuidedBy): Promise<ReservationFlags> {
  const people = flags.people ?? (await askText(by.host, 'How many people?', wholeAbove0))
  const place = await askPlace(flags, Number(people), by)
  const guest = {
    'first-name': flags['first-name'] ?? (await askText(by.host, "Guest's first name?", notEmpty)),
    'last-name': flags['last-name'] ?? (await askText(by.host, "Guest's last name?", notEmpty)),
    phone: flags.phone ?? (await askText(by.host, "Guest's phone number, with country code?", notEmpty)),
  }
  return { ...flags, people, ...place, ...guest }
}

type Place = Pick<ReservationFlags, 'service' | 'section' | 'time' | 'time-utc'>

async function askPlace(flags: ReservationFlags, people: number, by: GuidedBy): Promise<Place> {
  const timeKnown = instantOf(
    { ...sent('time', flags.time), ...sent('bookingTimeAsUtc', flags['time-utc']) },
    by.timezone,
  )
  if (timeKnown !== null && flags.service !== undefined && flags.section !== undefined) return {}
  const readDay = (text: string) =>
    parseInstant(text, { now: by.now, timezone: by.timezone, edge: 'upper', flag: 'the day' })
  const askDay = () => askText(by.host, 'Which day?', (text) => problemOf(() => readDay(text)), { initial: 'today' })
  const day = timeKnown ?? readDay(await askDay())
  const answer = await by.schedule({
    BookingDateTimeStart: toWireTime(startOfDay(day, by.timezone)),
    NumOfPeople: people,
    BookingDateTimeEnd: toWireTime(endOfDay(day, by.timezone)),
  })
  const wanted = idsOf(flags, answer)
  const free = scheduleRows(answer).filter((row) => row['state'] === 'free' && fits(row, wanted, timeKnown))
  if (free.length === 0) {
    const date = dateIn(day, by.timezone)
    throw new Failure(
      'NOT_FOUND',
      `nothing is free on ${date} for ${people}${flags.service ? ` in service ${flags.service}` : ''}`,
      {
        hint: `try another day or party size: ${suggest`bookings schedule --date ${date} --people ${String(people)}`}`,
      },
    )
  }
  const slot =
    free.length === 1
      ? (free[0] as JsonObject)
      : await askChoice(
          by.host,
          'Which time?',
          free.map((row) => ({ name: slotName(row, by.timezone), value: row })),
        )
  const section = wanted.section ?? (await askSection(slot, by))
  const time = timeKnown === null ? { 'time-utc': secondsOnly(Date.parse(String(slot['time']))) } : {}
  return { service: String(slot['serviceId']), section, ...time }
}

function sent(member: string, text: string | undefined): JsonObject {
  return text === undefined ? {} : { [member]: text }
}

/** The IDs of the service and section that the flags name; a text that names none stays. Fails: USAGE, with the nearest. */
function idsOf(
  { service, section }: ReservationFlags,
  schedule: JsonValue,
): Pick<ReservationFlags, 'service' | 'section'> {
  const services = servicesIn(schedule)
  const sections = services.flatMap((one) => one.sections)
  const hint = 'leave it out to choose from what there is'
  return {
    service: service && (placeNamed(service, '--service', services, hint)?.id ?? service),
    section: section && (placeNamed(section, '--section', sections, hint)?.id ?? section),
  }
}

async function askSection(slot: JsonObject, by: GuidedBy): Promise<string> {
  const ids = texts(slot['sectionIds'])
  const names = texts(slot['sectionNames'])
  const [only] = ids
  if (ids.length === 1 && only !== undefined) return only
  return askChoice(
    by.host,
    'Which section?',
    ids.map((id, index) => ({ name: names[index] ?? id, value: id })),
  )
}

function fits(row: JsonObject, { service, section }: Pick<ReservationFlags, 'service' | 'section'>, at: number | null) {
  if (service !== undefined && row['serviceId'] !== service) return false
  if (section !== undefined && !texts(row['sectionIds']).includes(section)) return false
  return at === null || Date.parse(String(row['time'])) === at
}

function slotName(row: JsonObject, timezone: string | null): string {
  const at = formatInZone(Date.parse(String(row['time'])), timezone).slice(11, 16)
  return `${at}  ${String(row['serviceName'] ?? row['serviceId'])}  (${texts(row['sectionNames']).join(', ')})`
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function wholeAbove0(text: string): string | null {
  return /^[1-9]\d{0,9}$/.test(text) ? null : 'enter a whole number, 1 or more'
}

function notEmpty(text: string): string | null {
  return text === '' ? 'enter something: this is required' : null
}

function problemOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
