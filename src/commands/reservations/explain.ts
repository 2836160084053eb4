import { Failure, usageFailure } from '../../base/failure/failure.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { isLocalTime } from '../../base/time/local-time.ts'
import { endOfDay, startOfDay } from '../../base/time/zone.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import { meantText } from '../../client/named.ts'
import { getSchedule, listTables } from '../../contract/bookings/availability.ts'
import { reservationRequest } from '../../contract/bookings/reservations.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { schema } from '../../contract/shapes/schema.ts'
import type { LooksUp, VenueReader } from '../../features/bookings/explain/asked.ts'
import { type Explained, explain } from '../../features/bookings/explain/explain.ts'
import { explainedCard, explainedList } from '../../features/bookings/explain/views.ts'
import { RESERVATION_CREATE_FLAGS } from '../../features/bookings/reserving/flags.ts'
import { readRequest } from '../../features/bookings/reserving/request.ts'
import type { Occasion } from '../../features/shared/look-up.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { BODY_CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Service } from '../../terminal/runtime/service.ts'

/** The body of a reservation in which the place and the guest may still be open. */
const explainable = schema((z) => {
  const { serviceId, sectionId, customer } = reservationRequest(z).shape
  const guest = customer.partial({ firstName: true, lastName: true, phone: true })
  return reservationRequest(z).extend({
    serviceId: serviceId.nullish(),
    sectionId: sectionId.nullish(),
    customer: guest.nullish(),
  })
})

export default class ReservationsExplain extends PartnerCommand {
  static override summary = 'Say why a reservation would be refused, and what would do instead.'
  static override description =
    `It takes what reservations create takes, also the body of another program with --data. Only the party size and a time are required: without a service, section or guest, it checks the rest, and lists the missing flags as not checked. It sends nothing but reads: of the schedule, and of tables and statuses where these matter. It names each reason, not the first alone, and the nearest times that would do.

It ends with 0 when the service would accept it, with 5 when it would refuse it, and with 2 for what cannot be a request. Names of services, sections and tables may stand in flags, as they are looked up; in a body they are a reason.

Its alias is bookings explain.`
  static override usage = 'reservations explain --people N --time TIME [FLAGS]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --people 4 --time "tomorrow 19:00"',
    '<%= config.bin %> <%= command.id %> --people 4 --service dinner --section terrace --time "tomorrow 19:00" --first-name Ada --last-name Ng --phone +61400000000',
    `echo '{"customer":{"firstName":"Ada","lastName":"Ng","phone":"+61400000000"}}' | <%= config.bin %> <%= command.id %> --people 2 --service svc-dinner --section sec-main --time "tomorrow 21:15" --data - --json`,
  ]
  static override baseFlags = { ...MANY_FLAGS, ...BODY_CALL_FLAGS }
  static override flags = RESERVATION_CREATE_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(ReservationsExplain)
    const { flags, service, show, host, whisper } = opened
    const hint = 'see partner reservations explain --help; nothing was sent'
    const { asked, occasion, isChecked } = await readRequest(explainable, flags, opened, hint)
    const { timezone } = occasion
    if (service.isDryRun) return showReads(service, asked, occasion)
    if (timezone === null) refuseWithoutZone(asked)
    const names: string[] = []
    const tell: LooksUp = (...meant) => names.push(...[meantText(...meant)].filter((text) => text !== null))
    const looksUp = {
      service: isChecked && flags.service !== undefined && tell,
      section: isChecked && flags.section !== undefined && tell,
      table: isChecked && flags.table !== undefined && tell,
      status: isChecked && flags.status !== undefined,
    }
    const explained = await explain({ body: asked, looksUp, mayBePartial: isChecked }, readerOf(service), {
      nowMs: host.now(),
      timezone,
    })
    for (const name of names) await whisper(name)
    const record = recordOf(explained)
    await show.one(record, { card: explainedCard(record), list: explainedList })
    if (!explained.accepted) throw refusedFailure(explained)
  }
}

/** Fails: USAGE for a time on a clock that nobody knows. */
function refuseWithoutZone({ bookingTimeAsUtc, time }: JsonObject): void {
  if (typeof bookingTimeAsUtc === 'string' || typeof time !== 'string' || !isLocalTime(time)) return
  throw usageFailure(
    ['nobody knows which time zone the venue is in, so its time cannot be found in the schedule'],
    'give --time-utc, or set the time zone of the profile: partner profiles set --help',
  )
}

/** In a dry run: the reads that come first. What more is read, depends on what they say. */
async function showReads(service: Service, asked: JsonObject, { at, people, timezone }: Occasion): Promise<void> {
  if (typeof asked['status'] === 'string')
    await service.showPlans(listBookingStatuses, [service.complete(listBookingStatuses, {})])
  if (at === null || typeof people !== 'number') return
  const [fromMs, toMs] = [startOfDay(at, timezone), endOfDay(at, timezone)]
  const input = service.complete(getSchedule, { query: scheduleQuery(fromMs, toMs, people) })
  await service.showPlans(getSchedule, [input])
}

function scheduleQuery(fromMs: number, toMs: number, people: number) {
  return { BookingDateTimeStart: toWireTime(fromMs), NumOfPeople: people, BookingDateTimeEnd: toWireTime(toMs) }
}

function readerOf(service: Service): VenueReader {
  const read = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
    service.lookAtAll(endpoint, service.complete(endpoint, input))
  return {
    schedule: (fromMs, toMs, people) => read(getSchedule, { query: scheduleQuery(fromMs, toMs, people) }),
    tables: (at, minutes) =>
      read(listTables, { query: { Date: typeof at === 'number' ? toWireTime(at) : at, Duration: minutes } }),
    statuses: () => read(listBookingStatuses, {}),
  }
}

/** As programs read it. */
function recordOf({
  accepted,
  reasons,
  doubts,
  nearest,
  isWithoutTables,
  understood,
  notChecked,
}: Explained): JsonObject {
  return {
    accepted,
    reasons: reasons.map((reason) => ({ ...reason })),
    doubts: doubts.map((doubt) => ({ ...doubt })),
    nearest: nearest.map(({ time, atMs, ...place }) => ({
      time,
      timeUtc: `${new Date(atMs).toISOString().slice(0, 19)}Z`,
      ...place,
    })),
    withoutTables: isWithoutTables,
    notChecked,
    request: understood,
  }
}

function refusedFailure({ reasons, nearest, isWithoutTables }: Explained): Failure {
  const [first] = nearest
  return new Failure('REJECTED', `it would be refused: ${counted(reasons.length, 'reason', 'reasons')}`, {
    hint:
      first === undefined
        ? 'change what the reasons name, and ask again'
        : `this would do${isWithoutTables ? ', without the tables' : ''}: --time "${first.time}" --service ${first.serviceId} --section ${first.sectionId}`,
    details: { reasons: reasons.map(({ code }) => code) },
  })
}
