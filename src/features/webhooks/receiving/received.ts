import { type JsonValue, parseExact } from '../../../base/json/exact.ts'
import { WireRecord } from '../../../base/json/list/wire-record.ts'
import { getBooking } from '../../../contract/bookings/booking.ts'
import { getGiftCard } from '../../../contract/giftcards.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import type { Answered } from '../../../webhooks/listener/receiver.ts'

/** Makes the records that are printed, as deliveries are answered. With `isFetched`, each has the booking or card as it is now. */
export async function* receivedRecords(
  { service, warn }: Pick<RunParts, 'service' | 'warn'>,
  feed: AsyncIterable<readonly Answered[]>,
  isFetched: boolean,
): AsyncGenerator<readonly WireRecord[]> {
  for await (const batch of feed)
    for (const answered of batch) {
      const { timeMs, verdict, status, ms, read, body } = answered
      const time = new Date(timeMs).toISOString()
      const { event, subject, locationId } = read
      const delivery = parseExact(new TextDecoder().decode(body))
      const fetched = isFetched ? { fetched: await fetchSubject(service, read) } : {}
      if (isFetched && fetched.fetched === null && subject !== null)
        await warn(`${subject} could not be read; see partner ${commandFor(read, subject)}`)
      yield [WireRecord.of({ time, verdict, status, ms, event, subject, locationId, delivery, ...fetched })]
    }
}

/** The booking or card of an event as it is now; null when it names none, and when it cannot be read. */
async function fetchSubject(service: RunParts['service'], { kind, subject }: Answered['read']): Promise<JsonValue> {
  if (kind === null || subject === null) return null
  const answer =
    kind === 'booking'
      ? await service.readBack(getBooking, { path: { id: subject } })
      : await service.readBack(getGiftCard, { path: { cardNumber: subject } })
  return answer?.value ?? null
}

function commandFor({ kind }: Answered['read'], subject: string): string {
  return kind === 'booking' ? `bookings get ${subject}` : `giftcards get ${subject}`
}
