import { askChoice, askText } from '../../cli/input/prompts.ts'
import type { Host } from '../../cli/runtime/host.ts'
import { Failure } from '../../failure/failure.ts'
import type { JsonObject, JsonValue } from '../../json/exact.ts'
import { parseInstant, toWireTime } from '../../time/instant.ts'
import { endOfDay, formatInZone, startOfDay } from '../../time/zone.ts'
import { scheduleRows } from '../../views/bookings/schedule.ts'
import type { ReservationFlags } from './_flags.ts'

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
 * those that the schedule offers for the day and party. Fails: NOT_FOUND when it offers nothing; Interrupted.
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
  const timeKnown = flags.time ?? flags['time-utc']
  if (timeKnown !== undefined && flags.service !== undefined && flags.section !== undefined) return {}
  const readDay = (text: string) =>
    parseInstant(text, { now: by.now, timezone: by.timezone, edge: 'lower', flag: 'the day' })
  const dayText =
    timeKnown?.slice(0, 10) ?? (await askText(by.host, 'Which day?', (text) => problemOf(() => readDay(text)), 'today'))
  const day = readDay(dayText)
  const answer = await by.schedule({
    BookingDateTimeStart: toWireTime(startOfDay(day, by.timezone)),
    NumOfPeople: people,
    BookingDateTimeEnd: toWireTime(endOfDay(day, by.timezone)),
  })
  const free = scheduleRows(answer).filter((row) => row['state'] === 'free' && fits(row, flags, by))
  if (free.length === 0)
    throw new Failure(
      'NOT_FOUND',
      `nothing is free on ${dayText} for ${people}${flags.service ? ` in service ${flags.service}` : ''}`,
      {
        hint: 'try another day or party size: partner bookings schedule --date DATE --people N',
      },
    )
  const slot =
    free.length === 1
      ? (free[0] as JsonObject)
      : await askChoice(
          by.host,
          'Which time?',
          free.map((row) => ({ name: slotName(row, by.timezone), value: row })),
        )
  const section = flags.section ?? (await askSection(slot, by))
  const time = timeKnown === undefined ? { 'time-utc': secondsOnly(String(slot['time'])) } : {}
  return { service: flags.service ?? String(slot['serviceId']), section, ...time }
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

function fits(row: JsonObject, flags: ReservationFlags, by: GuidedBy): boolean {
  if (flags.service !== undefined && row['serviceId'] !== flags.service) return false
  if (flags.section !== undefined && !texts(row['sectionIds']).includes(flags.section)) return false
  const at = Date.parse(String(row['time']))
  if (flags['time-utc'] !== undefined) return at === Date.parse(flags['time-utc'])
  return flags.time === undefined || formatInZone(at, by.timezone).startsWith(flags.time)
}

function slotName(row: JsonObject, timezone: string | null): string {
  const at = formatInZone(Date.parse(String(row['time'])), timezone).slice(11, 16)
  return `${at}  ${String(row['serviceName'] ?? row['serviceId'])}  (${texts(row['sectionNames']).join(', ')})`
}

/** `2026-12-24T08:00:00.000Z` as the request wants it: without the fraction. */
function secondsOnly(instant: string): string {
  return new Date(Date.parse(instant)).toISOString().replace(/\.\d{3}Z$/, 'Z')
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
