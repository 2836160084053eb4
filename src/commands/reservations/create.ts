import { requireReserved } from '../../client/calls/success.ts'
import { getSchedule } from '../../contract/bookings/availability.ts'
import { createReservation } from '../../contract/bookings/reservations.ts'
import { makeBooking } from '../../features/bookings/reserving/create.ts'
import { RESERVATION_CREATE_FLAGS, type ReservationFlags } from '../../features/bookings/reserving/flags.ts'
import type { ScheduleQuery } from '../../features/bookings/reserving/guided.ts'
import { readTimeFlags, withTime } from '../../features/bookings/reserving/time.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Connection } from '../../terminal/runtime/connection.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { Service } from '../../terminal/runtime/service.ts'

/** Flags that a person at a terminal is asked for. */
const REQUIRED = ['people', 'service', 'section', 'first-name', 'last-name', 'phone'] as const

export default class ReservationsCreate extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Create a reservation, checked against the live schedule.'
  static override description =
    'At a terminal, partner reservations create alone asks for what is missing, and offers what the schedule has. For a walk-in, use bookings create.'
  static override usage =
    'reservations create --people N --service ID|NAME --section ID|NAME --time TIME --first-name NAME --last-name NAME --phone PHONE [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --people 4 --service dinner --section terrace --time "tomorrow 19:00" --first-name Ada --last-name Ng --phone +61400000000',
    `echo '{"customer":{"firstName":"Ada","lastName":"Ng","phone":"+61400000000"}}' | <%= config.bin %> <%= command.id %> --people 2 --service svc-dinner --section sec-bar --time "tomorrow 18:30" --data - --dry-run`,
  ]
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = RESERVATION_CREATE_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(ReservationsCreate)
    const { flags, connection, service, ask, host } = opened
    const asked = ask.canAskMissing && isIncomplete(flags) ? await askMissing(flags, connection, service, host) : flags
    await makeBooking(createReservation, { ...flags, ...asked }, opened, {
      accept: requireReserved,
      isPlaced: asked !== flags && isPlaceMissing(flags),
    })
  }
}

/** Whether something is missing that a person could be asked for; a whole body is taken as it is. */
function isIncomplete(flags: ReservationFlags & { data?: string | undefined }): boolean {
  if (flags.data !== undefined) return false
  return (
    REQUIRED.some((name) => flags[name] === undefined) || (flags.time === undefined && flags['time-utc'] === undefined)
  )
}

/** Whether a person is asked for the time or the place; both then come from the schedule. */
function isPlaceMissing(flags: ReservationFlags): boolean {
  return [flags.service, flags.section, flags.time ?? flags['time-utc']].includes(undefined)
}

/** The flags, with the answers to what they leave open. */
async function askMissing(
  flags: ReservationFlags,
  connection: Connection,
  service: Service,
  host: Host,
): Promise<ReservationFlags> {
  const { askReservation } = await import('../../features/bookings/reserving/guided.ts')
  const [timezone, now] = [await connection.timezone(), host.now()]
  const problems = new Problems()
  // A wrong time is said before the first question.
  const { members } = readTimeFlags(flags, { now, timezone }, problems)
  problems.throwIfAny()
  const { time, bookingTimeAsUtc } = withTime({}, { members, notes: [] }) as Readonly<Record<string, string>>
  const schedule = (query: ScheduleQuery) => service.lookAtAll(getSchedule, { query })
  return askReservation({ ...flags, time, 'time-utc': bookingTimeAsUtc }, { host, timezone, now, schedule })
}
