import { HOSTILE_TEXTS } from './hostile-texts.ts'

const NOW = '2031-03-14T01:00:00.000Z'

export const DAY = '2031-03-14'
export const bookingOf = (at: number): string => `BK-H${at}`
export const customerOf = (at: number): string => `C-H${at}`
export const cardOf = (at: number): string => `HOSTI-${String(at).padStart(8, '0')}-TEXT`

/** Returns a snapshot that has each hostile text in all fields of a customer, a booking and a gift card. */
export function hostileSnapshot(saved: string): string {
  const header = JSON.parse(saved.slice(0, saved.indexOf('\n')))
  const { diary: _, ...rest } = header
  const lines = HOSTILE_TEXTS.map((text, at) => [
    customerLine(text, at),
    bookingLine(text, at, header.venues[0].id),
    cardLine(text, at),
  ])
  // Customers come first, because bookings refer to them.
  const ordered = [0, 1, 2].flatMap((kind) => lines.map((each) => each[kind]))
  return [{ ...rest, clock: NOW, frozen: true }, ...ordered, { end: true }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

const tag = (text: string) => ({ id: text, identifier: text, name: text, tagType: text, [text]: text })

function customerLine(text: string, at: number): object {
  const names = {
    firstName: text,
    lastName: text,
    company: text,
    email: text,
    phone: text,
    phoneNational: text,
    phone2: text,
  }
  const address = { line1: text, line2: text, city: text, state: text, postalCode: text, country: text }
  return { customer: customerOf(at), ...names, address, notes: text, tags: [tag(text)], lastModifiedDate: NOW }
}

function bookingLine(text: string, at: number, locationId: string): object {
  const bookingTime = `${DAY}T19:${String(at % 60).padStart(2, '0')}:00`
  const own = { bookingTime, people: 2, bookedAt: NOW }
  const document = {
    ...{ bookingId: bookingOf(at), locationId, method: text, ...own, duration: 90 },
    ...{ serviceId: 'svc-dinner', serviceName: text, serviceType: text, lastModifiedDate: NOW, notes: text },
    tables: [{ tableId: text, tableName: text, sectionId: text, sectionName: text }],
    tags: [tag(text)],
    status: { statusType: text, code: 'CONFIRMED', name: text },
    paymentSummary: {
      paymentType: text,
      amount: 0,
      amountDue: 0,
      amountPaid: 0,
      transactionId: text,
      currencyCode: text,
    },
    items: [
      { name: text, label: text, paymentType: text, price: 1, quantity: 1, extras: [{ name: text, label: text }] },
    ],
    [text]: text,
  }
  return {
    ...{ booking: bookingOf(at), ...own, status: 'CONFIRMED', customerId: customerOf(at), externalId: `${at} ${text}` },
    ...{ details: { staffName: text, staffId: text }, notes: text, document: JSON.stringify(document) },
  }
}

function cardLine(text: string, at: number): object {
  const people = ['purchaser', 'recipient'].flatMap((who) =>
    ['FirstName', 'LastName', 'Email'].map((part) => who + part),
  )
  const texts = [...people, 'experienceCardName', 'experienceCardDetails'].map((name) => [name, text])
  return {
    ...{ card: cardOf(at), amountCents: 10_000, issuedDate: NOW, expiryDate: '2034-03-14T01:00:00.000Z', sku: text },
    ...Object.fromEntries(texts),
  }
}
