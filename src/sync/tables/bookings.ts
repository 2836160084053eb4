import { type ChildTable, type Column, given, IDENTITY, type MainTable, members, VERSION_AND_RAW } from './table.ts'

/** When a booking is, in local time and as an instant, for how many, and in which service. */
export const OCCASION: readonly Column[] = [
  { name: 'booking_time', type: 'wall', origin: { path: 'bookingTime' }, required: false },
  { name: 'booking_time_utc', type: 'instant', origin: { wallPath: 'bookingTime' }, required: false },
  ...members([
    ['duration_minutes', 'integer', 'duration'],
    ['people', 'integer', 'people'],
    ['service_id', 'text', 'serviceId'],
    ['service_name', 'text', 'serviceName'],
    ['service_type', 'text', 'serviceType'],
  ]),
]

function listed(
  name: string,
  listPath: string,
  columns: readonly Column[],
  extrasPath: string | null = null,
): ChildTable {
  const key: readonly Column[] = [
    given('source', 'text', 'source', true),
    given('booking_id', 'text', 'id', true),
    given('position', 'integer', 'position', true),
  ]
  return { name, listPath, extrasPath, columns: [...key, ...columns], key: key.map((one) => one.name), indexes: [] }
}

const bookingTables = listed(
  'booking_tables',
  'tables',
  members([
    ['table_id', 'text', 'tableId'],
    ['table_name', 'text', 'tableName'],
    ['section_id', 'text', 'sectionId'],
    ['section_name', 'text', 'sectionName'],
  ]),
)

const bookingTags = listed(
  'booking_tags',
  'tags',
  members([
    ['tag_type', 'text', 'tagType'],
    ['name', 'text', 'name'],
  ]),
)

const bookingItems = listed(
  'booking_items',
  'items',
  [
    // The position of the item that this one is an extra of; null for an item itself.
    given('extra_of', 'integer', 'extraOf'),
    ...members([
      ['name', 'text', 'name'],
      ['label', 'text', 'label'],
      ['payment_type', 'text', 'paymentType'],
      ['price_cents', 'cents', 'price'],
      ['quantity', 'integer', 'quantity'],
    ]),
  ],
  'extras',
)

/** The table of bookings, with those of their lists. */
export const BOOKINGS: MainTable = {
  name: 'bookings',
  hasChangeDate: true,
  columns: [
    ...IDENTITY,
    ...members([
      ['location_id', 'text', 'locationId'],
      ['method', 'text', 'method'],
      ['booked_at', 'instant', 'bookedAt'],
    ]),
    ...OCCASION,
    ...members([
      ['status_type', 'text', 'status.statusType'],
      ['status_code', 'text', 'status.code'],
      ['status_name', 'text', 'status.name'],
      ['notes', 'text', 'notes'],
      ['customer_id', 'text', 'customer.id'],
      ['customer_first_name', 'text', 'customer.firstName'],
      ['customer_last_name', 'text', 'customer.lastName'],
      ['customer_email', 'text', 'customer.email'],
      ['customer_phone', 'text', 'customer.phone'],
      ['payment_type', 'text', 'paymentSummary.paymentType'],
      ['amount_cents', 'cents', 'paymentSummary.amount'],
      ['amount_due_cents', 'cents', 'paymentSummary.amountDue'],
      ['amount_paid_cents', 'cents', 'paymentSummary.amountPaid'],
      ['currency_code', 'text', 'paymentSummary.currencyCode'],
      ['payment_transaction_id', 'text', 'paymentSummary.transactionId'],
      ['paid_at', 'instant', 'paymentSummary.paymentDate'],
    ]),
    given('last_modified', 'instant', 'changed'),
    ...VERSION_AND_RAW,
  ],
  key: ['source', 'id'],
  indexes: [['booking_time'], ['status_code', 'booking_time'], ['customer_id'], ['last_modified']],
  children: [bookingTables, bookingTags, bookingItems],
}
