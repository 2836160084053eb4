import { bodyFrom } from '../../cli/input/body.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { getSchedule } from '../../contract/bookings.ts'
import { createReservation } from '../../contract/reservations.ts'
import { reservationCard, reservationList } from '../../views/bookings/reservation.ts'
import {
  EXTERNAL_ID_FLAG,
  RESERVATION_FLAG_NAMES,
  RESERVATION_FLAGS,
  type ReservationFlags,
  reservationMembers,
} from './_flags.ts'

/** Without these a person at a terminal is asked. */
const REQUIRED = ['people', 'service', 'section', 'first-name', 'last-name', 'phone'] as const

export default class ReservationsCreate extends ApiCommand {
  static override summary = 'Create a reservation, checked by the service against its live schedule.'
  static override description =
    'In a terminal, what is missing is asked for, and only what the schedule offers can be chosen. For a walk-in use bookings create.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --people 4 --service SERVICE --section SECTION --time "2026-12-24 19:00" --first-name Ada --last-name Ng --phone +61400000000',
    '<%= config.bin %> <%= command.id %> --data @reservation.json --set notes="window seat" --dry-run',
  ]
  static override flags = { ...RESERVATION_FLAGS, ...EXTERNAL_ID_FLAG }

  async run(): Promise<void> {
    const { flags } = await this.input(ReservationsCreate)
    const asked = await this.#completed(flags)
    const problems = new Problems()
    const body = await bodyFrom(flags, reservationMembers(asked, problems), problems)
    if (asked.time !== undefined && asked['time-utc'] !== undefined)
      await this.say('warning: --time-utc is sent; --time is ignored')
    if (!this.skipsValidation) await validate(createReservation.body, body, RESERVATION_FLAG_NAMES, problems)
    if (!this.skipsValidation && body['time'] === undefined && body['bookingTimeAsUtc'] === undefined)
      problems.add('--time or --time-utc is required')
    problems.throwIfAny('see partner reservations create --help; nothing was sent')
    const answer = await this.send(
      createReservation,
      { body },
      { check: 'partner bookings list --updated-from 10m --include-customer' },
    )
    await this.showAnswer(answer, { card: reservationCard, list: reservationList })
  }

  /** The flags, and at a terminal the answers to what they leave open. */
  async #completed(flags: ReservationFlags & { data?: string | undefined }): Promise<ReservationFlags> {
    const missing =
      REQUIRED.some((name) => flags[name] === undefined) ||
      (flags.time === undefined && flags['time-utc'] === undefined)
    if (!missing || !this.asksFirst || flags.data !== undefined) return flags
    const { askReservation } = await import('./_guided.ts')
    const timezone = await this.timezone()
    return askReservation(flags, {
      timezone,
      now: this.host.now(),
      schedule: async (query) => (await this.look(getSchedule, { query })).value,
    })
  }
}
