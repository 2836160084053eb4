import { describe, expect, test } from 'vitest'
import { type JsonObject, parseExact } from '../../../src/base/json/exact.ts'
import { bookingCard, bookingList } from '../../../src/features/bookings/views/booking.ts'
import { bookingStatusList } from '../../../src/features/bookings/views/status.ts'
import { booking } from '../sample-records.ts'
import { card, said, sydney, table, unknownZone } from '../shown.ts'

const shown = (record: JsonObject, asked = {}) => card(record, bookingCard, bookingList, asked)

describe('the booking card', () => {
  test('the booking card starts with the guest, party size, time and status', async () =>
    expect((await shown(booking))[0]).toBe('Ada Lovelace, 4 people, Fri 2026-11-20 19:30  Partially arrived (ARR-P)'))

  test('the booking card has a label for every documented member, so none is listed under Other', async () => {
    const lines = await shown(booking)
    expect(said(lines, 'Time')).toBe('Fri 2026-11-20 19:30 Australia/Sydney, 90 minutes')
    expect(said(lines, 'Guest')).toBe('Ada Lovelace (Analytical Engines)')
    expect(said(lines, 'Tables')).toBe('12, 14 (Terrace); 3 (Bar)')
    expect(said(lines, 'Service')).toBe('Dinner (Evening)')
    expect(said(lines, 'Notes')).toBe('Window table, please')
    expect(said(lines, 'Tags')).toBe('Occasion: Birthday')
    expect(said(lines, 'Booking ID')).toBe('65f1c0ffee000000499640b0')
    expect(said(lines, 'Phone')).toBe('+61 400 000 002 (0400 000 002)')
    expect(said(lines, 'Address')).toBe('1 George St, Sydney NSW 2000, Australia')
    expect(said(lines, 'Birthday')).toBe('10 Dec 1815')
    expect(said(lines, 'Table IDs')).toBe('t-12, t-14 (sec-1); t-3 (sec-2)')
    expect(lines).not.toContain('Other')
  })

  test("the booking card shows the venue's local time unchanged, and instants in the venue's time zone", async () => {
    const lines = await shown(booking)
    expect(said(lines, 'Created')).toBe('2026-11-18 13:11 Australia/Sydney (2 days ago)')
    expect(said(lines, 'Last changed')).toBe('2026-11-20 16:00 Australia/Sydney (1 hour ago)')
    const utc = await shown(booking, { context: unknownZone })
    expect(said(utc, 'Time')).toBe('Fri 2026-11-20 19:30 venue time, 90 minutes')
    expect(said(utc, 'Last changed')).toBe('2026-11-20 05:00 UTC (1 hour ago)')
  })

  test("the booking card shows instants in UTC if the venue's time zone is unknown", async () => {
    const lines = await shown(booking, { context: { timezone: 'Mars/Olympus', now: 0 } })
    expect(said(lines, 'Last changed')).toMatch(/^2026-11-20 05:00 UTC/)
  })

  test('the booking card shows payments with currency and cents, above the pre-orders', async () => {
    const lines = await shown(booking)
    expect(said(lines, 'Due')).toBe('AUD 60.25')
    expect(said(lines, 'Total')).toBe('AUD 120.50')
    expect(lines.indexOf('Payment')).toBeLessThan(lines.indexOf('Pre-orders'))
    expect(lines.slice(lines.indexOf('Pre-orders') + 1, lines.indexOf('Pre-orders') + 4)).toEqual([
      '  QTY  ITEM                         PRICE EACH  PAYMENT',
      '    4  Degustation menu (Set menu)      120.00  Deposit',
      '    2  + Wine pairing                    65.50  Pre-auth',
    ])
  })

  test('the booking card hides a payment summary that contains only zeros', async () => {
    const none = { paymentType: null, amount: 0, amountDue: 0, amountPaid: 0, transactionId: null, currencyCode: null }
    expect(await shown({ ...booking, paymentSummary: none })).not.toContain('Payment')
    expect(said(await shown({ ...booking, paymentSummary: { ...none, currencyCode: 'AUD' } }), 'Due')).toBe('AUD 0.00')
  })

  test('the booking card shows amounts with every digit that the service sent', async () => {
    const record = parseExact('{"paymentSummary":{"amountDue":0.105,"amount":12345678901234567.10}}') as JsonObject
    const lines = await shown(record)
    expect(said(lines, 'Due')).toBe('0.105')
    expect(said(lines, 'Total')).toBe('12345678901234567.10')
  })

  test('the booking card omits a status code that merely repeats the status name', async () => {
    const lines = await shown({ status: { statusType: 'standard', code: 'NO_SHOW', name: 'No show' } })
    expect(said(lines, 'Status')).toBe('No show')
  })

  test('the booking card shows unknown members at the end, including nested members', async () => {
    const lines = await shown({
      ...booking,
      loyalty: { tier: 'gold' },
      customer: { ...(booking['customer'] as JsonObject), vipLevel: 3 },
      tables: [{ tableName: '12', seats: 4 }],
    })
    expect(lines.slice(lines.indexOf('Other'))).toEqual([
      'Other',
      '  customer.vipLevel  3',
      '  tables.0.seats     4',
      '  loyalty            {"tier":"gold"}',
    ])
  })

  test('the booking card shows an address string once, and every member of an address object', async () => {
    const guest = (address: JsonObject | string) => shown({ customer: { firstName: 'Ada', address } })
    const text = await guest('12 Harbour Parade, Sydney')
    expect(said(text, 'Address')).toBe('12 Harbour Parade, Sydney')
    expect(text.filter((line) => line.includes('Harbour'))).toHaveLength(1)
    const object = await guest({ line1: '12 Harbour Parade', gate: 'blue' })
    expect(said(object, 'Address')).toBe('12 Harbour Parade')
    expect(said(object, 'customer.address.gate')).toBe('blue')
  })

  test('the card for an empty booking says which important fields are missing', async () =>
    expect(await shown({})).toEqual([
      'Booking',
      '',
      '  Time        none given',
      '  Guest       not in the response',
      '  People      not given',
      '  Status      none',
      '  Tables      none assigned',
      '  Booking ID  none given',
    ]))

  test('the card for a one-person booking says "1 person"', async () =>
    expect((await shown({ people: 1, duration: 1, bookingTime: '2026-11-20T19:30:00' }))[0]).toBe(
      'Booking, 1 person, Fri 2026-11-20 19:30',
    ))
})

describe('the bookings table', () => {
  test('each row of the bookings table starts with the time and guest and ends with the complete ID', async () =>
    expect(await table([booking], bookingList)).toEqual([
      'TIME              GUEST         PAX  STATUS                     TABLES     SECTION       SERVICE        DUE  NOTES                 BOOKING ID',
      '2026-11-20 19:30  Ada Lovelace    4  Partially arrived (ARR-P)  12, 14, 3  Terrace, Bar  Dinner   AUD 60.25  Window table, please  65f1c0ffee000000499640b0',
    ]))

  test('the bookings table shows the ID, time, guest, status and tables even at 80 columns', async () => {
    const [header, row] = await table([booking], bookingList, { columns: 80 })
    expect(header).toMatch(/^TIME +GUEST +PAX +STATUS +TABLES +BOOKING ID$/)
    expect(row).toMatch(/ 65f1c0ffee000000499640b0$/)
  })

  test.each([
    ['is paid', { amount: 50, amountDue: 0, amountPaid: 50, currencyCode: 'AUD' }],
    ['is paid to the last digit', parseExact('{"amountDue":0.00,"amountPaid":50.00,"currencyCode":"AUD"}')],
    ['was paid without an amount due', { amountPaid: 50, currencyCode: 'AUD' }],
  ])('the bookings table leaves DUE blank for a deposit that %s', async (_name, paymentSummary) => {
    const paid = { ...booking, paymentSummary }
    const [header = '', row = '', other = ''] = await table([paid, booking], bookingList)
    expect(row).not.toContain('AUD')
    expect(other).toContain('AUD 60.25')
    expect(header).toContain('DUE')
    expect((await table([paid], bookingList, { columns: 140 }))[0]).not.toContain('DUE')
  })

  test('the bookings table highlights cancelled bookings and unpaid amounts', async () => {
    const [, row = ''] = await table([{ ...booking, status: { name: 'Cancelled' } }], bookingList, { color: true })
    expect(row).toContain('\u001b[31mCancelled\u001b[39m')
    expect(row).toContain('\u001b[33mAUD 60.25\u001b[39m')
  })

  test('the bookings table has no GUEST column at a terminal if no booking has a customer', async () => {
    const { customer: _, ...bare } = booking
    expect((await table([bare], bookingList, { columns: 140 }))[0]).not.toContain('GUEST')
  })
})

test('the table of booking statuses shows the code first, because commands accept it', async () => {
  const statuses = [
    { statusType: 'standard', code: 'CONFIRMED', name: 'Confirmed' },
    { statusType: 'cancelled', code: 'XX-9', name: 'Did not come' },
  ]
  expect(await table(statuses, bookingStatusList)).toEqual([
    'CODE       NAME          TYPE',
    'CONFIRMED  Confirmed     standard',
    'XX-9       Did not come  cancelled',
  ])
})

describe('the bookings table on a narrow terminal', () => {
  const wide = {
    bookingId: 'BK-0123456789abcdef',
    bookingTime: '2026-11-20T19:30:00',
    people: 4,
    status: { code: 'CONFIRMED', name: 'Confirmed by phone' },
    customer: { firstName: '李小龍', lastName: 'Παπαδοπούλου-Κωνσταντίνου محمد 🎉' },
    tables: [{ tableName: 'T1', sectionName: 'Main Dining' }],
    serviceName: 'Weekend Brunch',
    notes: 'allergic to shellfish, and more than fits',
  }

  test.each([80, 100, 120, 140])(
    'the bookings table at %i columns drops less important columns instead of truncating the status',
    async (columns) => {
      const [header = '', row = ''] = await table([wide], bookingList, { columns })
      expect(row).toContain('BK-0123456789abcdef')
      if (/SECTION|SERVICE|NOTES/.test(header)) expect(row).toContain('Confirmed by phone (CONFIRMED)')
      expect(header).toMatch(/STATUS/)
    },
  )

  test('the bookings table for a single day shows only times, with the date in the footer', async () => {
    const context = { ...sydney, day: '2026-11-20' }
    const [, row] = await table([wide], bookingList, { context })
    expect(row).toMatch(/^19:30 /)
    expect(bookingList.footnote?.(context)).toBe('times on Fri 2026-11-20 in Australia/Sydney')
    const [, other] = await table([{ ...wide, bookingTime: '2026-11-21T00:30:00' }], bookingList, { context })
    expect(other).toMatch(/^2026-11-21 00:30 /)
  })
})
