import type { JsonObject } from '../../../base/json/exact.ts'
import { present, type TypedMembers } from '../../../terminal/input/body.ts'
import { type FlagValues, flag, repeated } from '../../../terminal/input/flags.ts'
import type { Problems } from '../../../terminal/input/problems.ts'
import type { FlagNames } from '../../../terminal/input/validate.ts'
import { parseNumber } from '../../../terminal/input/values/number.ts'

/** Flags for reservations, walk-ins and updates. Each flag sets one member of the request. */
export const RESERVATION_FLAGS = {
  people: flag('N', 'Party size (pax), 1 to 2147483647.'),
  service: flag('ID|NAME', 'Service, as listed by bookings schedule.'),
  section: flag('ID|NAME', 'Section, as listed by bookings schedule.'),
  time: flag('TIME', 'Time on the venue\'s clock: "2026-12-24 19:30", "tomorrow 19:30", 19:30.'),
  'time-utc': flag('TIME', 'Time in UTC, such as 2026-12-24T08:30:00Z; overrides --time.'),
  'first-name': flag('NAME', "Guest's first name."),
  'last-name': flag('NAME', "Guest's last name."),
  phone: flag('PHONE', "Guest's phone number, with country code."),
  email: flag('EMAIL', "Guest's email address."),
  company: flag('NAME', "Guest's company."),
  'customer-id': flag('ID', 'ID of an existing customer.'),
  line1: flag('TEXT', 'Address, first line.'),
  line2: flag('TEXT', 'Address, second line.'),
  city: flag('TEXT', 'Address, city.'),
  state: flag('TEXT', 'Address, state.'),
  'postal-code': flag('TEXT', 'Address, postal code.'),
  country: flag('TEXT', 'Address, country.'),
  status: flag('CODE', 'Status code, as listed by bookings statuses.'),
  notes: flag('TEXT', 'Notes for the venue.'),
  duration: flag('MIN', 'Duration in minutes.'),
  'staff-id': flag('ID', 'ID of the staff member who took the booking.'),
  'staff-name': flag('NAME', 'Name of the staff member who took the booking.'),
  table: repeated({ helpValue: 'ID|NAME', summary: 'Table, as listed by bookings tables. May be repeated.' }),
  link: repeated({ helpValue: 'NAME=URL', summary: 'Link to show with the booking. May be repeated.' }),
} as const

/** Flags for new bookings only. In an update, `bookingId` already identifies the booking, so no ID can be assigned. */
export const NEW_BOOKING_FLAGS = {
  'external-id': flag('ID', 'Booking ID in your own system.'),
  duration: flag('MIN', "Duration in minutes (default: the service's duration)."),
} as const

export const RESERVATION_CREATE_FLAGS = {
  ...RESERVATION_FLAGS,
  ...NEW_BOOKING_FLAGS,
  status: flag('CODE', 'Status code, as listed by bookings statuses (default: Unconfirmed).'),
} as const

export const RESERVATION_FLAG_NAMES: FlagNames = {
  numOfPeople: '--people',
  serviceId: '--service',
  sectionId: '--section',
  time: '--time',
  bookingTimeAsUtc: '--time-utc',
  'customer.firstName': '--first-name',
  'customer.lastName': '--last-name',
  'customer.phone': '--phone',
  'customer.email': '--email',
  'customer.company': '--company',
  'customer.id': '--customer-id',
  status: '--status',
  bookingId: '--external-id',
  notes: '--notes',
  duration: '--duration',
  staffId: '--staff-id',
  staffName: '--staff-name',
  tables: '--table',
  links: '--link',
}

export type ReservationFlags = Partial<FlagValues<typeof RESERVATION_FLAGS & typeof NEW_BOOKING_FLAGS>>

/** Builds all members of a request from flags, except the time. Adds a problem for each malformed value. */
export function buildReservationMembers(flags: ReservationFlags, problems: Problems): TypedMembers {
  return {
    numOfPeople: parseNumber(flags.people),
    serviceId: flags.service,
    sectionId: flags.section,
    customer: present({
      id: flags['customer-id'],
      firstName: flags['first-name'],
      lastName: flags['last-name'],
      phone: flags.phone,
      email: flags.email,
      company: flags.company,
      address: present({
        line1: flags.line1,
        line2: flags.line2,
        city: flags.city,
        state: flags.state,
        postalCode: flags['postal-code'],
        country: flags.country,
      }),
    }),
    status: flags.status,
    bookingId: flags['external-id'],
    notes: flags.notes,
    duration: parseNumber(flags.duration),
    staffId: flags['staff-id'],
    staffName: flags['staff-name'],
    tables: flags.table,
    links: flags.link?.map((link) => parseLink(link, problems)),
  }
}

function parseLink(link: string, problems: Problems): JsonObject {
  const equals = link.indexOf('=')
  const hint = 'for example --link "Menu=https://example.com/menu"'
  if (equals < 1 || equals === link.length - 1)
    problems.add(`--link must be NAME=URL, not ${JSON.stringify(link)}`, hint)
  return { linkName: link.slice(0, Math.max(equals, 0)), linkURL: link.slice(equals + 1) }
}
