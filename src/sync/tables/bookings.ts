import { type Column, given, IDENTITY, type MainTable, members, VERSION_AND_RAW } from './table.ts'

/** The columns for a booking's local time, instant, duration, number of people, and service. */
export const BOOKING_DETAILS: readonly Column[] = [
  { name: 'booking_time', type: 'wall', origin: { path: 'bookingTime' }, required: false },
  { name: 'booking_time_utc', type: 'instant', origin: { wallPath: 'bookingTime' }, required: false },
  ...members('integer', { duration_minutes: 'duration', people: 'people' }),
  ...members('text', { service_id: 'serviceId', service_name: 'serviceName', service_type: 'serviceType' }),
]

function listed(name: string, listPath: string, columns: readonly Column[], extrasPath: string | null = null) {
  const key: readonly Column[] = [
    given('source', 'text', 'source', true),
    given('booking_id', 'text', 'id', true),
    given('position', 'integer', 'position', true),
  ]
  return { name, listPath, extrasPath, columns: [...key, ...columns], key: key.map((one) => one.name), indexes: [] }
}

const bookingTables = listed('booking_tables', 'tables', [
  ...members('text', { table_id: 'tableId', table_name: 'tableName' }),
  ...members('text', { section_id: 'sectionId', section_name: 'sectionName' }),
])

const bookingTags = listed('booking_tags', 'tags', members('text', { tag_type: 'tagType', name: 'name' }))

const itemColumns: readonly Column[] = [
  // The position of the item that an extra belongs to. Null for items that are not extras.
  given('extra_of', 'integer', 'extraOf'),
  ...members('text', { name: 'name', label: 'label', payment_type: 'paymentType' }),
  ...members('cents', { price_cents: 'price' }),
  ...members('integer', { quantity: 'quantity' }),
]

const bookingItems = listed('booking_items', 'items', itemColumns, 'extras')

export const BOOKINGS: MainTable = {
  name: 'bookings',
  hasChangeDate: true,
  columns: [
    ...IDENTITY,
    ...members('text', { location_id: 'locationId', method: 'method' }),
    ...members('instant', { booked_at: 'bookedAt' }),
    ...BOOKING_DETAILS,
    ...members('text', { status_type: 'status.statusType', status_code: 'status.code', status_name: 'status.name' }),
    ...members('text', { notes: 'notes', customer_id: 'customer.id' }),
    ...members('text', { customer_first_name: 'customer.firstName', customer_last_name: 'customer.lastName' }),
    ...members('text', { customer_email: 'customer.email', customer_phone: 'customer.phone' }),
    ...members('text', { payment_type: 'paymentSummary.paymentType' }),
    ...members('cents', { amount_cents: 'paymentSummary.amount', amount_due_cents: 'paymentSummary.amountDue' }),
    ...members('cents', { amount_paid_cents: 'paymentSummary.amountPaid' }),
    ...members('text', { currency_code: 'paymentSummary.currencyCode' }),
    ...members('text', { payment_transaction_id: 'paymentSummary.transactionId' }),
    ...members('instant', { paid_at: 'paymentSummary.paymentDate' }),
    given('last_modified', 'instant', 'changed'),
    ...VERSION_AND_RAW,
  ],
  key: ['source', 'id'],
  indexes: [['booking_time'], ['status_code', 'booking_time'], ['customer_id'], ['last_modified']],
  children: [bookingTables, bookingTags, bookingItems],
}
