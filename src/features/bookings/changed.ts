import { Failure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { Answer } from '../../client/calls/answer.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Views } from '../../terminal/output/many/venue.ts'
import type { CardView } from '../../terminal/render/view.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { joined, textAt } from '../shared/views/wording.ts'
import { bookingList } from './views/booking.ts'
import { gist } from './views/card-sections.ts'
import { receiptCard, receiptList } from './views/receipt.ts'
import { statusCell } from './views/status.ts'

const changedBookingCard: CardView = {
  title: (booking) => [
    { text: joined(['Changed booking', textAt(booking, 'bookingId')], ' '), tone: 'good' },
    statusCell(booking['status']),
  ],
  sections: [
    { heading: null, fields: gist },
    {
      heading: null,
      // What these members are is said above, or nothing to a person.
      fields: [{ label: '', paths: ['customer.**', 'tables.**'], cell: () => '' }],
    },
  ],
}

/** What a change is about, and how its answer is shown: as a receipt, unless it says otherwise. */
interface Change {
  readonly id: string
  readonly views?: Views
  /** The zone of the venue; null when it is not known or the change is about no time. */
  readonly timezone?: string | null
}

type Parts = Pick<RunParts, 'service' | 'show' | 'say' | 'warn' | 'host'>

/**
 * Changes a booking and shows it. When the answer is lost, the booking is read: it may be as it was asked for. Returns the answer;
 * null in a dry run, and when there was none. Fails: as `Service.send`.
 */
export async function changeBooking<E extends Endpoint>(
  parts: Parts,
  endpoint: E,
  input: CallInput<E> & { readonly body: JsonObject },
  change: Change,
): Promise<Answer | null> {
  const { service, show, say, host } = parts
  const { id, views = RECEIPT, timezone = null } = change
  const own = { bookingId: id }
  let answer: Answer | null
  try {
    answer = await service.send(endpoint, input, { check: suggest`bookings get ${id}` })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'OUTCOME_UNKNOWN' || host.signal.aborted) throw error
    const { settle } = await import('./as-asked.ts')
    const { booking, asked } = await settle(service, error, { id, body: input.body, timezone })
    await say(`the answer was lost, but the booking is as asked: ${asked}`)
    const whole = show.isPlain ? bookingIn(booking) : null
    await (whole ? show.one(whole, CHANGED) : show.one(own, views))
    return null
  }
  await showChanged(parts, answer, views, own)
  return answer
}

const RECEIPT: Views = { card: receiptCard, list: receiptList }
const CHANGED: Views = { card: changedBookingCard, list: bookingList }

/**
 * Shows a booking after a change that is done; nothing for null. In a table a person sees the booking as it is now, which is read
 * once for that when the service answered with less. Other formats have the service's own answer, without another request.
 * @param own our own result, for an answer that holds nothing.
 */
async function showChanged(
  { service, show, warn }: Parts,
  answer: Answer | null,
  views: Views,
  own: { readonly bookingId: string },
): Promise<void> {
  if (answer === null) return
  const id = own.bookingId
  if (!show.isPlain) return show.answer(answer, views, own)
  const booking = bookingIn(answer.value) ?? bookingIn((await service.readBack(getBooking, { path: { id } }))?.value)
  if (booking) return show.one(booking, CHANGED)
  await warn(`the change is done, but the booking could not be read; to see it: ${suggest`bookings get ${id}`}`)
  await show.answer(answer, views, own)
}

/** A value that is a whole booking, without what a person does not look at after a change; null when it is none. */
function bookingIn(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value) || value['bookingTime'] === undefined || value['people'] === undefined) return null
  const shown = [
    'bookingId',
    'bookingTime',
    'duration',
    'people',
    'status',
    'tables',
    'customer',
    'serviceName',
    'notes',
  ]
  return Object.fromEntries(shown.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
