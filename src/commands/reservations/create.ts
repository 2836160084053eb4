import { buildBody } from '../../cli/input/body.ts'
import { BODY_CALL_FLAGS, flag } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import type { Connection } from '../../cli/runtime/connection.ts'
import type { Host } from '../../cli/runtime/host.ts'
import type { Service } from '../../cli/runtime/service.ts'
import { requireReserved } from '../../client/calls/success.ts'
import { getSchedule } from '../../contract/bookings/availability.ts'
import { createReservation } from '../../contract/bookings/reservations.ts'
import { reservationCard, reservationList } from '../../views/bookings/reservation.ts'
import {
  buildReservationMembers,
  checkTimeGiven,
  NEW_BOOKING_FLAGS,
  RESERVATION_FLAG_NAMES,
  RESERVATION_FLAGS,
  type ReservationFlags,
  warnOfTwoTimes,
} from './_flags.ts'

/** Flags that a person at a terminal is asked for. */
const REQUIRED = ['people', 'service', 'section', 'first-name', 'last-name', 'phone'] as const

export default class ReservationsCreate extends PartnerCommand {
  static override summary = 'Create a reservation, checked against the live schedule.'
  static override description =
    'At a terminal, you are asked for what is missing and choose from what the schedule offers. For a walk-in, use bookings create.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --people 4 --service SERVICE --section SECTION --time "2026-12-24 19:00" --first-name Ada --last-name Ng --phone +61400000000',
    '<%= config.bin %> <%= command.id %> --data @reservation.json --set notes="window seat" --dry-run',
  ]
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    ...RESERVATION_FLAGS,
    ...NEW_BOOKING_FLAGS,
    status: flag('CODE', 'Status code, as bookings statuses lists it (default: Unconfirmed).'),
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, ask, host, warn } = await this.open(ReservationsCreate)
    const asked = ask.isWanted && isIncomplete(flags) ? await askMissing(flags, connection, service, host) : flags
    const problems = new Problems()
    const typed = flags['no-validate'] ? new Problems() : problems
    const body = await buildBody(flags, buildReservationMembers(asked, typed), problems)
    await warnOfTwoTimes(asked, warn)
    if (!flags['no-validate']) {
      await validate(createReservation.body, body, RESERVATION_FLAG_NAMES, problems)
      checkTimeGiven(body, problems)
    }
    problems.throwIfAny('see partner reservations create --help; nothing was sent')
    const answer = await service.send(
      createReservation,
      { body },
      { check: 'partner bookings list --updated-from 10m --include-customer', accept: requireReserved },
    )
    await show.answer(answer, { card: reservationCard, list: reservationList })
  }
}

/** Whether something is missing that a person could be asked for; a whole body is taken as it is. */
function isIncomplete(flags: ReservationFlags & { data?: string | undefined }): boolean {
  if (flags.data !== undefined) return false
  return (
    REQUIRED.some((name) => flags[name] === undefined) || (flags.time === undefined && flags['time-utc'] === undefined)
  )
}

/** The flags, with the answers to what they leave open. */
async function askMissing(
  flags: ReservationFlags,
  connection: Connection,
  service: Service,
  host: Host,
): Promise<ReservationFlags> {
  const { askReservation } = await import('./_guided.ts')
  return askReservation(flags, {
    host,
    timezone: await connection.timezone(),
    now: host.now(),
    schedule: (query) => service.lookAtAll(getSchedule, { query }),
  })
}
