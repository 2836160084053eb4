import { randomHex } from '../random-hex.ts'
import type { Diary } from '../store/diary.ts'
import type { Row } from '../store/store.ts'
import { type LocalMs, localText, MINUTE, toInstant } from '../venue/time.ts'
import { type Service, type Status, statusOf, tableOf, VENUE } from '../venue/venue.ts'

/** A booking as it is stored and answered, without its customer. Source: "Booking (response of GET /Bookings/{id})". */
export interface BookingDocument {
  readonly bookingId: string
  readonly locationId: string
  readonly method: string
  readonly bookedAt: string
  readonly bookingTime: string
  readonly duration: number
  readonly people: number
  readonly serviceId: string | null
  readonly serviceName: string | null
  readonly serviceType: string | null
  readonly lastModifiedDate: string
  readonly notes: string | null
  readonly tables: readonly BookedTable[]
  readonly tags: readonly { readonly tagType: string; readonly name: string }[]
  readonly status: Status
  readonly paymentSummary: PaymentSummary | null
  readonly items: readonly OrderItem[]
}

interface BookedTable {
  readonly tableId: string
  readonly tableName: string
  readonly sectionId: string
  readonly sectionName: string
}

/** Amounts in currency units. Source: "Supporting objects". */
export interface PaymentSummary {
  readonly paymentType: string
  readonly amount: number
  readonly amountDue: number
  readonly amountPaid: number
  readonly transactionId: string | null
  readonly currencyCode: string
  readonly paymentDate: string | null
}

/** Source: "Supporting objects". */
export interface OrderItem {
  readonly name: string
  readonly label: string | null
  readonly paymentType: string
  readonly price: number
  readonly quantity: number
  readonly extras: readonly Omit<OrderItem, 'extras'>[] | null
}

/** A booking with what the store keeps beside its document. */
export interface StoredBooking {
  readonly document: BookingDocument
  /** Milliseconds since 1970. */
  readonly starts: number
  readonly modified: number
  readonly customerId: string | null
  readonly externalId: string | null
  readonly tableIds: readonly string[]
}

/** What makes up a new booking. */
export interface NewBooking {
  readonly id?: string
  readonly locationId?: string
  readonly method: string
  readonly local: LocalMs
  readonly bookedAt: number
  readonly modified: number
  readonly duration: number
  readonly people: number
  readonly service: Service | null
  readonly status: Status
  readonly tableIds: readonly string[]
  readonly customerId: string | null
  readonly notes: string | null
  readonly tags?: BookingDocument['tags']
  readonly payment?: PaymentSummary | null
  readonly items?: readonly OrderItem[]
  readonly externalId?: string | null
  /** What else a partner sent: kept, but never answered. */
  readonly details?: unknown
  /** True: the seed made it, and nobody has changed it since. */
  readonly untouched?: boolean
}

const INSERT = `INSERT OR REPLACE INTO bookings
  (id, location, starts, ends, modified, status, tables, service_name, customer, external_id, untouched, document, details)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Writes a new booking and returns its document. */
export function insertBooking(diary: Diary, booking: NewBooking): BookingDocument {
  const starts = toInstant(booking.local)
  const document: BookingDocument = {
    bookingId: booking.id ?? newId(booking.bookedAt),
    locationId: booking.locationId ?? VENUE.id,
    method: booking.method,
    bookedAt: new Date(booking.bookedAt).toISOString(),
    bookingTime: localText(booking.local),
    duration: booking.duration,
    people: booking.people,
    serviceId: booking.service?.id ?? null,
    serviceName: booking.service?.name ?? null,
    serviceType: booking.service?.serviceType ?? null,
    lastModifiedDate: new Date(booking.modified).toISOString(),
    notes: booking.notes,
    tables: bookedTables(booking.tableIds),
    tags: booking.tags ?? [],
    status: booking.status,
    paymentSummary: booking.payment ?? null,
    items: booking.items ?? [],
  }
  diary.run(
    INSERT,
    document.bookingId,
    document.locationId,
    starts,
    starts + booking.duration * MINUTE,
    booking.modified,
    booking.status.code,
    JSON.stringify(booking.tableIds),
    document.serviceName,
    booking.customerId,
    booking.externalId ?? null,
    booking.untouched ? 1 : 0,
    JSON.stringify(document),
    booking.details === undefined ? null : JSON.stringify(booking.details),
  )
  return document
}

function bookedTables(ids: readonly string[]): BookedTable[] {
  return ids.flatMap((id) => {
    const table = tableOf(id)
    if (!table) return []
    return [{ tableId: id, tableName: table.name, sectionId: table.sectionId, sectionName: table.sectionName }]
  })
}

/** An ID in the style of the service: 24 hexadecimal digits, the first eight of them the time. */
export function newId(now: number): string {
  return (
    Math.floor(now / 1000)
      .toString(16)
      .padStart(8, '0')
      .slice(-8) + randomHex(8)
  )
}

/** Finds a booking of any location by its ID. */
export function findBooking(diary: Diary, id: string): StoredBooking | undefined {
  const row = diary.get('SELECT * FROM bookings WHERE id = ?', id)
  return row && storedBooking(row)
}

/** Finds a booking of the venue by its ID, or by the ID that a partner gave it. */
export function findVenueBooking(diary: Diary, id: string): StoredBooking | undefined {
  const found = findBooking(diary, id)
  if (found) return found.document.locationId === VENUE.id ? found : undefined
  const row = diary.get(
    'SELECT * FROM bookings WHERE external_id = ? AND location = ? ORDER BY rank DESC',
    id,
    VENUE.id,
  )
  return row && storedBooking(row)
}

/** The booking in a row. */
export function storedBooking(row: Row): StoredBooking {
  return {
    document: JSON.parse(String(row['document'])) as BookingDocument,
    starts: Number(row['starts']),
    modified: Number(row['modified']),
    customerId: row['customer'] as string | null,
    externalId: row['external_id'] as string | null,
    tableIds: JSON.parse(String(row['tables'])) as string[],
  }
}

/** What may change in a booking. `local` is on the venue's clock. */
export interface BookingChange {
  readonly local?: LocalMs
  readonly duration?: number
  readonly people?: number
  readonly service?: Service
  readonly status?: string
  readonly tableIds?: readonly string[]
  readonly notes?: string
  readonly customerId?: string
  readonly payment?: PaymentSummary
}

/** Changes a booking; `lastModifiedDate` moves on, by at least a millisecond. Returns the new document. */
export function changeBooking(
  diary: Diary,
  booking: StoredBooking,
  change: BookingChange,
  now: number,
): BookingDocument {
  const modified = Math.max(now, booking.modified + 1)
  const { document } = booking
  const starts = change.local === undefined ? booking.starts : toInstant(change.local)
  const tableIds = change.tableIds ?? booking.tableIds
  const changed: BookingDocument = {
    ...document,
    bookingTime: change.local === undefined ? document.bookingTime : localText(change.local),
    duration: change.duration ?? document.duration,
    people: change.people ?? document.people,
    serviceId: change.service?.id ?? document.serviceId,
    serviceName: change.service?.name ?? document.serviceName,
    serviceType: change.service?.serviceType ?? document.serviceType,
    lastModifiedDate: new Date(modified).toISOString(),
    notes: change.notes ?? document.notes,
    tables: change.tableIds ? bookedTables(change.tableIds) : document.tables,
    status: (change.status && statusOf(change.status)) || document.status,
    paymentSummary: change.payment ?? document.paymentSummary,
  }
  diary.run(
    `UPDATE bookings SET starts = ?, ends = ?, modified = ?, status = ?, tables = ?, service_name = ?, customer = ?,
     untouched = 0, document = ? WHERE id = ?`,
    starts,
    starts + changed.duration * MINUTE,
    modified,
    changed.status.code,
    JSON.stringify(tableIds),
    changed.serviceName,
    change.customerId ?? booking.customerId,
    JSON.stringify(changed),
    document.bookingId,
  )
  return changed
}
