import { Failure } from '../../../base/failure/failure.ts'
import { formatCommand } from '../../../base/failure/suggested.ts'
import { secondsOnly } from '../../../base/time/booking-time.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import { dateIn, formatInZone } from '../../../base/time/zone.ts'
import type { Named } from '../../../client/named.ts'
import { getSchedule } from '../../../contract/bookings/availability.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { askChoice, askText, problemOf } from '../../../terminal/input/prompts.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { findPlace } from '../../shared/look-up.ts'
import { type Offer, parseSchedule, scheduleQuery } from '../../shared/venue.ts'
import type { ReservationFlags } from './flags.ts'
import { instantOf, readTimeFlags, withTime } from './time.ts'

/**
 * Prompts for each value that is not given as a flag. Throws USAGE before the first prompt, NOT_FOUND if nothing is
 * free, or Interrupted.
 */
export async function askReservation<F extends ReservationFlags>(flags: F, parts: RunParts): Promise<F> {
  const { host, connection } = parts
  const clock = { now: host.now(), timezone: await connection.timezone() }
  const problems = new Problems()
  const { members } = readTimeFlags(flags, clock, problems)
  problems.throwIfAny()
  const timed = withTime({}, members)
  const { time, bookingTimeAsUtc } = timed as Readonly<Record<string, string>>
  const ask = (question: string, check = checkNotEmpty) => askText(host, question, check)
  const people = flags.people ?? (await ask('How many people?', checkPositive))
  const place = await askPlace(flags, Number(people), instantOf(timed, clock.timezone), { ...parts, ...clock })
  return {
    ...{ ...flags, time, 'time-utc': bookingTimeAsUtc, people, ...place },
    'first-name': flags['first-name'] ?? (await ask("Guest's first name?")),
    'last-name': flags['last-name'] ?? (await ask("Guest's last name?")),
    phone: flags.phone ?? (await ask("Guest's phone number, with country code?")),
  }
}

type Place = Pick<ReservationFlags, 'service' | 'section' | 'time-utc'>

async function askPlace(
  flags: ReservationFlags,
  people: number,
  timeKnown: number | null,
  { host, service, now, timezone }: Pick<RunParts, 'host' | 'service'> & { now: number; timezone: string | null },
): Promise<Place> {
  if (timeKnown !== null && flags.service !== undefined && flags.section !== undefined) return {}
  const readDay = (text: string) => parseInstant(text, { now, timezone, edge: 'upper', flag: 'the day' })
  const askDay = () => askText(host, 'Which day?', (text) => problemOf(() => readDay(text)), { initial: 'today' })
  const day = timeKnown ?? readDay(await askDay())
  const answer = await service.readAll(getSchedule, { query: scheduleQuery(day, timezone, people) })
  const { offers } = parseSchedule(answer, people)
  const all = offers.flatMap(({ sections }) => sections)
  const wanted = { service: idOf(flags.service, '--service', offers), section: idOf(flags.section, '--section', all) }
  const free = offers
    .filter(({ id }) => (wanted.service ?? id) === id)
    .flatMap(freeTimes)
    .filter(({ atMs, sections }) => {
      const hasSection = wanted.section === undefined || sections.some(({ id }) => id === wanted.section)
      return hasSection && (timeKnown ?? atMs) === atMs
    })
  const [only] = free
  if (only === undefined) {
    const date = dateIn(day, timezone)
    const ofService = flags.service ? ` in service ${flags.service}` : ''
    throw new Failure('NOT_FOUND', `nothing is free on ${date} for ${people}${ofService}`, {
      hint: `try another day or party size: ${formatCommand`bookings schedule --date ${date} --people ${String(people)}`}`,
    })
  }
  const slotName = ({ atMs, offer, sections }: FreeTime) =>
    `${formatInZone(atMs, timezone).slice(11, 16)}  ${nameOf(offer)}  (${sections.map(nameOf).join(', ')})`
  const { offer, atMs, sections } = await choose(host, 'Which time?', free, slotName)
  const section = wanted.section ?? (await choose(host, 'Which section?', sections, nameOf)).id
  return { service: offer.id, section, ...(timeKnown === null ? { 'time-utc': secondsOnly(atMs) } : {}) }
}

type FreeTime = ReturnType<typeof freeTimes>[number]

/** Returns the times when a service has free tables, and the sections that have free tables. */
function freeTimes(offer: Offer) {
  const sectionOf = (id: string) => offer.sections.find((section) => section.id === id) ?? { id, names: [] }
  return offer.times
    .filter(({ isFree }) => isFree)
    .map(({ atMs, sections }) => ({
      ...{ offer, atMs },
      sections: sections === null ? offer.sections : [...sections].map(sectionOf),
    }))
}

/**
 * Returns the ID of the item that a flag names, or the text as the user typed it if no item matches. Throws USAGE,
 * suggesting the nearest name.
 */
function idOf(typed: string | undefined, flag: string, all: readonly Named[]): string | undefined {
  return typed && (findPlace(typed, flag, all, 'omit it to choose from a list')?.id ?? typed)
}

/** Prompts for a choice. If there is only one option, returns it without a prompt. */
async function choose<T>(host: RunParts['host'], question: string, all: readonly T[], name: (one: T) => string) {
  const choices = all.map((value) => ({ name: name(value), value }))
  return choices.length === 1 && choices[0] ? choices[0].value : askChoice(host, question, choices)
}

function nameOf({ id, names: [name] }: Named): string {
  return name ?? id
}

function checkPositive(text: string): string | null {
  return /^[1-9]\d{0,9}$/.test(text) ? null : 'enter a whole number, 1 or more'
}

function checkNotEmpty(text: string): string | null {
  return text === '' ? 'a value is required' : null
}
